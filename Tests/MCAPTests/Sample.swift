import MotionTestKit

@testable import MCAP

/// A file with two channels, made by the writer, and the messages in it.
struct Sample {
  var bytes: [UInt8] = []
  var messages: [MCAPMessage] = []

  static let header = MCAPHeader(profile: "a profile", library: "a library")
  static let metadata = MCAPMetadata(name: "about", values: ["who": "ä", "empty": ""])
  static let schema = MCAPSchema(id: 1, name: "pose", encoding: "x", data: [1, 2, 3])
  static let channels = [
    MCAPChannel(id: 0, schema: 1, topic: "a", messageEncoding: "x", metadata: ["unit": "m"]),
    MCAPChannel(id: 1, schema: 0, topic: "b", messageEncoding: "", metadata: [:]),
  ]

  /// A file with these numbers of bytes in its messages, a millisecond apart.
  init(_ sizes: [Int], chunkBytes: Int = 200, flushEach: Int = .max) {
    var writer = MCAPWriter(Self.header, chunkBytes: chunkBytes)
    writer.addMetadata(Self.metadata)
    let schema = writer.addSchema(name: "pose", encoding: "x", data: [1, 2, 3])
    let first = writer.addChannel(topic: "a", messageEncoding: "x", schema: schema ?? 0, metadata: ["unit": "m"])
    var second: UInt16?
    bytes = writer.take()
    for (index, size) in sizes.enumerated() {
      // The second channel comes when the first has messages.
      if index == 3 { second = writer.addChannel(topic: "b", messageEncoding: "", schema: 0) }
      let message = MCAPMessage(
        channel: (index % 3 == 0 ? second : first) ?? 0, sequence: UInt32(index),
        logTime: 5_000_000 + UInt64(index) * 1_000_000, publishTime: UInt64(index),
        data: (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ index) })
      messages.append(message)
      writer.add(message)
      if index % flushEach == flushEach - 1 { writer.flush() }
      bytes += writer.take()
    }
    writer.finish()
    bytes += writer.take()
  }

  /// A file of random sizes.
  static func random(_ random: inout SeededRandom) -> Sample {
    let sizes = (0..<Int.random(in: 0...40, using: &random)).map { _ in Int.random(in: 0...60, using: &random) }
    return Sample(
      sizes, chunkBytes: Int.random(in: 1...500, using: &random), flushEach: Int.random(in: 1...20, using: &random))
  }
}

extension MCAPWriter {
  mutating func add(_ message: MCAPMessage) {
    addMessage(
      channel: message.channel, sequence: message.sequence, logTime: message.logTime,
      publishTime: message.publishTime, data: message.data.span.bytes)
  }
}

/// The result of reading a file.
struct Reading {
  var steps: [MCAPReader.Step] = []
  /// The offset after each step.
  var offsets: [UInt64] = []
  var end: MCAPReader.End?
  var error: MCAPError?

  /// Reads these pieces, and nothing after them.
  init(_ pieces: [[UInt8]], recordBytes: Int = MCAPReader.recordBytes) {
    var reader = MCAPReader(recordBytes: recordBytes)
    do {
      for piece in pieces {
        reader.append(piece)
        try take(&reader)
      }
      reader.finish()
      try take(&reader)
    } catch {
      self.error = error
    }
  }

  private mutating func take(_ reader: inout MCAPReader) throws(MCAPError) {
    while true {
      switch try reader.next() {
      case .needsBytes: return
      case .end(let end):
        self.end = end
        return
      case let step:
        steps.append(step)
        offsets.append(reader.offset)
      }
    }
  }

  var messages: [MCAPMessage] {
    steps.compactMap { if case .message(let message) = $0 { message } else { nil } }
  }
  var chunks: [MCAPChunk] { steps.compactMap { if case .chunk(let chunk) = $0 { chunk } else { nil } } }
}

/// A record with this content.
func record(_ opcode: UInt8, _ content: [UInt8], length: UInt64? = nil) -> [UInt8] {
  var bytes = [opcode]
  bytes.append(number: length ?? UInt64(content.count))
  return bytes + content
}
