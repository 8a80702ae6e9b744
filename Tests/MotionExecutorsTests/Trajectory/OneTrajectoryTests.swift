import Glibc
import MotionCore
import MotionExecutors
import MotionModel
import MotionTestKit
import Testing

/// The first promise: any intention interrupts any other, with value and velocity continuous.
///
/// Every ordered pair of ways to move, interrupted at random times. In each frame the value has to have gone as far as its
/// velocity says (before the frame, after it, or between the two), and the velocity must not change by more than the
/// strongest acceleration that there is explains, but for what changes it by definition: a tween without carry, and a hand.
struct OneTrajectoryTests {
  static let ratePerSecond = 120.0
  static let runsPerPair = 8

  @Test func `every way to move interrupts every other without a jump`() throws {
    var random = SeededRandom(seed: SeededRandom.seed(of: "oneTrajectory"))
    var rows: [String] = []
    for first in Way.allCases {
      for second in Way.allCases {
        var largest = Jump()
        for _ in 0..<Self.runsPerPair {
          let drama = try Drama(first, second, at: Double.random(in: 0.05...0.5, using: &random))
          largest.widen(by: try drama.play())
        }
        rows.append("| \(first) | \(second) | \(rounded(largest.value)) | \(rounded(largest.velocity)) |")
        #expect(largest.value < Drama.tolerance, "\(first), then \(second)")
        let isFree = first.setsVelocity || second.setsVelocity
        #expect(isFree || largest.velocity < Drama.strongest / Self.ratePerSecond, "\(first), then \(second)")
      }
    }
    try publish(rows)
  }

  @Test func `a jump of two percent is found`() throws {
    let drama = try Drama(.springTo, .tweenWithCarry, at: 0.2)
    drama.injectedJump = 2
    #expect(try drama.play().value > Drama.tolerance)
  }

  /// Writes the table anew when asked to.
  private func publish(_ rows: [String]) throws {
    guard getenv("MOTION_UPDATE_TRAJECTORY") != nil else { return }
    let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    let file = try #require(fopen("/\(root)/docs/one-trajectory.md", "w"))
    defer { fclose(file) }
    fputs(Self.heading + rows.joined(separator: "\n") + "\n", file)
  }

  private func rounded(_ number: Double) -> String { "\((number * 1000).rounded() / 1000)" }

  private static let heading = """
    # One trajectory

    Any intention interrupts any other, with value and velocity continuous. This table is written by the tests
    (`MOTION_UPDATE_TRAJECTORY=1 swift test --filter OneTrajectoryTests`): for every ordered pair, interrupted at 8 random times
    within movements of about 100 units at 120 frames a second, in one process, the largest step of the value beyond what its
    velocity explains (it has to stay below 0.5), and the largest change of the velocity in a frame, per second.

    A tween without carry changes the velocity by definition, a hand brings its own, and rest snaps by at most a tenth of the
    threshold; the others stay within what the strongest spring here explains. Hand-overs between processes are tested by
    `Tests/DistributedTests` (WorkerTests, GestureTests) and not in this table.

    | first | then | largest step, units | largest change of velocity, units/s |
    |---|---|---|---|

    """
}

/// The largest discontinuities seen.
private struct Jump {
  var value = 0.0
  var velocity = 0.0

  mutating func widen(by other: Jump) {
    value = max(value, other.value)
    velocity = max(velocity, other.velocity)
  }
}

/// A way to move a property.
private enum Way: String, CaseIterable, CustomStringConvertible {
  case anchoredSpring = "AnchoredSpring"
  case springTo = "SpringTo"
  case friction = "Friction"
  case tweenWithoutCarry = "Tween without carry"
  case tweenWithCarry = "Tween with carry"
  case draggable = "Draggable"
  case tossable = "Tossable"

  var description: String { rawValue }
  var needsHand: Bool { self == .draggable || self == .tossable }
  var setsVelocity: Bool { needsHand || self == .tweenWithoutCarry }

