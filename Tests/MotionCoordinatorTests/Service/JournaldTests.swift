import Glibc
import Logging
import MotionTestKit
import Synchronization
import Testing

@testable import MotionCoordinator

struct JournaldTests {
  /// An entry as journald parses it: the format is from its own documentation.
  private static func fields(_ bytes: [UInt8]) throws -> [String: String] {
    var fields: [String: String] = [:]
    var rest = bytes[...]
    while let end = rest.firstIndex(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "\n") }) {
      let name = String(decoding: rest[..<end], as: UTF8.self)
      if rest[end] == UInt8(ascii: "=") {
        let stop = try #require(rest.firstIndex(of: UInt8(ascii: "\n")))
        fields[name] = String(decoding: rest[(end + 1)..<stop], as: UTF8.self)
        rest = rest[(stop + 1)...]
      } else {
        let length = Int(rest[(end + 1)..<(end + 9)].reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
        fields[name] = String(decoding: rest[(end + 9)..<(end + 9 + length)], as: UTF8.self)
        #expect(rest[end + 9 + length] == UInt8(ascii: "\n"))
        rest = rest[(end + 10 + length)...]
      }
    }
    #expect(rest.isEmpty)
    return fields
  }

  /// Keeps the log lines that it receives.
  private struct Notebook: LogHandler {
    final class Lines: Sendable { let all = Mutex<[String]>([]) }
    let lines = Lines()
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }
    func log(event: LogEvent) {
      lines.all.withLock { $0.append("\(event.message) \(event.metadata?["plugin"]?.description ?? "-")") }
    }
  }

  private let folder: TemporaryFolder
  private var path: String { "\(folder.path)/journald" }
  private let notebook = Notebook()

  init() throws { folder = try TemporaryFolder() }

  private func logger(_ path: String? = nil) throws -> Logger {
    let socket = try #require(JournaldSocket(path ?? self.path))
    let handler = JournaldLogHandler(label: "motiond", socket: socket, otherwise: notebook)
    return Logger(label: "motiond") { _ in handler }
  }

  // Clauses: S18.3
  @Test func `a log message arrives with its fields`() throws {
    let journald = try DatagramListener(path)
    var logger = try logger()
    logger[metadataKey: "epoch"] = "7"
    logger.warning("tween.0 died: signal 9", metadata: ["plugin": "tween", "instance": "0", "a key": "1=2"])
    let bytes = try #require(journald.next(withinMilliseconds: 10_000))
    let fields = try Self.fields(bytes)
    let line = try #require(fields["CODE_LINE"].flatMap { Int($0) })
    #expect(line > 50)
    #expect(fields["CODE_FILE"]?.hasSuffix("JournaldTests.swift") == true)
    #expect(fields["CODE_FUNC"] != nil)
    let ours = fields.filter { !$0.key.hasPrefix("CODE_") }
    #expect(
      ours == [
        "PRIORITY": "4", "SYSLOG_IDENTIFIER": "motiond", "MESSAGE": "tween.0 died: signal 9", "MOTIOND_EPOCH": "7",
        "MOTIOND_PLUGIN": "tween", "MOTIOND_INSTANCE": "0", "MOTIOND_A_KEY": "1=2",
      ])
  }

  @Test func `a value with several lines cannot forge fields`() throws {
    let journald = try DatagramListener(path)
    let text = "one\nPRIORITY=0\ntwo\n"
    try logger().info("\(text)", metadata: ["k": "\n"])
    let fields = try Self.fields(try #require(journald.next(withinMilliseconds: 10_000)))
    #expect(fields["MESSAGE"] == text)
    #expect(fields["PRIORITY"] == "6")
    #expect(fields["MOTIOND_K"] == "\n")
  }

  @Test func `field names are converted to the form that journald accepts`() {
    for (name, good) in [
      ("plugin", "PLUGIN"), ("9lives", "X9LIVES"), ("_x", "X_X"), ("a=b\nc", "A_B_C"), ("ä", "X__"),
      (String(repeating: "n", count: 100), String(repeating: "N", count: 64)),
    ] {
      var entry = JournaldEntry()
      entry.add(name, "v")
      #expect(String(decoding: entry.bytes, as: UTF8.self) == "\(good)=v\n")
    }
  }

  @Test func `each level has its priority`() {
    #expect(Logger.Level.allCases.map(\.syslogPriority) == [7, 7, 6, 5, 4, 3, 2])
  }

  @Test func `a message too long for a datagram is sent as sealed memory`() throws {
    let journald = try DatagramListener(path)
    let text = String(repeating: "long ", count: 400_000)
    try logger().error("\(text)")
    let (bytes, descriptor) = try #require(journald.nextWithDescriptor(withinMilliseconds: 10_000))
    #expect(bytes.isEmpty)
    let memory = try #require(descriptor)
    defer { close(memory) }
    // F_GET_SEALS is 1034: all four, against sealing, shrinking, growing and writing.
    #expect(fcntl(memory, 1034, 0) == 0b1111)
    var content = [UInt8](repeating: 0, count: 3_000_000)
    let count = pread(memory, &content, content.count, 0)
    let fields = try Self.fields(Array(content.prefix(count)))
    #expect(fields["MESSAGE"] == text)
  }

  // Clauses: S18.3
  @Test func `a busy journald is not waited for, and lost messages are counted`() throws {
    let journald = try DatagramListener(path)
    let logger = try logger()
    // Some ten datagrams wait at a socket by Linux's defaults; none is read.
    for number in 0..<2000 { logger.info("line \(number)") }
    var heard: [String] = []
    while let bytes = journald.next(withinMilliseconds: 0) { heard.append(try Self.fields(bytes)["MESSAGE"] ?? "") }
    #expect(heard == (0..<heard.count).map { "line \($0)" })
    #expect((1..<2000).contains(heard.count))
    logger.info("last")
    #expect(try Self.fields(try #require(journald.next(withinMilliseconds: 10_000)))["MESSAGE"] == "last")
    let note = try Self.fields(try #require(journald.next(withinMilliseconds: 10_000)))
    #expect(note["MESSAGE"]?.hasPrefix("\(2000 - heard.count) lines") == true)
    #expect(note["PRIORITY"] == "4")
    #expect(notebook.lines.all.withLock { $0.isEmpty })
  }

  @Test func `messages go to the other handler while journald is not available`() throws {
    try logger("\(folder.path)/nobody").notice("hello", metadata: ["plugin": "osc"])
    #expect(notebook.lines.all.withLock { $0 } == ["hello osc"])
  }

  // Clauses: S18.3
  @Test func `the handler is used only if standard error is connected to journald`() throws {
    try folder.write("", to: "errors")
    let descriptor = open("\(folder.path)/errors", O_WRONLY | O_CLOEXEC)
    defer { close(descriptor) }
    var status = stat()
    fstat(descriptor, &status)
    func handler(_ stream: String?) -> JournaldLogHandler? {
      var environment: [String: String] = [:]
      environment["JOURNAL_STREAM"] = stream
      return JournaldLogHandler(
        label: "motiond", environment: environment, path: path, descriptor: descriptor, otherwise: notebook)
    }
    #expect(handler("\(status.st_dev):\(status.st_ino)") != nil)
    for other in [nil, "", ":", "\(status.st_dev):\(status.st_ino + 1)", "1:\(status.st_ino)"] {
      #expect(handler(other) == nil)
    }
  }
}
