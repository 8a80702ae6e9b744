import MotionTestKit
import Testing

@testable import MCAP

struct MCAPIndexTests {
  /// Reads a file and counts the bytes that are read.
  private final class Disk {
    let bytes: [UInt8]
    var count = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func read(_ range: Range<UInt64>) -> [UInt8] {
      count += range.count
      return Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)])
    }

    func index() throws -> MCAPIndex { try MCAPIndex(size: UInt64(bytes.count), read: read) }
  }

  private let sample = Sample((0..<400).map { $0 % 50 }, chunkBytes: 1000)

  private func expectFound(_ index: MCAPIndex, _ disk: Disk, _ messages: [MCAPMessage]) throws {
    #expect(try index.chunks.flatMap { try index.messages(in: $0, read: disk.read) } == messages)
    let (start, end) = (messages[messages.count / 3].logTime, messages[messages.count / 2].logTime)
    let found = try index.chunks(from: start, through: end).flatMap { try index.messages(in: $0, read: disk.read) }
    #expect(found.filter { start...end ~= $0.logTime } == messages.filter { start...end ~= $0.logTime })
    #expect(found.count < messages.count)
  }

  @Test func `messages are found by time with the summary, and the rest is not read`() throws {
    let large = Sample(Array(repeating: 1000, count: 2000), chunkBytes: 20_000)
    let disk = Disk(large.bytes)
    let index = try disk.index()
    #expect(index.origin == .summary)
    #expect(index.header == Sample.header)
    #expect(index.schemas == [1: Sample.schema])
    #expect(index.channels == [0: Sample.channels[0], 1: Sample.channels[1]])
    #expect(index.statistics?.messages == 2000)
    let first = try #require(index.chunks(from: 0, through: large.messages[0].logTime).first)
    #expect(first.channels == [0, 1])
    #expect(try index.messages(in: first, read: disk.read).first == large.messages[0])
    #expect(disk.count < large.bytes.count / 10)
    try expectFound(index, disk, large.messages)
  }

  @Test func `without a summary, or with a damaged one, the file is read as a whole`() throws {
    let size = sample.bytes.count
    var files = [Array(sample.bytes[..<(size * 3 / 4)])]
    // The start of the summary in the footer, a byte of the summary, the last magic bytes.
    for place in [size - 25, size - 60, size - 3] {
      files.append(sample.bytes)
      files[files.count - 1][place] ^= 1
    }
    for file in files {
      let disk = Disk(file)
      let index = try disk.index()
      guard case .scan = index.origin else {
        Issue.record("\(index.origin)")
        continue
      }
      try expectFound(index, disk, Reading([file]).messages)
      #expect(!index.chunks.dropLast().contains { $0.channels != [0, 1] })
    }
  }

  @Test func `a chunk that is cut off is found up to its last whole message`() throws {
    let last = try #require(Reading([sample.bytes]).chunks.last)
    let disk = Disk(Array(sample.bytes[..<Int(last.offset + last.length / 2)]))
    let index = try disk.index()
    let chunk = try #require(index.chunks.last)
    #expect(!chunk.isWhole)
    let messages = try index.messages(in: chunk, read: disk.read)
    #expect(messages.first == sample.messages.first { $0.logTime == last.startTime })
    guard case .scan(.truncated(let offset, let bytes), nil) = index.origin else {
      throw MCAPError(.malformed, at: 0, "\(index.origin)")
    }
    #expect(offset + bytes == UInt64(disk.bytes.count))
  }

  @Test func `a damaged chunk ends a scan with its error, and is an error itself`() throws {
    let chunks = Reading([sample.bytes]).chunks
    var bytes = sample.bytes
    bytes[Int(chunks[2].offset) + 100] ^= 1
    let disk = Disk(bytes)
    let index = try disk.index()
    #expect(index.origin == .summary)
    #expect(throws: MCAPError.self) { try index.messages(in: index.chunks[2], read: disk.read) }
    #expect(try !index.messages(in: index.chunks[3], read: disk.read).isEmpty)
    let cut = Disk(Array(bytes.dropLast(10)))
    guard case .scan(_, let error?) = try cut.index().origin else { throw MCAPError(.malformed, at: 0, "no error") }
    #expect(error.kind == .checksum && error.offset == chunks[2].offset)
  }

  @Test func `an empty file and another file have no index`() throws {
    let empty = Disk(Sample([]).bytes)
    #expect(try empty.index().chunks.isEmpty)
    #expect(try empty.index().origin == .summary)
    #expect(throws: MCAPError.self) { try Disk(Array("something else".utf8)).index() }
    #expect(try Disk([]).index().origin == .scan(.truncated(offset: 0, bytes: 0), nil))
  }

  @Test func `chunks are in the order of time, whatever that of the file is`() throws {
    var writer = MCAPWriter(Sample.header)
    let id = writer.addChannel(topic: "a", messageEncoding: "", schema: 0)
    let channel = try #require(id)
    for time in [UInt64(50), 10, 30, 20] {
      writer.addMessage(channel: channel, logTime: time, publishTime: 0, data: [UInt8]().span.bytes)
      writer.flush()
    }
    writer.finish()
    let disk = Disk(writer.take())
    #expect(try disk.index().chunks.map(\.startTime) == [10, 20, 30, 50])
    #expect(try disk.index().chunks(from: 20, through: 30).map(\.startTime) == [20, 30])
  }
}
