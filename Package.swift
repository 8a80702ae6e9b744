// swift-tools-version: 6.2
import PackageDescription

/// What every target of ours is compiled with: Swift 6 mode and the checks that are still optional there.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let deque = Target.Dependency.product(name: "DequeModule", package: "swift-collections")
let configuration = Target.Dependency.product(name: "Configuration", package: "swift-configuration")
let database = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let nio = ["NIOCore", "NIOPosix", "NIOHTTP1", "NIOWebSocket"].map { name in
  Target.Dependency.product(name: name, package: "swift-nio")
}
let protobuf = Target.Dependency.product(name: "SwiftProtobuf", package: "swift-protobuf")
let signals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")
let systemPackage = Target.Dependency.product(name: "SystemPackage", package: "swift-system")

func library(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
  .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

func program(
  _ name: String, path: String? = nil, exclude: [String] = [], _ dependencies: [Target.Dependency]
) -> Target {
  .executableTarget(name: name, dependencies: dependencies, path: path, exclude: exclude, swiftSettings: strict)
}

func tests(of name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .testTarget(name: name + "Tests", dependencies: [.target(name: name)] + dependencies, swiftSettings: strict)
}

let package = Package(
  name: "motiond",
  products: [
    .library(name: "MCAP", targets: ["MCAP"]),
    .library(name: "MotionModel", targets: ["MotionModel"]),
    .library(name: "MotionFiles", targets: ["MotionFiles"]),
    .library(name: "MotionPhysics", targets: ["MotionPhysics"]),
    .library(name: "MotionStreams", targets: ["MotionStreams"]),
    .library(name: "MotionCore", targets: ["MotionCore"]),
    .library(name: "MotionExecutors", targets: ["MotionExecutors"]),
    .library(name: "MotionExecutorKit", targets: ["MotionExecutorKit"]),
    .library(name: "MotionClient", targets: ["MotionClient"]),
    .library(name: "MotionWire", targets: ["MotionWire"]),
    .library(name: "MotionHistory", targets: ["MotionHistory"]),
    .library(name: "MotionJournal", targets: ["MotionJournal"]),
    .library(name: "MotionTestKit", targets: ["MotionTestKit"]),
    .executable(name: "motiond", targets: ["motiond"]),
    .executable(name: "motionctl", targets: ["motionctl"]),
    .executable(name: "motion-gateway", targets: ["motion-gateway"]),
    .executable(name: "motion-studio", targets: ["motion-studio"]),
    .executable(name: "tween", targets: ["tween"]),
    .executable(name: "gesture", targets: ["gesture"]),
    .executable(name: "osc", targets: ["osc"]),
    .executable(name: "dmx", targets: ["dmx"]),
    .executable(name: "motion-demo", targets: ["motion-demo"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: ["YAML"]),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
  ],
  targets: [
    // The first, because it takes the compiler longest.
    .testTarget(
      name: "DistributedTests",
      dependencies: [
        "Faults", "FaultyNetwork", "MCAP", "MCAPPeer", "MotionModel", "MotionFiles", "MotionPhysics", "MotionWire",
        "MotionCore", "MotionHistory", "MotionClient", "MotionJournal", "MotionTestKit", "Trajectories", "LinuxSystem",
        "ZeroMQ", "CLinux",
      ],
      exclude: ["Journal/Before", "Recordings"], swiftSettings: strict),
    // Rank 0: what stands on nothing of ours.
    .systemLibrary(name: "CEdit"),
    .systemLibrary(name: "CSodium"),
    .systemLibrary(name: "CSQLite"),
    .systemLibrary(name: "CZeroMQ"),
    .target(name: "CLinux"),
    .target(name: "CSprings"),
    // Descriptors, timers, threads and files of Linux.
    library("LinuxSystem", ["CLinux"]),
    // The container format of recordings, independent of motion.
    library("MCAP"),
    library("MotionModel"),
    library("MotionPhysics", ["CSprings"]),

    // Rank 1
    library("MotionFiles", ["MotionModel"]),
    library("MotionStreams", ["MotionModel", "MotionPhysics"]),
    library("ZeroMQ", ["CZeroMQ", "CLinux", "LinuxSystem"]),
    library(
      "MotionWire", ["MCAP", "MotionModel", protobuf], exclude: ["motion.proto", "shape.py", "descriptors.py"]),

    library("MotionDrawing", ["MotionModel"]),

    // Rank 2
    library("MotionCore", ["MotionModel", "MotionPhysics", "MotionStreams"]),
    library("MotionLink", ["MotionModel", "MotionWire"]),

    // Rank 3
    library("MotionExecutors", ["LinuxSystem", "MotionModel", "MotionPhysics", "MotionStreams", "MotionCore"]),
    library(
      "MotionExecutorKit", ["MotionModel", "MotionWire", "MotionCore", "MotionLink", "LinuxSystem", "ZeroMQ", "CLinux"]),
    library("MotionClient", ["MotionModel", "MotionWire", "LinuxSystem", "ZeroMQ", "CLinux"]),

    library("MotionHistory", ["MotionModel", "MotionWire", "MotionCore"]),

    library("MotionJournal", ["LinuxSystem", "CSodium", "CSQLite", database]),

    library("MotionLog", ["MotionModel", "LinuxSystem", "ZeroMQ", logging]),
    // What all programs do with their command lines.
    library("MotionArguments", [argumentParser]),

    // Rank 4
    library(
      "MotionCoordinator",
      [
        "MotionModel", "MotionFiles", "MotionWire", "MotionCore", "MotionLink", "MotionJournal", "LinuxSystem",
        "ZeroMQ", "CLinux", deque, logging,
      ]),

    library("MotionGateway", ["MotionModel", "MotionWire", "LinuxSystem", "ZeroMQ", "CLinux", logging]),
    // HTTP and WebSocket: the only target with swift-nio.
    library(
      "MotionStudio",
      [
        "MotionModel", "MotionFiles", "MotionWire", "MotionCore", "MotionHistory", "MotionClient", "LinuxSystem",
        logging,
      ] + nio,
      exclude: ["Page"]),

    // Rank 5: parse, configure, run.
    program(
      "motiond",
      [
        "MotionModel", "MotionWire", "MotionLog", "MotionArguments", "MotionCoordinator", argumentParser, configuration,
        lifecycle, logging, signals, systemPackage, yams,
      ]),
    program(
      "motionctl",
      [
        "MotionModel", "MotionFiles", "MotionWire", "MotionDrawing", "MotionCore", "MotionHistory", "MotionExecutors",
        "MotionClient", "MotionJournal", "MotionArguments", "MotionCoordinator", "LinuxSystem", "ZeroMQ", "CEdit",
        "CLinux",
        argumentParser,
      ]),
    program(
      "motion-gateway",
      ["MotionModel", "MotionWire", "MotionLog", "MotionArguments", "MotionGateway", argumentParser, logging]),
    program(
      "motion-studio",
      [
        "MotionModel", "MotionWire", "MotionClient", "MotionLog", "MotionArguments", "MotionStudio", "LinuxSystem",
        argumentParser, logging,
      ]),
    program("tween", path: "plugins/tween", exclude: ["plugin.json"], ["MotionExecutors", "MotionExecutorKit"]),
    program(
      "gesture", path: "plugins/gesture", exclude: ["plugin.json"],
      ["MotionExecutors", "MotionExecutorKit"]),
    program("osc", path: "plugins/osc", exclude: ["plugin.json"], ["MotionExecutors", "MotionExecutorKit"]),
    program("dmx", path: "plugins/dmx", exclude: ["plugin.json"], ["MotionExecutors", "MotionExecutorKit"]),
    program(
      "motion-demo", path: "examples/demo",
      ["MotionModel", "MotionFiles", "MotionPhysics", "MotionWire", "MotionDrawing", "MotionClient", argumentParser]),

    // Tests, and what they share.
    library(
      "MotionTestKit", ["MotionModel", "MotionPhysics", "MotionStreams", "MotionCore", "MotionWire", "MotionLink"]),
    .testTarget(
      name: "MCAPTests", dependencies: ["MCAP", "MotionTestKit", "MCAPPeer"], exclude: ["Golden"],
      swiftSettings: strict),
    // Another reader and writer of the format, in Python.
    .target(name: "MCAPPeer", path: "Tests/Fixtures/MCAPPeer", exclude: ["peer.py"], swiftSettings: strict),
    tests(of: "MotionModel", ["MotionTestKit"]),
    tests(of: "MotionFiles", ["MotionModel", "MotionTestKit"]),
    tests(of: "MotionPhysics", ["MotionTestKit"]),
    tests(of: "LinuxSystem", ["MotionTestKit"]),
    tests(of: "ZeroMQ", ["CLinux", "LinuxSystem", "FaultyNetwork"]),
    tests(of: "MotionStreams", ["MotionModel", "MotionPhysics", "MotionTestKit"]),
    tests(of: "MotionWire", ["MCAP", "MotionModel", "MotionTestKit", protobuf]),
    .testTarget(
      name: "MotionDrawingTests", dependencies: ["MotionDrawing", "MotionModel"], exclude: ["Golden"],
      swiftSettings: strict),
    tests(
      of: "MotionCore",
      [
        "MotionModel", "MotionFiles", "MotionPhysics", "MotionStreams", "MotionExecutors", "MotionExecutorKit",
        "MotionTestKit", "Trajectories",
      ]),
    tests(of: "MotionHistory", ["MotionModel", "MotionWire", "MotionCore", "MotionTestKit"]),
    tests(of: "MotionLink", ["MotionModel", "MotionWire", "MotionTestKit"]),
    // One way to move interrupting another: played in one process and across processes.
    .target(
      name: "Trajectories", dependencies: ["MotionModel"], path: "Tests/Fixtures/Trajectories", swiftSettings: strict),
    tests(
      of: "MotionExecutors",
      [
        "MotionModel", "MotionFiles", "MotionPhysics", "MotionStreams", "MotionCore", "MotionTestKit", "Trajectories",
      ]),
    tests(
      of: "MotionExecutorKit",
      [
        "MotionModel", "MotionWire", "MotionStreams", "MotionCore", "MotionLink", "LinuxSystem", "ZeroMQ",
        "MotionExecutors",
        "MotionTestKit",
      ]),
    // The daemon's side of the client sockets, for tests of clients.
    .target(
      name: "FakeCoordinator", dependencies: ["MotionModel", "MotionWire", "LinuxSystem", "ZeroMQ"],
      path: "Tests/Fixtures/FakeCoordinator", swiftSettings: strict),
    tests(of: "MotionClient", ["MotionModel", "MotionWire", "LinuxSystem", "ZeroMQ", "FakeCoordinator"]),
    // How tests declare the faults that they bring about; docs/faults.md is made of that.
    .target(name: "Faults", path: "Tests/Fixtures/Faults", swiftSettings: strict),
    // What networks do, between peers and motiond.
    .target(
      name: "FaultyNetwork", dependencies: ["MotionTestKit", "LinuxSystem", "ZeroMQ"],
      path: "Tests/Fixtures/FaultyNetwork",
      swiftSettings: strict),
    // What SQLite does to its files, step by step, to see what a loss of power would leave of them.
    .target(
      name: "PowerLossVFS", path: "Tests/Fixtures/PowerLossVFS", linkerSettings: [.linkedLibrary("sqlite3")]),
    // The disk that this makes of it: it fails, and loses what was not synced.
    .target(
      name: "PowerLoss", dependencies: ["MotionJournal", "MotionTestKit", "PowerLossVFS"],
      path: "Tests/Fixtures/PowerLoss", swiftSettings: strict),
    .testTarget(
      name: "MotionJournalTests",
      dependencies: ["Faults", "MotionJournal", "MotionTestKit", "CSQLite", "PowerLoss", "PowerLossVFS", database],
      exclude: ["Version1"], swiftSettings: strict),
    .testTarget(
      name: "GoldenTests",
      dependencies: [
        "motionctl", "MotionModel", "MotionFiles", "MotionWire", "MotionDrawing", "MotionClient", "MotionCore",
        "MotionHistory", "MotionJournal", "MotionTestKit", "FakeCoordinator",
      ],
      path: "Tests/Golden", exclude: ["Help", "JSON", "Text"], swiftSettings: strict),
    tests(
      of: "MotionCoordinator",
      [
        "MotionModel", "MotionCore", "MotionWire", "MotionLink", "MotionJournal", "LinuxSystem", "ZeroMQ",
        "MotionTestKit",
      ]),
    tests(of: "MotionLog", ["LinuxSystem", "ZeroMQ", logging]),
    tests(
      of: "MotionStudio",
      ["MotionModel", "MotionFiles", "MotionWire", "MotionHistory", "MotionClient", "MotionTestKit"]),
    tests(of: "MotionGateway", ["MotionModel", "MotionWire", "LinuxSystem", "ZeroMQ"]),
    // All of it on a machine that is none.
    .testTarget(
      name: "SimulationTests",
      dependencies: [
        "MotionModel", "MotionPhysics", "MotionCore", "MotionWire", "MotionLink", "MotionExecutors",
        "MotionExecutorKit", "MotionClient", "MotionJournal", "MotionCoordinator", "MotionTestKit", "LinuxSystem",
        "ZeroMQ", "CSQLite",
        "PowerLoss", "PowerLossVFS", logging,
      ],
      exclude: ["Bugs", "bugs.sh"], swiftSettings: strict),
    .testTarget(name: "SoundnessTests", swiftSettings: strict),
    // What takes bytes from outside: `make fuzz` tries it with bytes that it makes up, tests with those of the corpora.
    .target(name: "CFuzzer", path: "Fuzzing/CFuzzer"),
    .target(
      name: "FuzzTargets",
      dependencies: [
        "MCAP", "MotionModel", "MotionFiles", "MotionPhysics", "MotionWire", "MotionCore", "MotionLink",
        "MotionExecutors", "MotionExecutorKit", "MotionClient", "MotionHistory", "MotionJournal", "MotionCoordinator",
        "MotionStudio", "LinuxSystem", "ZeroMQ", yams,
      ],
      path: "Fuzzing/Targets", swiftSettings: strict),
    program("motion-fuzz", path: "Fuzzing/Program", ["FuzzTargets", "CFuzzer"]),
    .testTarget(name: "FuzzTests", dependencies: ["FuzzTargets", "MotionTestKit"], swiftSettings: strict),
    program(
      "unruly", path: "Tests/Fixtures/unruly", exclude: ["plugin.json"],
      [
        "MotionModel", "MotionFiles", "MotionWire", "MotionStreams", "MotionCore", "MotionLink", "MotionExecutorKit",
        "LinuxSystem", "ZeroMQ", "CLinux",
      ]),
    // A motiond at work among faults, for as long as one likes.
    program(
      "motion-soak", path: "Tests/Soak",
      [
        "MotionModel", "MotionWire", "MotionClient", "MotionTestKit", "LinuxSystem", "ZeroMQ", "FaultyNetwork",
        "Trajectories",
        argumentParser,
      ]),
    .testTarget(name: "SoakTests", dependencies: ["motion-soak"], swiftSettings: strict),
  ]
)

// What tests compute with most. The Makefile has it optimised in debug builds as well, with its assertions. Of other targets
// the compiler takes as long as the tests gain: 93 s of a core for MotionCoordinator, 59 s for SimulationTests.
let computing: Set = [
  "MCAP", "MotionCore", "MotionJournal", "MotionJournalTests", "MotionLink", "MotionModel", "MotionPhysics",
  "MotionStreams", "PowerLoss", "motion-soak",
]
if Context.environment["MOTION_OPTIMISED"] != nil {
  for target in package.targets where computing.contains(target.name) {
    target.swiftSettings?.append(.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug)))
  }
}

// Who runs some of the tests builds these, by their names, and what they need: `make simulate`, `make tsan`.
if let wanted = Context.environment["MOTION_TESTS"]?.split(separator: " ").map(String.init) {
  package.targets.removeAll { $0.isTest && !wanted.contains($0.name) }
}
