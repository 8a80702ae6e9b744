/// Writes a file in the format MCAP: messages in, bytes out.
///
/// The caller takes the bytes by ``take()`` whenever it likes and appends them to a file or a pipe; nothing is written
/// here, and nothing that was taken changes later. Messages are collected in a chunk, which is closed when it has
/// ``chunkBytes``, and by ``flush()``: a file that ends after a chunk is readable up to there. ``finish()`` adds the
/// index. Chunks are not compressed. Source: mcap.dev/spec.
///
/// The memory is that of one chunk, of the bytes not taken, of the schemas and channels, and for each closed chunk some
/// 100 bytes and ten for each channel in it.
public struct MCAPWriter: Sendable {
  /// A channel, and what its messages in the open chunk and in all chunks add up to.
  private struct Stream {
    let channel: MCAPChannel
    var messages: UInt64 = 0
    /// The encoded entries of the message index of the open chunk: log time and offset.
    var index: [UInt8] = []
  }

  /// The size at which a chunk is closed, in bytes.
  public let chunkBytes: Int

  private var output: [UInt8] = []
  /// The offset in the file of the first byte of ``output``.
  private var taken: UInt64 = 0
  /// The checksum of everything up to ``checked``, an index in ``output``.
  private var checksum = CRC32()
  private var checked = 0

  private var schemas: [MCAPSchema] = []
  private var streams: [Stream] = []
  private var statistics = MCAPStatistics()
  private var chunk = OpenChunk()
  /// The records of the summary that grow with the file.
  private var chunkIndexes: [UInt8] = []
  private var metadataIndexes: [UInt8] = []
  private var isFinished = false

  /// The records of the chunk that is being collected.
  private struct OpenChunk {
    var records: [UInt8] = []
    var startTime = UInt64.max
    var endTime: UInt64 = 0
    /// The indices of the channels with messages in it, in the order of their first.
    var channels: [Int] = []

    /// Empties the chunk and keeps its memory.
    mutating func clear() {
      records.removeAll(keepingCapacity: true)
      channels.removeAll(keepingCapacity: true)
      (startTime, endTime) = (.max, 0)
    }
  }

  /// Begins a file.
  public init(_ header: MCAPHeader, chunkBytes: Int = 1 << 20) {
    precondition(chunkBytes > 0, "chunks of \(chunkBytes) bytes")
    self.chunkBytes = chunkBytes
    output = MCAPFormat.magic
    output.append(record: .header) { bytes in
      bytes.append(text: header.profile)
      bytes.append(text: header.library)
    }
  }

  /// The bytes written since the last call, for the end of the file. Messages of the open chunk are not among them.
  public mutating func take() -> [UInt8] {
    check()
    taken += UInt64(output.count)
    checked = 0
    defer { output = [] }
    return output
  }

  /// The number of bytes that ``take()`` would return.
  public var waitingBytes: Int { output.count }
  /// The number of bytes of the open chunk's records.
  public var openBytes: Int { chunk.records.count }

  /// Adds a type of messages.
  ///
  /// - Returns: its number; `nil` if the file has 65,535 already.
  public mutating func addSchema(name: String, encoding: String, data: [UInt8]) -> UInt16? {
    guard let id = UInt16(exactly: schemas.count + 1) else { return nil }
    let schema = MCAPSchema(id: id, name: name, encoding: encoding, data: data)
    schema.write(to: &output)
    schemas.append(schema)
    return id
  }

  /// Adds a channel.
  ///
  /// - Parameter schema: the number of a schema of this file, or 0.
  /// - Returns: its number; `nil` if the file has 65,536 already.
  public mutating func addChannel(
    topic: String, messageEncoding: String, schema: UInt16, metadata: [String: String] = [:]
  ) -> UInt16? {
    precondition(schema <= schemas.count, "the channel \(topic) has the schema \(schema) of \(schemas.count)")
    guard let id = UInt16(exactly: streams.count) else { return nil }
    let channel = MCAPChannel(
      id: id, schema: schema, topic: topic, messageEncoding: messageEncoding, metadata: metadata)
    // Directly into the file, so that it is before the chunk that is open, and readable if that is damaged.
    channel.write(to: &output)
    streams.append(Stream(channel: channel))
    return id
  }

  /// Adds named texts about the file.
  public mutating func addMetadata(_ metadata: MCAPMetadata) {
    let offset = position
    metadata.write(to: &output)
    let length = position - offset
    metadataIndexes.append(record: .metadataIndex) { bytes in
      bytes.append(number: offset)
      bytes.append(number: length)
      bytes.append(text: metadata.name)
    }
    statistics.metadata += 1
  }