  func intention(to destination: Lanes) -> Intention {
    switch self {
    case .anchoredSpring: .anchoredSpring("position", destination)
    case .springTo: .springTo("position", destination)
    case .friction: .friction("position", coefficient: 3)
    case .tweenWithoutCarry:
      .tween("position", to: destination, easing: "ease-in-out", duration: .milliseconds(600), carries: false)
    case .tweenWithCarry: .tween("position", to: destination, easing: "ease-in-out", duration: .milliseconds(600))
    case .draggable: .draggable(slop: 0)
    case .tossable: .tossable(destination: destination, slop: 0)
    }
  }
}

/// One way to move, interrupted by another.
private final class Drama {
  /// A fortieth of the way, and a quarter of the jump that has to be found.
  static let tolerance = 0.5
  /// The strongest acceleration: a spring of tension 342 at 150 units with friction 30 at 1,500 a second, and what a fade of
  /// 150 ms adds to it.
  static let strongest = 342.0 * 150 + 30 * 1500 + 40_000

  var injectedJump = 0.0
  private let runtime: Runtime
  private let first: Way
  private let second: Way
  private let interruption: Int
  private var last: PropertyState?
  private var jump = Jump()

  init(_ first: Way, _ second: Way, at time: Double) throws {
    var registry = ExecutorRegistry()
    try registry.register(ExecutorDeclaration(TweenExecutor.self))
    try registry.register(ExecutorDeclaration(GestureExecutor.self))
    runtime = Runtime(registry: registry, ratePerSecond: OneTrajectoryTests.ratePerSecond)
    (self.first, self.second) = (first, second)
    interruption = Int(time * OneTrajectoryTests.ratePerSecond)
  }

  func play() throws -> Jump {
    // Friction needs something to brake.
    if first == .friction { try commit(.springTo("position", [0, 0], initialVelocity: [400, 0]), named: nil) }
    try commit(first.intention(to: [100, 0]), named: "first")
    if first.needsHand { try touch(.down, at: 0) }
    advance()
    for frame in 1...interruption {
      if first.needsHand { try touch(.move, at: way(frame)) }
      advance()
    }
    // A finger lifts where it is going, not where it was.
    if first.needsHand { try touch(.up, at: way(interruption + 1)) }
    if first == .tossable { for _ in 1...10 { advance() } }
    try interrupt()
    for frame in 1...90 {
      if second.needsHand, frame < 40 { try touch(.move, at: way(frame)) }
      if second.needsHand, frame == 40 { try touch(.up, at: way(40)) }
      advance()
    }
    return jump
  }

  private func interrupt() throws {
    try commit(second.intention(to: [-20, 0]), named: "second")
    if second == .tossable { for _ in 1...10 { advance() } }
    if second.needsHand {
      // What is to be dragged has to be there first.
      if second == .draggable { advance() }
      try touch(.down, at: 0)
      advance()
    }
  }

  /// Where the hand is after so many frames: it sways.
  private func way(_ frame: Int) -> Double { 60 * sin(Double(frame) / 25) }

  private func touch(_ phase: PointerEvent.Phase, at x: Double) throws {
    let event = PointerEvent(id: 1, phase, at: [x, 0], time: runtime.frame.time + 1 / OneTrajectoryTests.ratePerSecond)
    try runtime.submit(PointerInput("ball", from: "hand", [event]))
  }

  private func commit(_ intention: Intention, named name: IntentionName?) throws {
    var transaction = Transaction()
    if let name { transaction.add(intention, named: name, to: "ball") } else { transaction.add(intention, to: "ball") }
    try runtime.commit(transaction)
  }

  private func advance() {
    runtime.advance()
    guard var now = runtime.state(of: "position", on: "ball") else { return }
    now.value[0] += injectedJump
    defer { last = runtime.state(of: "position", on: "ball") }
    guard let last else { return }
    let way = now.value[0] - last.value[0]
    let (before, after) = (last.velocity[0] * runtime.frame.dt, now.velocity[0] * runtime.frame.dt)
    jump.widen(
      by: Jump(
        value: min(abs(way - before), abs(way - after), abs(way - (before + after) / 2)),
        velocity: abs(now.velocity[0] - last.velocity[0])))
  }
}
