import MotionCore
import MotionExecutors
import MotionModel
import MotionTestKit
import Testing
import Trajectories

/// The first promise, in one process: any intention interrupts any other, with value and velocity continuous.
///
/// Every ordered pair of ways to move, interrupted at random times and judged frame by frame (see ``Judge``).
/// `Tests/DistributedTests` plays the same dramas across processes.
struct OneTrajectoryTests {
  static let ratePerSecond = 120.0
  static let runsPerPair = 8
  /// When velocity is high in every way to move.
  private static let inFullMotion = 12

  private static func courses(of pair: Pair) throws -> [Course] {
    var random = SeededRandom(seed: SeededRandom.seed(of: "oneTrajectory \(pair)"))
    return try (0..<runsPerPair).map { _ in
      try Stage().play(Drama(pair, interruption: Int.random(in: 6...60, using: &random)))
    }
  }

  // Clauses: S10.15
  @Test func `every way to move interrupts every other without a jump`() throws {
    var report = Report()
    var (snap, widest) = (0.0, 0.0)
    for pair in Pair.all {
      var verdict = Verdict()
      for course in try Self.courses(of: pair) { verdict.widen(by: Judge.judge(course)) }
      #expect(verdict.isContinuous, "\(pair): \(verdict.places.prefix(3))")
      #expect(!verdict.handOvers.isEmpty)
      #expect(verdict.hand > 0 || !pair.first.needsHand && !pair.second.needsHand)
      // The excursion of a tween caused by its initial velocity is bounded, however high that was at the hand-over.
      #expect(verdict.excursion.share < 1.001, "\(pair): \(verdict.excursion)")
      widest = max(widest, verdict.excursion.share)
      snap = max(snap, verdict.snap)
      report.add(verdict, of: pair)
    }
    // A pair whose movements are all over before they are interrupted has none; for some pair the excursion comes near
    // its bound.
    #expect(widest > 0.5)
    // A tenth of the threshold; that of a position is 1.
    #expect(snap > 0 && snap <= 0.1)
    try report.publish(below: "In one process")
  }

  // Clauses: S10.15
  @Test(arguments: Pair.all) func `an injected jump of two percent or a lost velocity is detected`(
    _ pair: Pair
  ) throws {
    var injection = Injection()
    for course in try Self.courses(of: pair) { injection.injectAll(into: course, of: pair) }
    injection.injectAll(into: try Stage().play(Drama(pair, interruption: Self.inFullMotion)), of: pair)
    #expect(injection.missed == [])
    #expect(injection.steps >= 4 * Self.runsPerPair)
    #expect(injection.losses > 0 || !pair.keepsVelocity)
  }

  // Clauses: S10.15
  @Test(arguments: Way.allCases.filter { $0 != .draggable }, [Way.anchoredSpring, .springTo])
  func `a spring that discards the velocity it finds is detected`(_ first: Way, _ second: Way) throws {
    let drama = Drama(Pair(first, second), interruption: Self.inFullMotion, forgettingVelocity: true)
    let verdict = Judge.judge(try Stage().play(drama))
    #expect(!verdict.isContinuous)
    #expect(verdict.handOver.velocity > Injection.substantial)
  }

  // Clauses: S10.15
  @Test(arguments: Way.allCases) func `a tween without carry begins with its own velocity`(
    _ first: Way
  ) throws {
    let drama = Drama(Pair(first, .tweenWithoutCarry), interruption: Self.inFullMotion)
    let states = try Stage().play(drama).states
    // A property that is held by a hand is taken over with the frame after.
    let begun = drama.interruption + (first == .draggable ? 1 : 0)
    let way = abs(-20 - states[begun - 1].value)
    #expect(abs(states[begun - 1].velocity) > 50)
    // It begins slowly: ease-in-out bends by 3.8 near its ends, over 0.6 s.
    #expect(abs(states[begun].velocity) < way * 3.9 / 0.36 / Self.ratePerSecond)
    #expect(states[begun].velocity < 0)
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

  /// Plays a drama.
  func play(_ drama: Drama) throws -> Course {
    var course = Course(for: Judge(drama, on: .oneProcess, ratePerSecond: OneTrajectoryTests.ratePerSecond))
    for cues in drama.frames {
      for cue in cues { try say(cue) }
      runtime.advance()
      course.append(runtime.state(of: "position", on: "ball"))
    }
    return course
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
    case .touch(let phase, let place):
      let time = runtime.frame.time + 1 / OneTrajectoryTests.ratePerSecond
      let event = PointerEvent(id: 1, phase, at: place, time: time)
      try runtime.submit(PointerInput("ball", from: "hand", [event]))
    }
  }
}
