import Foundation
import Testing

@testable import MCAP

struct MCAPWriterTests {
  /// A file that this writer once wrote and two other readers have read. New files need not be equal, but a change of them
  /// is to be seen.
  @Test func `the bytes of a small file are those of the golden file`() throws {
    let golden = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden/two-channels.mcap")
    let sample = Sample([3, 0, 7, 5, 9], chunkBytes: 100)
    if ProcessInfo.processInfo.environment["MOTION_UPDATE_GOLDEN"] == "1" { try Data(sample.bytes).write(to: golden) }
    #expect(Array(try Data(contentsOf: golden)) == sample.bytes, "MOTION_UPDATE_GOLDEN=1 writes the file again")
    #expect(Reading([sample.bytes]).messages == sample.messages)
  }

  @Test func `a chunk is closed when it has its size, and by a flush`() throws {
    var writer = MCAPWriter(Sample.header, chunkBytes: 300)
    let id = writer.addChannel(topic: "a", messageEncoding: "", schema: 0)
    let channel = try #require(id)
    _ = writer.take()
    let data = [UInt8](repeating: 1, count: 100 - 31)
    for count in 1...6 {
      writer.addMessage(channel: channel, logTime: 1, publishTime: 1, data: data.span.bytes)
      #expect((writer.waitingBytes == 0) == (count % 3 != 0))
      #expect(writer.openBytes == count % 3 * 100)
      _ = writer.take()
    }
    writer.flush()
    #expect(writer.waitingBytes == 0, "an empty chunk is not written")
    writer.addMessage(channel: channel, logTime: 1, publishTime: 1, data: data.span.bytes)
    writer.flush()
    #expect(writer.waitingBytes > 0 && writer.openBytes == 0)
  }

  @Test func `a file can have as many channels as there are numbers, and no more`() {
    var writer = MCAPWriter(Sample.header)
    var last: UInt16?
    for _ in 0...UInt16.max { last = writer.addChannel(topic: "", messageEncoding: "", schema: 0) }
    #expect(last == .max)
    last = writer.addChannel(topic: "", messageEncoding: "", schema: 0)
    #expect(last == nil)
    writer.addMessage(channel: .max, logTime: 1, publishTime: 1, data: [UInt8]().span.bytes)
    writer.finish()
    let read = Reading([writer.take()])
    #expect(read.end == .complete && read.messages.map(\.channel) == [.max])
  }
}
