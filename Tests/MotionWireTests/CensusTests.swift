import Glibc
import MotionModel
import Testing

@testable import MotionWire

@Suite struct CensusTests {
  /// A member that motion.proto declares as a list of elements that take more memory than four times their bytes.
  struct Listed: Hashable {
    var message: String
    var name: String
    var number: UInt64
  }

  /// The lists that motion.proto declares.
  static let listed = declarations.listed
  /// The declarations of motion.proto, parsed as text: sufficient for a file of ours. The members of each message, and
  /// the lists among them.
  static let declarations: (members: [String: Set<Listed>], listed: Set<Listed>) = {
    let path = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    guard let file = fopen("/\(path)/Sources/MotionWire/motion.proto", "r") else { return ([:], []) }
    defer { fclose(file) }
    var lines: [String] = []
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    while getline(&line, &capacity, file) >= 0 { if let line { lines.append(String(cString: line)) } }
    free(line)
    var found: Set<Listed> = []
    var members: [String: Set<Listed>] = [:]
    var messages: [(kind: String, name: String)] = []
    /// The members of a oneof belong to the message around it.
    var message: String { messages.filter { $0.kind == "message" }.map(\.name).joined(separator: ".") }
    for line in lines {
      let words = line.split { $0 == " " || $0 == ";" || $0 == "\n" }.map(String.init)
      guard let first = words.first, first != "//" else { continue }
      if ["message", "enum", "oneof"].contains(first) {
        if words.last != "{}" { messages.append((first, words[1])) }
      } else if first == "}" {
        messages.removeLast()
      } else if let sign = words.firstIndex(of: "="), sign >= 2, messages.last?.kind != "enum" {
        let member = Listed(message: message, name: words[sign - 1], number: UInt64(words[sign + 1]) ?? 0)
        members[message, default: []].insert(member)
        if first == "repeated", !["double", "uint32", "uint64"].contains(words[1]) { found.insert(member) }
      }
    }
    return (members, found)
  }()

  /// The lists that a shape reaches, with the message that motion.proto calls it.
  static let names: [Shape: String] = [
    .commit: "Commit", .intention: "Intention", .list: "FieldValue.List", .stop: "Stop", .input: "Input",
    .receipt: "Receipt",
    .hello: "Hello", .targets: "Answer.Targets", .properties: "Answer.Properties", .executors: "Answer.Executors",
    .intentions: "Answer.Intentions", .tokens: "Answer.Tokens", .plugins: "Answer.Plugins", .types: "Answer.Types",
    .waitingRows: "Answer.Waiting", .status: "Status", .graph: "Graph", .streamReport: "StreamReport",
    .streamPlan: "StreamReport.Plan",
    .stream: "StreamReport.Stream", .propertyRow: "PropertyRow", .executorRow: "ExecutorRow", .pluginRow: "PluginRow",
    .workerRow: "WorkerRow", .description: "IntentionDescription", .fieldDescription: "FieldDescription",
    .fieldNames: "IntentionDescription.FieldNames", .names: "Names", .ended: "Ended", .drivers: "Drivers",
    .snapshot: "Snapshot",
    .snapshotExecutor: "Snapshot.Executor", .planned: "PlannedIntention", .propertiesCommand: "Properties",
    .executorInput: "ExecutorInput",
    .update: "Update", .execution: "Update.Execution", .recordingHeader: "RecordingHeader", .manifest: "PluginManifest",
    .recordedFrame: "RecordedFrame", .committed: "RuntimeEvent.Committed",
    .withheld: "RuntimeEvent.Withheld",
    .checkpoint: "Checkpoint", .checkpointTarget: "Checkpoint.Target", .plan: "Checkpoint.Plan",
    .waiting: "Checkpoint.Waiting",
  ]

  @Test func everyListOfMotionProtoIsCounted() {
    var counted: Set<Listed> = []
    for shape in Shape.allCases {
      for member in shape.members where member.isList {
        guard let message = Self.names[shape] else {
          Issue.record("\(shape) has lists and no name")
          continue
        }
        counted.insert(Listed(message: message, name: "\(member.name)", number: member.number))
      }
    }
    #expect(counted == Self.listed)
    #expect(counted.count > 40)
  }

  @Test func everyMemberThatLeadsToAListIsOneOfMotionProto() {
    for shape in Shape.allCases where !shape.members.isEmpty {
      let isDeclared = Self.declarations.members.contains { message, members in
        (Self.names[shape] ?? message) == message
          && shape.members.allSatisfy {
            members.contains(Listed(message: message, name: "\($0.name)", number: $0.number))
          }
      }
      #expect(isDeclared, "\(shape): \(shape.members.map { "\($0.name) = \($0.number)" })")
    }
  }

