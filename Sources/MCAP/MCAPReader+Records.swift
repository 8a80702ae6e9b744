extension MCAPReader {
  /// The head of a record whose bytes begin at `start`.
  struct Record {
    let code: UInt8
    /// The length of the content.
    let length: UInt64

    var opcode: MCAPOpcode? { MCAPOpcode(rawValue: code) }
  }

  /// The head of a chunk.
  private struct ChunkHead {
    let startTime: UInt64
    let endTime: UInt64
    let uncompressedSize: UInt64
    let checksum: UInt32
    let compression: String
    /// The size of the records.
    let size: UInt64
    /// The number of bytes before the records.
    let bytes: Int

    init(from reader: inout FieldReader) throws(FieldReader.Fault) {
      startTime = try reader.number()
      endTime = try reader.number()
      uncompressedSize = try reader.number()
      checksum = try reader.number()
      compression = try reader.text()
      size = try reader.number()
      bytes = reader.position
    }
  }

  mutating func readRecord() throws(MCAPError) -> Step? {
    guard count >= MCAPFormat.recordHead else { return needsBytes() }
    let record = try read(MCAPFormat.recordHead) { reader throws(FieldReader.Fault) in
      Record(code: try reader.number(), length: try reader.number())
    }
    try check(record)
    guard needs(record) else {
      try skip(record)
      return nil
    }
    guard record.length <= UInt64(recordBytes) else {
      throw MCAPError(.tooLarge, at: offset, "a record of \(record.length) bytes is larger than \(recordBytes)")
    }
    let length = MCAPFormat.recordHead + Int(record.length)
    if record.opcode == .chunk { return try enterChunk(length) }
    guard count >= length else { return needsBytes() }
    if record.opcode == .footer { return try readFooter(length) }
    let step = try content(length, record.opcode)
    consume(length)
    if record.opcode == .dataEnd {
      checksum = CRC32()
      phase = .summary(start: offset)
    }
    return step
  }

  /// Checks that a record may be here.
  private func check(_ record: Record) throws(MCAPError) {
    if case .chunk(let end, _) = phase {
      let head = UInt64(MCAPFormat.recordHead)
      guard end - offset >= head, record.length <= end - offset - head else {
        throw MCAPError(.malformed, at: offset, "a record in a chunk ends beyond the chunk")
      }
    }
    guard record.code != 0 else { throw MCAPError(.malformed, at: offset, "a record has the opcode 0") }
    guard phase != .header || record.opcode == .header else {
      throw MCAPError(.malformed, at: offset, "the first record is not a header")
    }
  }

  /// Whether the content of a record is decoded, and not skipped.
  private func needs(_ record: Record) -> Bool {
    switch (phase, record.opcode) {
    case (.header, _): true
    case (.summary, .footer), (.summary, .statistics): true
    case (.data, .schema), (.data, .channel), (.data, .message), (.data, .metadata): true
    case (.data, .chunk), (.data, .dataEnd), (.data, .footer): true
    case (.chunk, .schema), (.chunk, .channel), (.chunk, .message): true
    default: false
    }
  }

  /// Decodes fields of the first bytes that are present.
  private func read<Result>(
    _ length: Int, from first: Int = 0, of kind: MCAPOpcode? = nil,
    _ fields: (inout FieldReader) throws(FieldReader.Fault) -> Result
  ) throws(MCAPError) -> Result {
    do {
      return try bytes.span.bytes.withUnsafeBytes { buffer throws(FieldReader.Fault) in
        var reader = FieldReader(UnsafeRawBufferPointer(rebasing: buffer[start + first..<start + length]))
        return try fields(&reader)
      }
    } catch {
      let record = kind.map { "a record of kind \($0)" } ?? "a record"
      throw MCAPError(.malformed, at: offset, "\(record) is damaged: \(error.reason)")
    }
  }

  /// Decodes a record of this length with its head.
  private mutating func content(_ length: Int, _ opcode: MCAPOpcode?) throws(MCAPError) -> Step? {
    let head = MCAPFormat.recordHead
    switch opcode {
    case .header:
      let header = try read(length, from: head, of: opcode, MCAPHeader.init(from:))
      phase = .data
      return .header(header)
    case .schema:
      let schema = try read(length, from: head, of: opcode, MCAPSchema.init(from:))
      return try definitions.add(schema, at: offset) ? .schema(schema) : nil
    case .channel:
      let channel = try read(length, from: head, of: opcode, MCAPChannel.init(from:))
      return try definitions.add(channel, at: offset) ? .channel(channel) : nil
    case .message:
      let message = try read(length, from: head, of: opcode, MCAPMessage.init(from:))
      guard definitions.channels[message.channel] != nil else {
        throw MCAPError(.malformed, at: offset, "a message is on the channel \(message.channel), which is not defined")
      }
      return .message(message)
    case .metadata:
      return .metadata(try read(length, from: head, of: opcode, MCAPMetadata.init(from:)))
    case .statistics:
      return .statistics(try read(length, from: head, of: opcode, MCAPStatistics.init(from:)))
    case .dataEnd:
      let written = try read(length, from: head, of: opcode) { reader throws(FieldReader.Fault) in
        try reader.number(UInt32.self)
      }
      guard !isWhole || written == 0 || written == checksum.value else {
        throw MCAPError(
          .checksum, at: offset, "the data before here differs from its checksum",
          remedy: "Outside of chunks something was altered: use an undamaged copy")
      }
      return nil
    default: return nil
    }
  }

  private mutating func readFooter(_ length: Int) throws(MCAPError) -> Step? {
    let head = MCAPFormat.recordHead
    let footer = try read(length, from: head, of: .footer, MCAPFooter.init(from:))
    // The checksum begins with the summary, which ends the data. Without a DataEnd it is not known where that is.
    if case .summary(let start) = phase, footer.checksum != 0, [0, start].contains(footer.summaryStart) {
      var sum = checksum
      sum.add(bytes.span.bytes.extracting(self.start..<self.start + head + MCAPFormat.footer - 4))
      guard sum.value == footer.checksum else {
        throw MCAPError(
          .checksum, at: offset, "the summary differs from its checksum",
          remedy: "All messages are intact, and the index after them is damaged: use an undamaged copy")
      }
    }
    consume(length)
    phase = .lastMagic
    return nil
  }

  /// Reads the head of a chunk, of this length with the head of its record, once it is whole or the file is cut off.
  private mutating func enterChunk(_ length: Int) throws(MCAPError) -> Step {
    let isWhole = count >= length
    // A chunk that is cut off in its head has no messages.
    guard isWhole || isFinished && count >= MCAPFormat.recordHead + MCAPFormat.chunkHead else { return needsBytes() }
    let chunk = try read(min(count, length), from: MCAPFormat.recordHead, of: .chunk, ChunkHead.init(from:))
    guard chunk.compression.isEmpty else {
      throw MCAPError(
        .compressed, at: offset, "a chunk is compressed with \(chunk.compression), which is not supported",
        remedy: "Decompress the file: mcap decompress IN.mcap --output OUT.mcap")
    }
    let first = MCAPFormat.recordHead + chunk.bytes
    guard chunk.uncompressedSize == chunk.size, chunk.size <= UInt64(length - first) else {
      throw MCAPError(.malformed, at: offset, "the records of a chunk have \(chunk.size) bytes, which cannot be")
    }
    if isWhole, chunk.checksum != 0 {
      let records = bytes.span.bytes.extracting(start + first..<start + first + Int(chunk.size))
      guard CRC32(records).value == chunk.checksum else {
        throw MCAPError(.checksum, at: offset, "the content of a chunk differs from its checksum")
      }
    }
    let step = MCAPChunk(
      startTime: chunk.startTime, endTime: chunk.endTime, offset: offset, length: UInt64(min(count, length)),
      isWhole: isWhole)
    consume(first)
    phase = .chunk(end: offset + chunk.size, rest: UInt64(length - first) - chunk.size)
    return .chunk(step)
  }
}

