import Glibc
import MotionModel
import Testing

@testable import MotionWire

@Suite struct CensusTests {
  /// The lists that motion.proto declares, parsed as text: sufficient for a file of ours. A list of numbers is not
  /// counted.
  static let declared: [String] = {
    let path = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    guard let file = fopen("/\(path)/Sources/MotionWire/motion.proto", "r") else { return [] }
    defer { fclose(file) }
    var lists: [String] = []
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    while getline(&line, &capacity, file) >= 0 {
      guard let words = line.map({ String(cString: $0).split { " ;\n".contains($0) } }), words.count >= 5 else {
        continue
      }
      if words[0] == "repeated", !["double", "uint32", "uint64"].contains(words[1]) {
        lists.append("\(words[2]) = \(words[4])")
      }
    }
    free(line)
    return lists
  }()

  @Test func `the generated table has every list of motion proto`() {
    let counted = Shape.allCases.flatMap(\.members).filter(\.isList).map { "\($0.name) = \($0.number)" }
    #expect(counted.sorted() == Self.declared.sorted(), "run `make proto`")
    #expect(counted.count > 40)
  }

  @Test func everyShapeIsReached() {
    var reached: Set<Shape> = [.envelope, .recordingHeader, .recordedFrame, .journalEntry, .checkpoint]
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
