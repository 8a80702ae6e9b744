/// Finds the messages of a file by their log time, without reading the others.
///
/// The index is that of the file's summary. If the file has none, because its writer was interrupted, or has a damaged
/// one, the whole file is read once. Messages outside of chunks are not found. The caller reads the file: this asks for
/// ranges of bytes.
public struct MCAPIndex: Sendable {
  /// The place where the index comes from.
  public enum Origin: Hashable, Sendable {
    /// The summary of the file.
    case summary
    /// The file was read as a whole. It ends in this way, or cannot be read from the place of the error on.
    case scan(MCAPReader.End, MCAPError?)
  }

  /// Reads a range of the file's bytes. Fewer bytes mean that the file ends there.
  public typealias Read = (Range<UInt64>) throws -> [UInt8]

  /// The place where the index comes from.
  public private(set) var origin = Origin.summary
  /// The header.
  public private(set) var header = MCAPHeader(profile: "", library: "")
  /// The schemas by their numbers.
  public var schemas: [UInt16: MCAPSchema] { definitions.schemas }
  /// The channels by their numbers.
  public var channels: [UInt16: MCAPChannel] { definitions.channels }
  /// The chunks, in the order of their beginnings in time.
  public private(set) var chunks: [MCAPChunk] = []
  /// The numbers of records; `nil` if the file does not state them.
  public private(set) var statistics: MCAPStatistics?

  private var definitions = MCAPDefinitions()
  private let recordBytes: Int

  /// The bytes that are read at a time when the whole file is read.
  static let piece: UInt64 = 1 << 20
  /// The bytes in which a header is found.
  private static let headerBytes: UInt64 = 1 << 16

  /// Reads the index of a file of `size` bytes.
  ///
  /// - Throws: ``MCAPError`` when it is not a file in the format MCAP, and the errors of `read`.
  public init(size: UInt64, recordBytes: Int = MCAPReader.recordBytes, read: Read) throws {
    self.recordBytes = recordBytes
    var reader = MCAPReader(recordBytes: recordBytes)
    reader.append(try read(0..<min(size, Self.headerBytes)))
    if case .header(let header) = try reader.next() {
      self.header = header
      if try readSummary(size, read) { return }
    }
    try scan(size, read)
  }

  /// The index of a file's summary; `nil` if it has none that can be used. Nothing else is read than the summary and the
  /// beginning of the file.
  public static func summary(
    of size: UInt64, recordBytes: Int = MCAPReader.recordBytes, read: Read
  ) throws -> MCAPIndex? {
    var index = MCAPIndex(recordBytes: recordBytes)
    var reader = MCAPReader(recordBytes: recordBytes)
    reader.append(try read(0..<min(size, Self.headerBytes)))
    guard case .header(let header) = try reader.next() else { return nil }
    index.header = header
    return try index.readSummary(size, read) ? index : nil
  }

  private init(recordBytes: Int) { self.recordBytes = recordBytes }

  /// A reader whose first bytes are those of the chunk and of everything after it.
  public func reader(at chunk: MCAPChunk) -> MCAPReader {
    var reader = MCAPReader(recordBytes: recordBytes, at: chunk.offset, .data)
    reader.definitions = definitions
    return reader
  }

  /// The chunks that may have messages within these log times, in the order of their beginnings in time.
  public func chunks(from start: UInt64, through end: UInt64) -> [MCAPChunk] {
    chunks.filter { $0.startTime <= end && $0.endTime >= start }
  }

  /// The messages of a chunk, in the order of the file.
  ///
  /// - Throws: ``MCAPError`` when the chunk is damaged, and the errors of `read`.
  public func messages(in chunk: MCAPChunk, read: Read) throws -> [MCAPMessage] {
    // A chunk that a summary states may have any length.
    guard chunk.length <= UInt64(recordBytes + MCAPFormat.recordHead) else {
      throw MCAPError(.tooLarge, at: chunk.offset, "a chunk of \(chunk.length) bytes is larger than \(recordBytes)")
    }
    var reader = reader(at: chunk)
    reader.append(try read(chunk.offset..<chunk.offset + chunk.length))
    reader.finish()
    var messages: [MCAPMessage] = []
    while true {
      switch try reader.next() {
      case .message(let message): messages.append(message)
      case .end, .needsBytes: return messages
      default: continue
      }
    }
  }

