import Foundation
import Testing

@testable import MotionPhysics

/// Asks Ruckig (PyPI `ruckig`) for the durations of random moves, through Tests/Fixtures/Ruckig/states.py.
enum Ruckig {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  private static let python = root.appending(path: ".build/ruckig/bin/python3").path()

  static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: python) }

  /// The number of states of each kind, as `make test-all` sets it.
  static let states = ProcessInfo.processInfo.environment["MOTION_MOVES"].flatMap(Int.init)

  /// Random states of a kind, with the durations that Ruckig finds.
  static func records(_ kind: String, width: Int, count: Int) throws -> [RuckigRecord] {
    // Python's generator takes a seed of any size.
    let seed = SeededGenerator.fromEnvironment(kind).seed
    let file = FileManager.default.temporaryDirectory.appending(path: "moves-\(kind)-\(UUID().uuidString).bin")
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(filePath: python)
    process.arguments = [
      root.appending(path: "Tests/Fixtures/Ruckig/states.py").path(), String(seed), String(count), kind, file.path(),
    ]
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    let values = try Data(contentsOf: file).withUnsafeBytes { Array($0.bindMemory(to: Double.self)) }
    try #require(values.count == width * count)
    return stride(from: 0, to: values.count, by: width).map { RuckigRecord(values: values[$0..<$0 + width]) }
  }
}

/// A state, or several, with the duration that Ruckig found.
struct RuckigRecord {
  let values: ArraySlice<Double>

  subscript(index: Int) -> Double { values[values.startIndex + index] }

  func item(at offset: Int) -> MoveCase {
    MoveCase(
      from: MoveState(position: self[offset], velocity: self[offset + 1], acceleration: self[offset + 2]),
      position: self[offset + 3], velocity: self[offset + 4],
      limits: MoveLimits(
        maxVelocity: self[offset + 5], maxAcceleration: self[offset + 6], maxJerk: self[offset + 7]))
  }
}

/// How many durations differ from Ruckig's by more than 1e-8, relative to max(1, duration).
struct RuckigTally {
  private var equal = 0
  private var faster = 0
  private var slower: [String] = []
  private var withoutAnswer = 0
  private var inexact = 0

  mutating func add(_ duration: Double, _ other: Double, _ item: MoveCase) {
    let difference = (duration - other) / max(1, duration)
    if other.isNaN {
      withoutAnswer += 1
    } else if other < 0 {
      inexact += 1
    } else if difference.isNaN || difference > 1e-8 {
      slower.append("\(item): \(duration), Ruckig \(other)")
    } else if difference < -1e-8 {
      faster += 1
    } else {
      equal += 1
    }
  }

  /// A shorter duration is Ruckig's error, not ours: the limits are checked beside it.
  func expectNoneSlower(_ kind: String) {
    print(
      "\(kind): \(equal) equal, \(faster) faster, \(slower.count) slower; "
        + "Ruckig fails for \(withoutAnswer), misses the target for \(inexact)")
    #expect(slower.isEmpty, "\(slower.prefix(5))")
    #expect(equal > 0)
  }
}
