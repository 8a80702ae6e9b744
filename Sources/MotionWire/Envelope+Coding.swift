public import MotionModel

extension Envelope {
  /// The message as bytes.
  ///
  /// - Precondition: the message has less than 2 GiB, which is all that protobuf can say.
  ///
  /// Values of a frame take a shorter way from the runtime to the socket: ``ValuesMessage``.
  public func encoded() -> [UInt8] { encoded(behind: []) }

  /// The message as bytes, behind these others.
  func encoded(behind prefix: [UInt8]) -> [UInt8] {
    if let bytes = QuickCoding.bytes(of: self, behind: prefix) { return bytes }
    let bytes = encodedByGeneratedCode()
    return prefix.isEmpty ? bytes : prefix + bytes
  }

  /// The message as bytes, with no short cut for any kind.
  package func encodedByGeneratedCode() -> [UInt8] { MessageBytes.encode(ProtoEnvelope(self)) }

  /// How many elements all lists of a message may have where so many bytes are accepted.
  public static func mostElements(of limit: Int) -> Int { Census.mostElements(of: limit) }

  /// Reads a message from bytes, which may be any bytes at all.
  ///
  /// What it gives follows every rule of motion.proto: names are legal, numbers finite, arrays fit together, nothing
  /// exceeds its limit. What it takes: time linear in the bytes, and memory of less than 5 times `limit`.
  ///
  /// - Parameters:
  ///   - bytes: the whole message.
  ///   - limit: how many bytes are accepted at most.
  /// - Throws: what is wrong, where, and what would be right.
  public init(decoding bytes: UnsafeRawBufferPointer, limit: Int = Limits.clientMessageBytes) throws(WireError) {
    self = try Self.read(bytes, limit: limit).envelope
  }

  /// Reads a message, likewise, and says where in its bytes the commit lies: `nil` if it holds none, or says it in an unusual
  /// way.
  package static func read(
    _ bytes: UnsafeRawBufferPointer, limit: Int
  ) throws(WireError) -> (envelope: Envelope, commit: Range<Int>?) {
    if bytes.count <= limit {
      if let (envelope, commit) = CommitReader.read(bytes, limit: limit) { return (envelope, commit) }
      if let envelope = try? QuickCoding.envelope(in: bytes) { return (envelope, nil) }
    }
    return (try Envelope(decodingByGeneratedCode: bytes, limit: limit), nil)
  }

  /// Whether these bytes look like an update without events, whose values are read ten times as fast as anything else.
  /// Costs a look at the outermost fields.
  public static func holdsNothingButValues(_ bytes: UnsafeRawBufferPointer) -> Bool {
    (try? QuickCoding.looksLikeValues(bytes)) ?? false
  }

  /// Reads a message from bytes with no short cut for any kind.
  package init(decodingByGeneratedCode bytes: UnsafeRawBufferPointer, limit: Int) throws(WireError) {
    guard bytes.count <= limit else {
      throw WireError(.tooLarge, "\(bytes.count) bytes are more than \(limit)", remedy: "Send less in one message")
    }
    // A version that is not known may have other messages: say so before anything else looks wrong.
    let version = try EnvelopeHeader(decoding: bytes).protocolVersion
    try ProtocolVersion.check(version, isSpoken: ProtocolVersion.all)
    self = try MessageBytes.decode(ProtoEnvelope.self, .envelope, bytes, limit: limit)
  }

  /// Reads a message from an array of bytes, which may be any bytes at all.
  public init(decoding bytes: [UInt8], limit: Int = Limits.clientMessageBytes) throws(WireError) {
    self = try bytes.span.bytes.withUnsafeBytes { buffer throws(WireError) in
      try Envelope(decoding: buffer, limit: limit)
    }
  }
}

extension ProtocolVersion {
  /// Every version that a message may be of, be it of the handshake or of the rest.
  static let all = min(handshake.lowerBound, messages.lowerBound)...max(handshake.upperBound, messages.upperBound)

  /// Checks that a message is of a version that is spoken here.
  static func check(_ version: UInt64, isSpoken versions: ClosedRange<Int>) throws(WireError) {
    guard version != 0 else { throw .missing("protocol") }
    guard version <= UInt64(versions.upperBound), version >= UInt64(versions.lowerBound) else {
      throw WireError(
        .version, field: "protocol",
        "the message is of version \(version) (\(version) to \(version)), and versions \(versions.lowerBound) to "
          + "\(versions.upperBound) are spoken here",
        remedy: "Use the version that the handshake agreed on")
    }
  }
}