  /// - Returns: whether there is a summary with chunks that lie in the file.
  private mutating func readSummary(_ size: UInt64, _ read: Read) throws -> Bool {
    let tail = UInt64(MCAPFormat.recordHead + MCAPFormat.footer + MCAPFormat.magic.count)
    guard size >= tail else { return false }
    let end = try read(size - tail..<size)
    guard let footer = Self.footer(end), footer.summaryStart > 0, footer.summaryStart < size - tail,
      size - footer.summaryStart <= UInt64(recordBytes)
    else { return false }
    let summary = try read(footer.summaryStart..<size - tail)
    var checksum = CRC32(summary.span.bytes)
    checksum.add(end.span.bytes.extracting(first: MCAPFormat.recordHead + MCAPFormat.footer - 4))
    guard footer.checksum == 0 || footer.checksum == checksum.value else { return false }
    guard let found = try? Summary(summary, at: footer.summaryStart),
      found.chunks.allSatisfy({ $0.offset < footer.summaryStart && $0.length <= footer.summaryStart - $0.offset })
    else { return false }
    // Without an index of chunks the messages are found only by reading all.
    guard !found.chunks.isEmpty || found.statistics?.messages == 0 else { return false }
    (definitions, statistics) = (found.definitions, found.statistics)
    chunks = Self.sorted(found.chunks)
    return true
  }

  /// The footer, if these bytes are a footer and the magic bytes.
  private static func footer(_ bytes: [UInt8]) -> MCAPFooter? {
    guard bytes.first == MCAPOpcode.footer.rawValue, bytes.suffix(MCAPFormat.magic.count) == MCAPFormat.magic[...]
    else { return nil }
    return bytes.withUnsafeBytes { bytes in
      var reader = FieldReader(bytes)
      _ = try? reader.number(UInt8.self)
      guard (try? reader.number(UInt64.self)) == UInt64(MCAPFormat.footer) else { return nil }
      return try? MCAPFooter(from: &reader)
    }
  }

  /// Reads the whole file.
  private mutating func scan(_ size: UInt64, _ read: Read) throws {
    var reader = MCAPReader(recordBytes: recordBytes)
    var found: [MCAPChunk] = []
    var position: UInt64 = 0
    var channels: Set<UInt16> = []
    func close() {
      if !found.isEmpty { found[found.count - 1].channels = channels.sorted() }
      channels = []
    }
    do {
      loop: while true {
        switch try reader.next() {
        case .header(let header): self.header = header
        case .chunk(let chunk):
          close()
          found.append(chunk)
        case .message(let message): channels.insert(message.channel)
        case .statistics(let statistics): self.statistics = statistics
        case .end(let end):
          origin = .scan(end, nil)
          break loop
        case .needsBytes:
          let bytes = position < size ? try read(position..<min(size, position + Self.piece)) : []
          position += UInt64(bytes.count)
          if bytes.isEmpty { reader.finish() } else { reader.append(bytes) }
        case .schema, .channel, .metadata: continue
        }
      }
    } catch let error as MCAPError {
      // A file without a header has nothing to read.
      if reader.phase == .magic || reader.phase == .header { throw error }
      origin = .scan(.truncated(offset: error.offset, bytes: size - min(size, error.offset)), error)
    }
    close()
    definitions = reader.definitions
    chunks = Self.sorted(found)
  }

  private static func sorted(_ chunks: [MCAPChunk]) -> [MCAPChunk] {
    chunks.sorted { ($0.startTime, $0.offset) < ($1.startTime, $1.offset) }
  }
}

/// The records of a summary.
private struct Summary {
  var definitions = MCAPDefinitions()
  var chunks: [MCAPChunk] = []
  var statistics: MCAPStatistics?

  init(_ bytes: [UInt8], at offset: UInt64) throws {
    try bytes.withUnsafeBytes { bytes in
      var reader = FieldReader(bytes)
      while reader.count > 0 {
        let code: UInt8 = try reader.number()
        let length: UInt64 = try reader.number()
        var content = FieldReader(try reader.bytes(length))
        switch MCAPOpcode(rawValue: code) {
        case .schema: _ = try definitions.add(MCAPSchema(from: &content), at: offset)
        case .channel: _ = try definitions.add(MCAPChannel(from: &content), at: offset)
        case .chunkIndex: chunks.append(try MCAPChunk(index: &content))
        case .statistics: statistics = try MCAPStatistics(from: &content)
        default: break
        }
      }
    }
  }
}