  /// Adds a message to the open chunk, and closes the chunk if it has ``chunkBytes`` then.
  ///
  /// - Parameters:
  ///   - channel: the number of a channel of this file.
  ///   - sequence: the number of the message in its channel; 0 if they are not numbered.
  ///   - logTime: the time at which the message was recorded, in nanoseconds. Readers look messages up by it.
  ///   - publishTime: the time at which it was published; `logTime` if that is not known.
  ///   - data: the content, in the encoding of the channel.
  public mutating func addMessage(
    channel: UInt16, sequence: UInt32 = 0, logTime: UInt64, publishTime: UInt64, data: RawSpan
  ) {
    precondition(!isFinished, "a message after the end of the file")
    let index = Int(channel)
    precondition(index < streams.count, "a message on the channel \(channel) of \(streams.count)")
    let offset = UInt64(chunk.records.count)
    chunk.records.append(MCAPOpcode.message.rawValue)
    chunk.records.append(number: UInt64(MCAPFormat.messageHead + data.byteCount))
    chunk.records.append(number: channel)
    chunk.records.append(number: sequence)
    chunk.records.append(number: logTime)
    chunk.records.append(number: publishTime)
    chunk.records.append(bytes: data)
    if streams[index].index.isEmpty { chunk.channels.append(index) }
    streams[index].index.append(number: logTime)
    streams[index].index.append(number: offset)
    streams[index].messages += 1
    chunk.startTime = min(chunk.startTime, logTime)
    chunk.endTime = max(chunk.endTime, logTime)
    if chunk.records.count >= chunkBytes { flush() }
  }

  /// Closes the open chunk, unless it is empty: its messages are among the next bytes taken.
  public mutating func flush() {
    guard !chunk.records.isEmpty else { return }
    let offset = position
    writeChunk()
    let end = position
    let offsets = writeMessageIndexes()
    let (bytes, indexBytes) = (UInt64(chunk.records.count), position - end)
    let (startTime, endTime) = (chunk.startTime, chunk.endTime)
    chunkIndexes.append(record: .chunkIndex) { record in
      record.append(number: startTime)
      record.append(number: endTime)
      record.append(number: offset)
      record.append(number: end - offset)
      record.append(number: UInt32(offsets.count))
      record.append(contentsOf: offsets)
      record.append(number: indexBytes)
      record.append(text: "")
      record.append(number: bytes)
      record.append(number: bytes)
    }
    statistics.startTime = statistics.chunks == 0 ? startTime : min(statistics.startTime, startTime)
    statistics.endTime = max(statistics.endTime, endTime)
    statistics.chunks += 1
    chunk.clear()
  }

  /// Closes the open chunk and writes the index and the end of the file. Nothing may be added after it.
  public mutating func finish() {
    precondition(!isFinished, "a second end of the file")
    flush()
    check()
    let dataChecksum = checksum.value
    output.append(record: .dataEnd) { $0.append(number: dataChecksum) }
    checked = output.count
    checksum = CRC32()
    writeSummary()
    isFinished = true
  }

  /// The offset in the file of the next byte.
  private var position: UInt64 { taken + UInt64(output.count) }

  /// Adds what was written since the last call to the checksum.
  private mutating func check() {
    var checksum = checksum
    checksum.add(output.span.bytes.extracting(droppingFirst: checked))
    (self.checksum, checked) = (checksum, output.count)
  }

  private mutating func writeChunk() {
    let length = chunk.records.count
    output.reserveCapacity(output.count + MCAPFormat.recordHead + MCAPFormat.chunkHead + length)
    output.append(MCAPOpcode.chunk.rawValue)
    output.append(number: UInt64(MCAPFormat.chunkHead + length))
    output.append(number: chunk.startTime)
    output.append(number: chunk.endTime)
    output.append(number: UInt64(length))
    output.append(number: CRC32(chunk.records.span.bytes).value)
    output.append(text: "")
    output.append(number: UInt64(length))
    output.append(contentsOf: chunk.records)
  }

  /// Writes the message indexes of the open chunk.
  ///
  /// - Returns: the encoded map from its channels to the offsets of their indexes.
  private mutating func writeMessageIndexes() -> [UInt8] {
    var offsets: [UInt8] = []
    for index in chunk.channels {
      let channel = UInt16(index)
      offsets.append(number: channel)
      offsets.append(number: position)
      output.append(MCAPOpcode.messageIndex.rawValue)
      output.append(number: UInt64(6 + streams[index].index.count))
      output.append(number: channel)
      output.append(number: UInt32(streams[index].index.count))
      output.append(contentsOf: streams[index].index)
      streams[index].index.removeAll(keepingCapacity: true)
    }
    return offsets
  }

  private mutating func writeSummary() {
    statistics.schemas = UInt16(schemas.count)
    statistics.channels = UInt32(streams.count)
    statistics.messages = streams.reduce(0) { $0 + $1.messages }
    for stream in streams where stream.messages > 0 {
      statistics.channelMessages[stream.channel.id] = stream.messages
    }
    let groups: [(opcode: MCAPOpcode, records: [UInt8])] = [
      (.schema, schemas.reduce(into: []) { $1.write(to: &$0) }),
      (.channel, streams.reduce(into: []) { $1.channel.write(to: &$0) }),
      (.statistics, [statistics].reduce(into: []) { $1.write(to: &$0) }),
      (.chunkIndex, chunkIndexes), (.metadataIndex, metadataIndexes),
    ]
    let start = position
    var offsets: [UInt8] = []
    for group in groups where !group.records.isEmpty {
      let place = position
      offsets.append(record: .summaryOffset) { bytes in
        bytes.append(group.opcode.rawValue)
        bytes.append(number: place)
        bytes.append(number: UInt64(group.records.count))
      }
      output += group.records
    }
    let offsetStart = position
    output += offsets
    output.append(MCAPOpcode.footer.rawValue)
    output.append(number: UInt64(MCAPFormat.footer))
    output.append(number: start)
    output.append(number: offsetStart)
    check()
    output.append(number: checksum.value)
    output += MCAPFormat.magic
    checked = output.count
  }
}
