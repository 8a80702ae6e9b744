/// The fields of an envelope that identify its sender and the message, decoded without the body.
///
/// It serves decisions that come before decoding: whether a message comes from an old epoch or incarnation, and which
/// request a refusal answers when the rest cannot be decoded. Its cost is bounded for any bytes, since it reads 56
/// fields at most and skips the body; it allocates nothing.
public struct EnvelopeHeader: Hashable, Sendable {
  /// The version of the message; 0 if it is absent.
  public fileprivate(set) var protocolVersion: UInt64 = 0
  /// The start of the coordinator that the message belongs to.
  public fileprivate(set) var epoch: UInt64 = 0
  /// The start of the sender.
  public fileprivate(set) var incarnation: UInt64 = 0
  /// The number of the message.
  public fileprivate(set) var sequence: UInt64 = 0
  /// For a reply, the sequence of the request.
  public fileprivate(set) var replyTo: UInt64 = 0
  /// The time of sending on the boot clock, in nanoseconds.
  public fileprivate(set) var sent: UInt64 = 0

  /// A header without any field.
  fileprivate init() {}

  /// Reads the header of the message in `bytes`, which may be any bytes at all.
  ///
  /// - Throws: when they are not a sequence of protobuf fields, or have more fields than an envelope may have. Success
  ///   does not mean that the body is valid.
  public init(decoding bytes: UnsafeRawBufferPointer) throws(WireError) {
    var (reader, fields) = (WireReader(bytes), EnvelopeFields())
    do {
      while let tag = try fields.next(in: &reader) { try reader.skip(tag) }
    } catch {
      throw error.error
    }
    self = fields.header
  }

  /// Reads the header of the message in an array of bytes.
  public init(decoding bytes: [UInt8]) throws(WireError) {
    self = try bytes.span.bytes.withUnsafeBytes { buffer throws(WireError) in try EnvelopeHeader(decoding: buffer) }
  }
}

/// Iterates over the fields of an envelope, and reads those of its header.
struct EnvelopeFields {
  /// The fields of the header so far.
  private(set) var header = EnvelopeHeader()
  private var count = 0

  /// The maximum number of fields of an envelope: seven times the eight of today, for fields that later versions may
  /// add. A message of 64 MiB has room for 33 million empty ones, and iterating over those would cost its reader
  /// frames.
  static let limit = 56

  /// The tag of the next field that is not one of the header, for the caller to read or skip; `nil` at the end.
  mutating func next(in reader: inout WireReader) throws(WireFault) -> UInt64? {
    while !reader.isAtEnd {
      count += 1
      guard count <= Self.limit else { throw .fields }
      let tag = try reader.tag()
      switch tag {
      case 1 << 3: header.protocolVersion = try reader.number()
      case 2 << 3: header.epoch = try reader.number()
      case 3 << 3 | 1: header.incarnation = try reader.fixed()
      case 4 << 3: header.sequence = try reader.number()
      case 5 << 3: header.replyTo = try reader.number()
      case 6 << 3 | 1: header.sent = try reader.fixed()
      default: return tag
      }
    }
    return nil
  }
}
