import Glibc
import LinuxSystem
import Logging
import Testing
import ZeroMQ

@testable import MotionLog

struct LineWriterTests {
  private let pipe: Pipe

  init() throws { pipe = try Pipe() }

  private func writer(to descriptor: Int32) throws -> LineWriter {
    try LineWriter(to: descriptor) { "\($0) lines were lost\n" }
  }

  private func logger(_ writer: LineWriter) -> Logger {
    Logger(label: "motiond") { LineLogHandler(label: $0, writer: writer) }
  }

  /// The output of the pipe until this text.
  private func read(until end: String) -> String {
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while !String(decoding: text, as: UTF8.self).contains(end) {
      let count = Glibc.read(pipe.reading, &chunk, chunk.count)
      guard count > 0 else { break }
      text += chunk[..<count]
    }
    return String(decoding: text, as: UTF8.self)
  }

  // Clauses: S18.7
  @Test(.timeLimit(.minutes(1)))
  func `a reader that does not read does not block, and lost lines are counted`() throws {
    let writer = try writer(to: pipe.writing)
    let count = 200_000
    for number in 0..<count { writer.write("line \(number)\n") }
    // Far less than the kept lines, so that there is room once this was read.
    var text = read(until: "line 20000\n")
    writer.write("after\n")
    text += read(until: "after\n")
    let lines = text.split(separator: "\n")
    let kept = lines.count - 2
    #expect((20_000..<count).contains(kept), "\(kept) lines")
    #expect(lines.dropLast(2) == (0..<kept).map { "line \($0)" }[...])
    #expect(lines.suffix(2) == ["\(count - kept) lines were lost", "after"])
  }

  // Clauses: S18.7
  @Test(.timeLimit(.minutes(1))) func `a writer continues after its reader closes the pipe`() throws {
    let writer = try writer(to: pipe.writing)
    pipe.closeReading()
    for number in 0..<100 { writer.write("line \(number)\n") }
    writer.finish()
  }

  // Clauses: S18.7
  @Test(.timeLimit(.minutes(1)))
  func `finish waits for the last line, and not long for a reader that does not read`() throws {
    var writer = try writer(to: pipe.writing)
    writer.write("last\n")
    writer.finish()
    #expect(read(until: "last\n") == "last\n")
    writer = try self.writer(to: pipe.writing)
    for _ in 0..<10_000 { writer.write("as many as no pipe holds\n") }
    let start = BootClock.now
    writer.finish()
    #expect(BootClock.now - start < LineWriter.endTimeout + .seconds(5))
    // Its thread has to end before the pipe is closed.
    pipe.closeReading()
    writer.finish()
  }

  // Clauses: S18.7
  @Test(.timeLimit(.minutes(1))) func `a message is one line, with control characters escaped`() throws {
    let writer = try writer(to: pipe.writing)
    var logger = logger(writer)
    logger[metadataKey: "epoch"] = "3"
    logger.warning("a \u{1B}[31mplugin\nsays \u{202E}", metadata: ["path": "/a\u{9B}b"])
    writer.finish()
    let line = read(until: "\n")
    let text = #"warning motiond: epoch=3 path=/a\u{9B}b [MotionLogTests] a \u{1B}[31mplugin\nsays \u{202E}"#
    #expect(line.hasSuffix(" \(text)\n"), "\(line)")
    #expect(line.count { $0 == "\n" } == 1)
    // "2026-11-22T21:11:00+0100".
    #expect(line.prefix { $0 != " " }.count == 24)
  }
}

/// A pipe whose ends close with it.
private final class Pipe {
  let reading: Int32
  let writing: Int32
  private var isRead = true

  init() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    (reading, writing) = (ends[0], ends[1])
  }

  deinit {
    closeReading()
    close(writing)
  }

  /// Closes the reading end.
  func closeReading() {
    if isRead { close(reading) }
    isRead = false
  }
}
