/// Decodes a file in the format MCAP in pieces: bytes in, records out.
///
/// The caller passes bytes to ``append(_:)``, and calls ``next()`` until it needs more bytes. When there are none, it
/// calls ``finish()`` and then ``next()`` until the end: of a chunk that is cut off, the whole messages follow. Messages
/// of a whole chunk are returned only after its checksum was verified. Records that the reader does not know are
/// skipped. The reader keeps the bytes that it has not decoded yet, which are one record or chunk of at most
/// ``recordBytes`` and one piece. Source: mcap.dev/spec.
public struct MCAPReader: Sendable {
  /// The next part of a file.
  public enum Step: Hashable, Sendable {
    /// The first record; always the first step.
    case header(MCAPHeader)
    /// A type of messages, once for each.
    case schema(MCAPSchema)
    /// A channel, once for each, before its messages.
    case channel(MCAPChannel)
    /// The beginning of a chunk, whose messages follow.
    case chunk(MCAPChunk)
    /// A message.
    case message(MCAPMessage)
    /// Named texts about the file.
    case metadata(MCAPMetadata)
    /// The numbers of records, from the summary.
    case statistics(MCAPStatistics)
    /// The reader needs more bytes: append them, or finish.
    case needsBytes
    /// The file ends here; repeated by further calls.
    case end(End)
  }

  /// The place at which a file ends.
  public enum End: Hashable, Sendable {
    /// After its last bytes, as the writer meant it.
    case complete
    /// Before that: the writer was interrupted. Everything decoded before is valid.
    ///
    /// - Parameters:
    ///   - offset: the offset of the end of the last whole record.
    ///   - bytes: the number of bytes after it, which belong to a record that is cut off.
    case truncated(offset: UInt64, bytes: UInt64)
  }

  /// A maximum size of records that suits most files, in bytes.
  public static let recordBytes = 256 << 20
  /// The maximum of the bytes of all schemas and channels, which the reader keeps.
  static let definitionBytes = 64 << 20

  enum Phase: Equatable, Sendable {
    case magic
    case header
    /// Up to DataEnd.
    case data
    /// In the records of a chunk that end at this offset; this number of bytes that are not records follows in it.
    case chunk(end: UInt64, rest: UInt64)
    /// Between DataEnd and the footer; the summary begins at this offset.
    case summary(start: UInt64)
    /// The footer has been read.
    case lastMagic
    case end(End)
  }

  let recordBytes: Int
  /// Whether it reads from the beginning of the file on, so that it can verify the checksum of all data.
  let isWhole: Bool
  var phase: Phase
  /// The bytes that were appended, from this offset in the file; those before `start` are decoded.
  private(set) var bytes: [UInt8] = []
  private(set) var start = 0
  /// The offset in the file of `bytes[start]`.
  private(set) var offset: UInt64
  /// The offset of the record that is being read.
  var recordOffset: UInt64
  /// The number of bytes still to be skipped of a record that is not needed.
  private var skipped: UInt64 = 0
  private(set) var isFinished = false
  /// The checksum of the data up to `offset`, then of the summary.
  var checksum = CRC32()
  var definitions = MCAPDefinitions()

  /// Creates a reader at the beginning of a file, for records of at most this size in bytes.
  public init(recordBytes: Int = Self.recordBytes) { self.init(recordBytes: recordBytes, at: 0, .magic) }

  /// Creates a reader in the middle of a file.
  init(recordBytes: Int, at offset: UInt64, _ phase: Phase) {
    (self.recordBytes, self.phase, isWhole) = (recordBytes, phase, phase == .magic)
    (self.offset, recordOffset) = (offset, offset)
  }

  /// Appends the next bytes of the file. Amortised linear in them.
  public mutating func append(_ more: some Collection<UInt8>) {
    bytes.removeFirst(start)
    start = 0
    bytes.append(contentsOf: more)
  }

  /// States that no more bytes come.
  public mutating func finish() { isFinished = true }

  /// The next part of the file, if all its bytes are present.
  ///
  /// - Throws: when they violate the format or exceed a limit. The bytes after an error cannot be decoded.
  public mutating func next() throws(MCAPError) -> Step {
    while true {
      if case .end(let end) = phase {
        guard count == 0 else { throw MCAPError(.malformed, at: offset, "bytes follow the end of the file") }
        return .end(end)
      }
      guard skip() else { return needsBytes() }
      recordOffset = offset
      let step: Step? =
        switch phase {
        case .magic, .lastMagic: try readMagic()
        case .chunk(offset, let rest): leaveChunk(rest)
        default: try readRecord()
        }
      if let step { return step }
    }
  }

  /// The number of bytes that are present and not consumed.
  var count: Int { bytes.count - start }
  /// The number of bytes that were appended and not decoded yet.
  public var waitingBytes: Int { count }

  /// Waits for more bytes; without any, the file is cut off here.
  mutating func needsBytes() -> Step {
    guard isFinished else { return .needsBytes }
    let end = End.truncated(offset: recordOffset, bytes: offset - recordOffset + UInt64(count))
    start = bytes.count
    phase = .end(end)
    return .end(end)
  }

  /// Consumes bytes that are present.
  mutating func consume(_ length: Int) {
    var checksum = checksum
    checksum.add(bytes.span.bytes.extracting(start..<start + length))
    self.checksum = checksum
    start += length
    offset += UInt64(length)
  }

  /// Skips bytes of a record that is not needed.
  ///
  /// - Returns: whether all of them have been present.
  private mutating func skip() -> Bool {
    let present = min(skipped, UInt64(count))
    consume(Int(present))
    skipped -= present
    return skipped == 0
  }

  /// Skips a record.
  mutating func skip(_ record: Record) throws(MCAPError) {
    let (length, overflows) = record.length.addingReportingOverflow(UInt64(MCAPFormat.recordHead))
    guard !overflows, !offset.addingReportingOverflow(length).overflow else {
      throw MCAPError(.malformed, at: offset, "a record of \(record.length) bytes ends beyond any file")
    }
    skipped = length
  }

  private mutating func leaveChunk(_ rest: UInt64) -> Step? {
    skipped = rest
    phase = .data
    return nil
  }

  private mutating func readMagic() throws(MCAPError) -> Step? {
    let magic = MCAPFormat.magic
    let there = Array(bytes[start...].prefix(magic.count))
    let version = 5
    guard there.indices.allSatisfy({ $0 == version || there[$0] == magic[$0] }) else {
      guard phase == .magic else {
        throw MCAPError(.malformed, at: offset, "the footer is not followed by the magic bytes")
      }
      throw MCAPError(.notMCAP, at: offset, "the file is not in the format MCAP", remedy: "Give another file")
    }
    guard there.count == magic.count else { return needsBytes() }
    guard there[version] == magic[version] else {
      throw MCAPError(
        .version, at: offset,
        "the file is of version \(Int(there[version]) - 0x30) of MCAP, and version 0 is read here",
        remedy: "Read it with a newer version of this program")
    }
    consume(magic.count)
    phase = phase == .magic ? .header : .end(.complete)
    return nil
  }
}
