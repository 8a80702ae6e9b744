import MotionModel
import SwiftProtobuf

/// Conversions from values of the program to values that a message may hold.
enum Encode {
  /// A text for people, cut to `limit` bytes, so that no peer refuses the message because of a long text.
  static func text(_ text: String, atMost limit: Int = Limits.textBytes) -> String {
    let bytes = text.utf8
    guard bytes.count > limit else { return text }
    var end = bytes.index(bytes.startIndex, offsetBy: limit)
    // A byte 10xxxxxx continues a character: step back to the beginning of one.
    while end > bytes.startIndex, bytes[end] & 0xC0 == 0x80 { end = bytes.index(before: end) }
    return String(text[..<end])
  }

  /// A count in the type of the message, clamped to its range.
  static func count(_ count: Int) -> UInt32 { UInt32(clamping: count) }

  /// Bytes as a member of a message. Generic, because the type of the member is one of Foundation, which is not imported
  /// here.
  static func bytes<Bytes: SwiftProtobufContiguousBytes>(_ bytes: [UInt8]) -> Bytes { Bytes(bytes) }

  /// The bytes of a member of a message.
  static func array(_ bytes: some SwiftProtobufContiguousBytes) -> [UInt8] { bytes.withUnsafeBytes(Array.init) }
}
