import MotionCore
import MotionExecutors
import MotionModel
import MotionTestKit
import Testing
import Trajectories

/// The first promise, in one process: any intention interrupts any other, with value and velocity continuous.
///
/// Every ordered pair of ways to move, interrupted at random times. In each frame the value has to have gone as far as its
/// velocity says, and the velocity must not change by more than the strongest acceleration that there is explains, but
/// for what changes it by definition. `Tests/DistributedTests` plays the same dramas across processes.
struct OneTrajectoryTests {
  static let ratePerSecond = 120.0
  static let runsPerPair = 8

  // Clauses: S10.15
  @Test func `every way to move interrupts every other without a jump`() throws {
    var random = SeededRandom(seed: SeededRandom.seed(of: "oneTrajectory"))
    var report = Report()
    for pair in Pair.all {
      var largest = Jump()
      for _ in 0..<Self.runsPerPair {
        largest.widen(by: try Stage().play(Drama(pair, interruption: Int.random(in: 6...60, using: &random))))
      }
      report.add(largest, of: pair)
      #expect(largest.value < Jump.tolerance, "\(pair): \(largest.place)")
      #expect(pair.isFree || largest.velocity < Jump.strongest / Self.ratePerSecond, "\(pair)")
    }
    try report.publish(below: "In one process")
  }

  // Clauses: S10.15
  @Test func `a jump of two percent is found`() throws {
    let drama = Drama(Pair(.springTo, .tweenWithCarry), interruption: 24)
    #expect(try Stage().play(drama).value < Jump.tolerance)
    #expect(try Stage().play(drama, jumping: 2, inFrame: 30).value > Jump.tolerance)
  }
}

/// A runtime with every executor in its own process.
private final class Stage {
  private let runtime: Runtime

  init() throws {
    var registry = ExecutorRegistry()
    try registry.register(ExecutorDeclaration(TweenExecutor.self))
    try registry.register(ExecutorDeclaration(GestureExecutor.self))
    runtime = Runtime(registry: registry, ratePerSecond: OneTrajectoryTests.ratePerSecond)
  }

  /// Plays a drama; in one frame, and from there on, the value may be off by so much.
  func play(_ drama: Drama, jumping step: Double = 0, inFrame jumpingFrame: Int = 0) throws -> Jump {
    var jump = Jump()
    for (frame, cues) in drama.frames.enumerated() {
      for cue in cues { try say(cue) }
      runtime.advance()
      guard var state = runtime.state(of: "position", on: "ball") else { continue }
      if frame >= jumpingFrame { state.value[0] += step }
      jump.see(state, after: runtime.frame.dt)
    }
    return jump
  }

  private func say(_ cue: Drama.Cue) throws {
    switch cue {
    case .commit(let intention, let name):
      var transaction = Transaction()
      if let name {
        transaction.add(intention, named: name, to: "ball")
      } else {
        transaction.add(intention, to: "ball")
      }
      try runtime.commit(transaction)
    case .touch(let phase, let x):
      let time = runtime.frame.time + 1 / OneTrajectoryTests.ratePerSecond
      let event = PointerEvent(id: 1, phase, at: [x, 0], time: time)
      try runtime.submit(PointerInput("ball", from: "hand", [event]))
    }
  }
}