/// The schemas and channels of a file.
struct MCAPDefinitions: Sendable {
  private(set) var schemas: [UInt16: MCAPSchema] = [:]
  private(set) var channels: [UInt16: MCAPChannel] = [:]
  private var bytes = 0

  /// - Returns: whether the schema is new and valid.
  mutating func add(_ schema: MCAPSchema, at offset: UInt64) throws(MCAPError) -> Bool {
    guard schema.id != 0 else { return false }
    if let known = schemas[schema.id] {
      guard known == schema else {
        throw MCAPError(.malformed, at: offset, "the schema \(schema.id) is defined twice, differently")
      }
      return false
    }
    try count(schema.name.utf8.count + schema.encoding.utf8.count + schema.data.count, at: offset)
    schemas[schema.id] = schema
    return true
  }

  /// - Returns: whether the channel is new.
  mutating func add(_ channel: MCAPChannel, at offset: UInt64) throws(MCAPError) -> Bool {
    if let known = channels[channel.id] {
      guard known == channel else {
        throw MCAPError(.malformed, at: offset, "the channel \(channel.id) is defined twice, differently")
      }
      return false
    }
    guard channel.schema == 0 || schemas[channel.schema] != nil else {
      throw MCAPError(
        .malformed, at: offset, "the channel \(channel.id) has the schema \(channel.schema), which is not defined")
    }
    let metadata = channel.metadata.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    try count(channel.topic.utf8.count + channel.messageEncoding.utf8.count + metadata, at: offset)
    channels[channel.id] = channel
    return true
  }

  private mutating func count(_ more: Int, at offset: UInt64) throws(MCAPError) {
    bytes += more
    guard bytes <= MCAPReader.definitionBytes else {
      throw MCAPError(
        .tooLarge, at: offset, "schemas and channels have more than \(MCAPReader.definitionBytes) bytes")
    }
  }
}

/// The last record of a file.
struct MCAPFooter {
  /// The offset of the summary; 0 if there is none.
  let summaryStart: UInt64
  let checksum: UInt32

  init(from reader: inout FieldReader) throws(FieldReader.Fault) {
    summaryStart = try reader.number()
    _ = try reader.number(UInt64.self)
    checksum = try reader.number()
  }
}