  @Test func everyShapeIsReached() {
    var reached: Set<Shape> = [.envelope, .recordingHeader, .recordedFrame, .journalEntry, .leaf]
    var waiting = Array(reached)
    while let shape = waiting.popLast() {
      for next in shape.members.compactMap(\.shape) where reached.insert(next).inserted { waiting.append(next) }
    }
    #expect(reached == Set(Shape.allCases))
  }

  /// The size that is accepted, and how many elements that allows.
  static let limit = 16 << 20
  static let elements = limit / Census.bytesPerElement

  /// An intention with four empty fields.
  static let intention = Raw().filling(16, with: Raw().message(2, Raw().message(2)))

  /// Messages that take as much memory as they can, each with as many elements as are accepted.
  static let greedy: [(String, Raw)] = [
    ("targets", .envelope(14, Raw().filling(elements * 3, with: Raw().text(1, "a")))),
    ("too many targets", .envelope(14, Raw().filling(limit - 64, with: Raw().message(1)))),
    ("property rows", .envelope(23, Raw().message(2, Raw().filling(elements * 2, with: Raw().message(1))))),
    ("intention rows", .envelope(23, Raw().message(4, Raw().filling(elements * 2, with: Raw().message(1))))),
    (
      "identities",
      .envelope(23, Raw().message(2, Raw().filling(elements * 2, with: Raw().message(1, Raw().message(5)))))
    ),
    ("counters", .envelope(23, Raw().message(8, Raw().filling(elements * 2, with: Raw().message(10))))),
    (
      "graph nodes",
      .envelope(23, Raw().message(9, Raw().filling(elements * 2, with: Raw().message(1, Raw().message(4)))))
    ),
    ("graph edges", .envelope(23, Raw().message(9, Raw().filling(elements * 2, with: Raw().message(2))))),
    (
      "streams",
      .envelope(
        45, Raw().filling(elements * 4, with: Raw().message(1, Raw().message(2, Raw().message(2).message(2)))))
    ),
    ("names", .envelope(31, Raw().filling(elements * 4, with: Raw().message(1, Raw().message(2))))),
    (
      "fields",
      .envelope(
        11, Raw().filling(elements * 4, with: Raw().message(3, Raw().message(1, Raw().message(1, intention)))))
    ),
    ("events", .envelope(70, Raw().filling(200_000, with: Raw().message(10)))),
    (
      "plans",
      .envelope(
        43,
        Raw().message(
          3, Raw().filling(elements * 3, with: Raw().message(3, Raw().message(1).message(2).message(6)))))
    ),
    ("handles", .envelope(30, Raw().bytes(4, [UInt8](repeating: 1, count: limit - 64)))),
    (
      "values",
      .envelope(
        30,
        Raw().bytes(4, [UInt8](repeating: 1, count: 800_000)).bytes(5, [UInt8](repeating: 1, count: 800_000))
          .bytes(6, [UInt8](repeating: 0, count: 6_400_000)))
    ),
  ]

  /// Memory is measured: the most that the process had resident while it read a message made to be greedy. Other tests
  /// run meanwhile and take a little, hence the allowance.
  @Test func memoryIsBoundedByTheLimit() throws {
    for (name, raw) in Self.greedy {
      let bytes = raw.bytes
      #expect(bytes.count <= Self.limit)
      let before = try Memory.resetPeak()
      _ = try? Envelope(decoding: bytes, limit: Self.limit)
      let used = try Memory.peak() - before
      print("\(name): \(bytes.count >> 20) MiB, \(used >> 20) MiB taken")
      #expect(used < 5 * Self.limit + 16 << 20, "\(name)")
    }
  }
}

/// The kernel's data about this process's memory, in bytes.
enum Memory {
  struct Unreadable: Error {}

  /// Returns free memory, resets the peak to the present resident memory, and returns that.
  static func resetPeak() throws -> Int {
    // The Glibc module does not have malloc_trim.
    guard let trim = dlsym(nil, "malloc_trim") else { throw Unreadable() }
    _ = unsafeBitCast(trim, to: (@convention(c) (Int) -> Int32).self)(0)
    guard let file = fopen("/proc/self/clear_refs", "w") else { throw Unreadable() }
    fputs("5\n", file)
    fclose(file)
    return try line("VmRSS:")
  }

  /// The largest resident memory since then.
  static func peak() throws -> Int { try line("VmHWM:") }

  private static func line(_ name: String) throws -> Int {
    guard let file = fopen("/proc/self/status", "r") else { throw Unreadable() }
    defer { fclose(file) }
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    while getline(&line, &capacity, file) >= 0 {
      guard let text = line.map({ String(cString: $0) }), text.hasPrefix(name) else { continue }
      let words = text.split { $0 == " " || $0 == "\t" || $0 == "\n" }
      guard words.count == 3, let kibibytes = Int(words[1]) else { throw Unreadable() }
      return kibibytes << 10
    }
    throw Unreadable()
  }
}
