import MotionModel

/// Steps from what the program says to what a message may hold.
enum Encode {
  /// A text for people, cut to `limit` bytes, so that no peer refuses the message because somebody was wordy.
  static func text(_ text: String, atMost limit: Int = Limits.textBytes) -> String {
    let bytes = text.utf8
    guard bytes.count > limit else { return text }
    var end = bytes.index(bytes.startIndex, offsetBy: limit)
    // 10xxxxxx goes on with a character: step back to where one begins.
    while end > bytes.startIndex, bytes[end] & 0xC0 == 0x80 { end = bytes.index(before: end) }
    return String(text[..<end])
  }

  /// A count as the wire holds it.
  static func count(_ count: Int) -> UInt32 { UInt32(clamping: count) }
}
