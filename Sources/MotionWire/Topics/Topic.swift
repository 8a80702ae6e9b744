/// Frames of pub/sub sockets: a topic, a zero byte, one message.
///
/// The zero byte is part of every subscription too, so that `v/ball` does not subscribe to `v/balloon`.
public enum Topic {
  /// The maximum number of bytes of a topic: `v/`, a target's 128, a slash and a property's 64 are 195.
  public static let longestBytes = 256
  /// The maximum number of bytes of a subscription: of a topic and its zero byte.
  package static let longestSubscription = longestBytes + 1
  /// The byte that ends a topic.
  static let end: UInt8 = 0

  /// The bytes of a subscription to `topic`: its text and the zero byte.
  public static func subscription(_ topic: String) -> [UInt8] { Array(topic.utf8) + [end] }

  /// One frame that carries `envelope` on `topic`.
  public static func frame(_ topic: String, _ envelope: Envelope) -> [UInt8] {
    envelope.encoded(behind: subscription(topic))
  }

  /// The topic of a subscription, from the bytes that an XPUB socket receives without the first one. That byte states
  /// whether the subscription begins or ends.
  ///
  /// - Throws: when the zero byte at the end is missing, or the rest is not text or too long for any topic.
  public static func topic(ofSubscription bytes: UnsafeRawBufferPointer) throws(WireError) -> String {
    guard bytes.last == end else {
      throw WireError(
        .malformed, "the subscription does not end with a zero byte", remedy: "Subscribe to the topic and a zero byte")
    }
    return try text(UnsafeRawBufferPointer(rebasing: bytes.dropLast()))
  }

  /// The topic of a subscription.
  public static func topic(ofSubscription bytes: [UInt8]) throws(WireError) -> String {
    let result = bytes.withUnsafeBytes { buffer in
      Result { () throws(WireError) in try topic(ofSubscription: buffer) }
    }
    return try result.get()
  }

  /// The topic of a frame, and the offset of its message in the frame.
  ///
  /// - Throws: when there is no zero byte where a topic may end, or the bytes before it are not text.
  public static func split(_ frame: UnsafeRawBufferPointer) throws(WireError) -> (topic: String, message: Int) {
    guard let zero = frame.prefix(longestBytes + 1).firstIndex(of: end) else {
      throw WireError(
        .malformed, "no topic ends with a zero byte in the first \(longestBytes + 1) bytes of the frame",
        remedy: "Send the topic, a zero byte and the message in one frame")
    }
    return (try text(UnsafeRawBufferPointer(rebasing: frame[..<zero])), zero + 1)
  }

  /// The topic of a frame and its message.
  public static func split(_ frame: [UInt8]) throws(WireError) -> (topic: String, message: ArraySlice<UInt8>) {
    let result = frame.withUnsafeBytes { buffer in
      Result { () throws(WireError) in try split(buffer) }
    }
    let (topic, message) = try result.get()
    return (topic, frame[message...])
  }

  private static func text(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> String {
    guard bytes.count <= longestBytes else {
      throw WireError(
        .limit, field: "topic", "the topic has \(bytes.count) bytes, without the zero byte that ends it",
        remedy: "A topic has at most \(longestBytes) bytes")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw WireError(.malformed, field: "topic", "the topic is not UTF-8", remedy: "Topics are text")
    }
    return text
  }
}
