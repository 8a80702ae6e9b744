public import MotionModel

extension Envelope {
  /// The message as bytes.
  ///
  /// - Precondition: the message has less than 2 GiB, which is all that protobuf can say.
  public func encoded() -> [UInt8] { MessageBytes.encode(ProtoEnvelope(self)) }

  /// Reads a message from bytes, which may be any bytes at all.
  ///
  /// What it gives follows every rule of motion.proto: names are legal, numbers finite, arrays fit together, nothing
  /// exceeds its limit. What it takes: time linear in the bytes, and memory of a small factor of `limit`.
  ///
  /// - Parameters:
  ///   - bytes: the whole message.
  ///   - limit: how many bytes are accepted at most.
  /// - Throws: what is wrong, where, and what would be right.
  public init(decoding bytes: UnsafeRawBufferPointer, limit: Int = Limits.clientMessageBytes) throws(WireError) {
    self = try MessageBytes.decode(ProtoEnvelope.self, bytes.bytes, limit: limit)
  }

  /// Reads a message from an array of bytes, which may be any bytes at all.
  public init(decoding bytes: [UInt8], limit: Int = Limits.clientMessageBytes) throws(WireError) {
    self = try MessageBytes.decode(ProtoEnvelope.self, bytes.span.bytes, limit: limit)
  }
}
