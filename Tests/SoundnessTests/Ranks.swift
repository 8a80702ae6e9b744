/// The allowed dependencies of each target: the table of docs/architecture.md in code.
struct Rank {
  let rank: Int
  /// The targets of this package that it may import, all of a lower rank.
  let ours: Set<String>
  /// The modules of others that it may import; `nil` allows all, for targets at the edge of the program.
  let others: Set<String>?

  init(_ rank: Int, _ ours: Set<String> = [], others: Set<String>? = []) {
    self.rank = rank
    self.ours = ours
    self.others = others
  }

  /// Whether it has to be free of threads, tasks, locks and clocks.
  var isPure: Bool { rank <= 2 }

  static let table: [String: Rank] = [
    "CEdit": Rank(-1),
    "CSodium": Rank(-1),
    "CSQLite": Rank(-1),
    "CZeroMQ": Rank(-1),
    "CLinux": Rank(-1),
    "LinuxSystem": Rank(0, ["CLinux"], others: ["Glibc", "Synchronization"]),
    "MCAP": Rank(0),
    "MotionModel": Rank(0),
    // CSprings is the loops of MotionPhysics, and no other target may import it.
    "MotionPhysics": Rank(0, others: ["CSprings", "Glibc"]),

    "MotionFiles": Rank(1, ["MotionModel"]),
    "MotionStreams": Rank(1, ["MotionModel", "MotionPhysics"], others: ["Glibc"]),
    "ZeroMQ": Rank(1, ["CZeroMQ", "CLinux", "LinuxSystem"], others: ["Glibc", "Synchronization"]),
    "MotionWire": Rank(1, ["MCAP", "MotionModel"], others: ["SwiftProtobuf"]),
    "MotionDrawing": Rank(1, ["MotionModel"]),

    "MotionCore": Rank(2, ["MotionModel", "MotionPhysics", "MotionStreams"]),
    "MotionLink": Rank(2, ["MotionModel", "MotionWire"]),

    "MotionExecutors": Rank(
      3, ["LinuxSystem", "MotionModel", "MotionPhysics", "MotionStreams", "MotionCore"],
      others: ["Glibc", "Synchronization"]),
    "MotionExecutorKit": Rank(
      3, ["MotionModel", "MotionWire", "MotionCore", "MotionLink", "LinuxSystem", "ZeroMQ", "CLinux"],
      others: ["Glibc", "Synchronization"]),
    "MotionClient": Rank(3, ["MotionModel", "MotionWire", "LinuxSystem", "ZeroMQ", "CLinux"], others: ["Glibc"]),
    "MotionHistory": Rank(3, ["MotionModel", "MotionWire", "MotionCore"], others: ["Glibc"]),
    "MotionJournal": Rank(3, ["LinuxSystem", "CSodium", "CSQLite"], others: ["GRDB", "Glibc", "Synchronization"]),
    "MotionLog": Rank(3, ["MotionModel", "LinuxSystem", "ZeroMQ"], others: ["Glibc", "Logging", "Synchronization"]),
    "MotionArguments": Rank(3, others: ["ArgumentParser", "Foundation"]),
    "MotionTestKit": Rank(
      3, ["MotionModel", "MotionPhysics", "MotionStreams", "MotionCore", "MotionWire", "MotionLink"], others: ["Glibc"]),

    "MotionCoordinator": Rank(
      4,
      [
        "MotionModel", "MotionFiles", "MotionWire", "MotionCore", "MotionLink", "MotionJournal", "LinuxSystem",
        "ZeroMQ", "CLinux",
      ],
      others: ["DequeModule", "Glibc", "Logging", "Synchronization"]),

    "MotionGateway": Rank(
      4, ["MotionModel", "MotionWire", "LinuxSystem", "ZeroMQ", "CLinux"],
      others: ["Glibc", "Logging", "Synchronization"]),
    "MotionStudio": Rank(
      4, ["MotionModel", "MotionFiles", "MotionWire", "MotionCore", "MotionHistory", "MotionClient", "LinuxSystem"],
      others: [
        "Glibc", "Logging", "NIOCore", "NIOHTTP1", "NIOPosix", "NIOWebSocket", "Synchronization",
      ]),
    "motion-studio": Rank(
      5,
      ["MotionModel", "MotionWire", "MotionClient", "MotionLog", "MotionArguments", "MotionStudio", "LinuxSystem"],
      others: nil),
    "motion-gateway": Rank(
      5, ["MotionModel", "MotionWire", "MotionLog", "MotionArguments", "MotionGateway"], others: nil),

    "motiond": Rank(
      5, ["MotionModel", "MotionWire", "MotionJournal", "MotionLog", "MotionArguments", "MotionCoordinator"],
      others: nil),
    "motionctl": Rank(
      5,
      [
        "MotionModel", "MotionFiles", "MotionWire", "MotionDrawing", "MotionCore", "MotionHistory",
        "MotionExecutors", "MotionClient", "MotionJournal", "MotionArguments", "MotionCoordinator", "LinuxSystem",
        "ZeroMQ", "CEdit", "CLinux",
      ], others: nil),
    "demo": Rank(
      5, ["MotionModel", "MotionFiles", "MotionPhysics", "MotionWire", "MotionDrawing", "MotionClient", "CLinux"],
      others: nil),
    "tween": Rank(5, ["MotionModel", "MotionExecutors", "MotionExecutorKit"], others: ["Glibc"]),
    "gesture": Rank(5, ["MotionModel", "MotionExecutors", "MotionExecutorKit"], others: ["Glibc"]),
    "osc": Rank(5, ["MotionModel", "MotionExecutors", "MotionExecutorKit"], others: ["Glibc"]),
    "dmx": Rank(5, ["MotionModel", "MotionExecutors", "MotionExecutorKit"], others: ["Glibc"]),
  ]

  /// The imports of a file that violate the table.
  static func violations(in source: SwiftSource) -> [String] {
    guard let entry = table[source.target] else {
      return ["\(source.path): the target \(source.target) has no rank; give it one in Ranks.swift"]
    }
    return source.imports.compactMap { line, module in
      let isAllowed = table[module] == nil ? entry.others?.contains(module) ?? true : entry.ours.contains(module)
      return isAllowed ? nil : "\(source.path):\(line): \(source.target) may not import \(module)"
    }
  }
}
