public import MotionModel

extension Envelope {
  /// The message as bytes.
  ///
  /// - Precondition: the message has less than 2 GiB, which is the limit of protobuf.
  ///
  /// Values of a frame take a shorter path from the runtime to the socket: ``ValuesMessage``.
  public func encoded() -> [UInt8] { encoded(behind: []) }

  /// The message as bytes, preceded by `prefix`.
  func encoded(behind prefix: [UInt8]) -> [UInt8] {
    if let bytes = FastPath.bytes(of: self, behind: prefix) { return bytes }
    let bytes = encodedByGeneratedCode()
    return prefix.isEmpty ? bytes : prefix + bytes
  }

  /// The message as bytes, without the fast path for any kind of message.
  package func encodedByGeneratedCode() -> [UInt8] { MessageBytes.encode(ProtoEnvelope(self)) }

  /// The maximum number of elements of all lists of a message together, where `limit` bytes are accepted.
  public static func mostElements(of limit: Int) -> Int { Census.mostElements(of: limit) }

  /// Decodes a message from bytes, which may be any bytes at all.
  ///
  /// The result follows every rule of motion.proto: names are legal, numbers finite, arrays fit together, nothing
  /// exceeds its limit. The cost is time linear in the bytes, and memory of less than 5 times `limit`.
  ///
  /// - Parameters:
  ///   - bytes: the whole message.
  ///   - limit: the maximum number of accepted bytes.
  /// - Throws: the error, its place and the remedy.
  public init(decoding bytes: UnsafeRawBufferPointer, limit: Int = Limits.clientMessageBytes) throws(WireError) {
    self = try Self.read(bytes, limit: limit).envelope
  }

  /// Decodes a message in the same way, and returns the range of the commit in its bytes: `nil` if the message holds no
  /// commit, or encodes it in an unusual way.
  package static func read(
    _ bytes: UnsafeRawBufferPointer, limit: Int
  ) throws(WireError) -> (envelope: Envelope, commit: Range<Int>?) {
    if bytes.count <= limit, let found = try? FastPath.envelope(in: bytes, limit: limit) { return found }
    return (try Envelope(decodingByGeneratedCode: bytes, limit: limit), nil)
  }

  /// Whether these bytes look like an update without events, whose values are decoded ten times as fast as anything
  /// else. The cost is one pass over the fields of the envelope and of the update.
  public static func holdsNothingButValues(_ bytes: UnsafeRawBufferPointer) -> Bool {
    (try? FastPath.looksLikeValues(bytes)) ?? false
  }

  /// Decodes a message without the fast path for any kind of message.
  package init(decodingByGeneratedCode bytes: UnsafeRawBufferPointer, limit: Int) throws(WireError) {
    guard bytes.count <= limit else {
      throw WireError(.tooLarge, "\(bytes.count) bytes are more than \(limit)", remedy: "Send less in one message")
    }
    // A version that is not supported may have other messages, so report the version before any other error.
    let version = try EnvelopeHeader(decoding: bytes).protocolVersion
    try ProtocolVersion.check(version, isSpoken: ProtocolVersion.all)
    self = try MessageBytes.decode(ProtoEnvelope.self, .envelope, bytes, limit: limit)
  }

  /// Decodes a message from an array of bytes, which may be any bytes at all.
  public init(decoding bytes: [UInt8], limit: Int = Limits.clientMessageBytes) throws(WireError) {
    self = try bytes.span.bytes.withUnsafeBytes { buffer throws(WireError) in
      try Envelope(decoding: buffer, limit: limit)
    }
  }
}

extension ProtocolVersion {
  /// Every version that a message may have, of the handshake or of the other messages.
  static let all = min(handshake.lowerBound, messages.lowerBound)...max(handshake.upperBound, messages.upperBound)

  /// Checks that a message has a version that is supported here.
  static func check(_ version: UInt64, isSpoken versions: ClosedRange<Int>) throws(WireError) {
    guard version != 0 else { throw .missing("protocol") }
    guard version <= UInt64(versions.upperBound), version >= UInt64(versions.lowerBound) else {
      throw WireError(
        .version, field: "protocol",
        "the message is of version \(version) (\(version) to \(version)), and versions \(versions.lowerBound) to "
          + "\(versions.upperBound) are supported here",
        remedy: "Use the version that the handshake agreed on")
    }
  }
}
