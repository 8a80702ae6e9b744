/// The fields of an envelope that identify its sender and the message, decoded without the body.
///
/// It serves decisions that come before decoding: whether a message comes from an old epoch or incarnation, and which
/// request a refusal answers when the rest cannot be decoded. Its cost is bounded for any bytes, since it reads 56
/// fields at most and skips the body; it allocates nothing.
public struct EnvelopeHeader: Hashable, Sendable {
  /// The version of the message; 0 if it is absent.
  public private(set) var protocolVersion: UInt64 = 0
  /// The start of the coordinator that the message belongs to.
  public private(set) var epoch: UInt64 = 0
  /// The start of the sender.
  public private(set) var incarnation: UInt64 = 0
  /// The number of the message.
  public private(set) var sequence: UInt64 = 0
  /// For a reply, the sequence of the request.
  public private(set) var replyTo: UInt64 = 0
  /// The time of sending on the boot clock, in nanoseconds.
  public private(set) var sent: UInt64 = 0

  /// The maximum number of fields of an envelope: seven times the eight of today, for fields that later versions may
  /// add. A message of 64 MiB has room for 33 million empty ones, and iterating over those would cost its reader
  /// frames.
  static let mostFields = 56

  /// Reads the header of the message in `bytes`, which may be any bytes at all.
  ///
  /// - Throws: when they are not a sequence of protobuf fields, or have more fields than an envelope may have. Success
  ///   does not mean that the body is valid.
  public init(decoding bytes: UnsafeRawBufferPointer) throws(WireError) {
    var scanner = WireScanner(bytes)
    var fields = 0
    while let (number, value) = try scanner.next() {
      fields += 1
      guard fields <= Self.mostFields else { throw .limit("", fields, atMost: Self.mostFields, of: "fields") }
      _ = note(number, value)
    }
  }

  /// A header without any field.
  init() {}

  /// Records a field of an envelope; `false` if it is not one of the header.
  mutating func note(_ number: UInt64, _ value: WireScanner.Value) -> Bool {
    switch (number, value) {
    case (1, .varint(let version)): protocolVersion = version
    case (2, .varint(let epoch)): self.epoch = epoch
    case (3, .fixed64(let incarnation)): self.incarnation = incarnation
    case (4, .varint(let sequence)): self.sequence = sequence
    case (5, .varint(let replyTo)): self.replyTo = replyTo
    case (6, .fixed64(let sent)): self.sent = sent
    default: return false
    }
    return true
  }

  /// Reads the header of the message in an array of bytes.
  public init(decoding bytes: [UInt8]) throws(WireError) {
    self = try bytes.span.bytes.withUnsafeBytes { buffer throws(WireError) in try EnvelopeHeader(decoding: buffer) }
  }
}
