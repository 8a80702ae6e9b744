// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Benchmarks",
  dependencies: [
    .package(name: "motiond", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.1.4"),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
  ],
  targets: [
    // What is compared with: the bare loops, bare libzmq, and a count of allocations.
    .target(
      name: "CReference", cSettings: [.unsafeFlags(["-O3", "-ffp-contract=off"])],
      linkerSettings: [.linkedLibrary("zmq")]),
    .executableTarget(
      name: "motion-bench",
      dependencies: [
        "CReference",
        .product(name: "MotionModel", package: "motiond"),
        .product(name: "MotionPhysics", package: "motiond"),
        .product(name: "MotionStreams", package: "motiond"),
        .product(name: "MotionCore", package: "motiond"),
        .product(name: "MotionWire", package: "motiond"),
        .product(name: "MotionHistory", package: "motiond"),
        .product(name: "MotionJournal", package: "motiond"),
        .product(name: "MotionClient", package: "motiond"),
        .product(name: "MotionExecutorKit", package: "motiond"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Histogram", package: "hdrhistogram-swift"),
        .product(name: "OpenCombine", package: "OpenCombine"),
      ],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
      ]),
  ]
)
