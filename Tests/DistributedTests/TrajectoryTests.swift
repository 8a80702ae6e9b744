import MotionClient
import MotionModel
import MotionTestKit
import MotionWire
import Testing
import Trajectories

extension TimedTests {
  /// The first promise, across processes: springs in the daemon, tweens and pointers in workers, seen by a subscriber
  /// in a further process; the same dramas as in one process (OneTrajectoryTests of MotionExecutors).
  ///
  /// Each pair is also played under limits that are drawn at random.
  @Suite struct TrajectoryTests {
    static let ratePerSecond = 120.0
    static let runsPerPair = 8
    static let limitedRunsPerPair = 3
    private static let attempts = 4

    /// Frame by frame, so that every pointer is where the drama needs it in each frame, however busy the machine is.
    // Clauses: S10.15, S19.4
    @Test(arguments: Way.allCases) func `every way to move interrupts every other without a jump, step by step`(
      _ first: Way
    ) throws {
      // A step that timed out, on a machine that is too busy, does not count: then all is played once more.
      for attempt in 1...Self.attempts {
        let stage = try Stage(of: Pair.all.filter { $0.first == first })
        try stage.client.clock(.pause)
        for frame in 0..<stage.length {
          try stage.say(frame)
          try stage.client.clock(.step(1))
        }
        guard try stage.client.status()["step-timeouts"] == 0 || attempt == Self.attempts else { continue }
        try stage.watcher.listen("the last frame") { (stage.watcher.frames.last?.frame ?? 0) >= stage.lastFrame }
        return try stage.judge(.stepByStep, publishingBelow: "Across processes, step by step")
      }
    }

    /// While time runs and workers answer when they can. Pointers are left out: a pointer's movement in a frame would
    /// depend on when the test sends it.
    // Clauses: S10.15, S19.4
    @Test func `every way without a pointer interrupts every other without a jump, while time runs`() throws {
      let stage = try Stage(of: Pair.all.filter { !$0.first.needsHand && !$0.second.needsHand })
      try stage.say(0)
      for frame in 1..<stage.length {
        try stage.watcher.listen("frame \(frame)") { (stage.watcher.frames.last?.frame ?? 0) >= UInt64(frame) }
        try stage.say(frame)
      }
      try stage.watcher.listenUntilIdle(stage.client)
      try stage.judge(.running, publishingBelow: "Across processes, while time runs")
    }
  }
}

/// A daemon that plays many dramas at once, each on a target of its own.
private final class Stage {
  let client: MotionClient
  let watcher: Watcher
  private let daemon: Daemon
  private let dramas: [(target: TargetName, drama: Drama, limits: PropertyLimits?)]
  /// By frame of the dramas: the daemon's frame that applied the transaction committed before it.
  private var applied: [Int: UInt64] = [:]

  init(of pairs: [Pair]) throws {
    var random = SeededRandom(seed: SeededRandom.seed(of: "trajectories"))
    let runs = TimedTests.TrajectoryTests.runsPerPair
    dramas = try pairs.flatMap { pair in
      try (1...runs + TimedTests.TrajectoryTests.limitedRunsPerPair).map { run in
        let target = try TargetName("\(pair.first)-\(pair.second)-\(run)".replacing(" ", with: "-"))
        let drama = Drama(pair, interruption: Int.random(in: 6...60, using: &random))
        return (target, drama, run > runs ? .random(using: &random) : nil)
      }
    }
    daemon = try Daemon([.tween(), .gestures()], rate: TimedTests.TrajectoryTests.ratePerSecond)
    client = try daemon.connect()
    // The workers are ready before it begins: pointer input for a worker that is not yet ready is discarded.
    try client.add(.tween("level", to: 1, duration: .milliseconds(50)), .draggable(), to: "prelude")
    _ = try client.awaitReady("tween")
    _ = try client.awaitReady("gesture")
    var transaction = Transaction()
    for case (let target, _, let limits?) in dramas { transaction.limit("position", of: target, limits) }
    _ = try client.commit(transaction)
    try client.awaitIdle()
    watcher = try Watcher(client, .motion(.everything))
  }

  /// The number of frames of the longest drama.
  var length: Int { dramas.map(\.drama.frames.count).max() ?? 0 }

  /// The daemon's frame that is the last of the longest drama, or the one before.
  var lastFrame: UInt64 { (applied[0] ?? 0) + UInt64(length) - 2 }

  /// Sends the cues that precede a frame.
  func say(_ frame: Int) throws {
    var transaction = Transaction()
    var touches: [PointerInput] = []
    for (target, drama, _) in dramas where frame < drama.frames.count {
      for cue in drama.frames[frame] {
        switch cue {
        case .commit(let intention, let name?): transaction.add(intention, named: name, to: target)
        case .commit(let intention, nil): transaction.add(intention, to: target)
        case .touch(let phase, let place):
          touches.append(PointerInput(target, from: "hand", [PointerEvent(id: 1, phase, at: place, time: 0)]))
        }
      }
    }
    if !transaction.log.isEmpty { applied[frame] = try client.commit(transaction).frame }
    for touch in touches { try client.send(touch) }
  }

  /// Judges the received values, pair by pair; and the same values with injected jumps.
  func judge(_ stage: Judge.Stage, publishingBelow heading: String) throws {
    #expect(watcher.missed == 0)
    try judgeLimits()
    let courses = try courses(on: stage)
    var report = Report()
    for pair in Pair.all {
      guard let ofPair = courses[pair] else { continue }
      var (verdict, injection) = (Verdict(), Injection())
      for course in ofPair {
        verdict.widen(by: Judge.judge(course))
        injection.injectAll(into: course, of: pair)
      }
      report.add(verdict, of: pair)
      let isContinuous = verdict.isContinuous
      #expect(isContinuous, "\(pair): \(verdict.places.prefix(3))")
      #expect(verdict.excursion.share < 1.001, "\(pair): \(verdict.excursion)")
      #expect(injection.missed == [])
      // While time runs, the second plan may arrive before the first sample of the first.
      #expect(injection.steps >= (stage == .running ? 2 : 4) * ofPair.count)
    }
    try report.publish(below: heading)
  }

  /// Judges the received values under limits, whether or not a worker was late; and the same values with injected jumps.
  private func judgeLimits() throws {
    let (first, last) = (try #require(applied[0]), try #require(watcher.frames.last?.frame))
    let heard = heard()
    var use = LimitJudge.Use()
    var held = 0
    for case (let target, let drama, let limits?) in dramas {
      let ofTarget = try #require(heard[target], "nothing was heard of \(target)")
      // Without a value in a frame it is unchanged.
      var states: [PropertyState] = []
      for frame in first...last {
        guard let state = ofTarget[frame]?.state ?? states.last else { continue }
        states.append(state)
      }
      let judge = Self.judge(states, under: limits)
      #expect(judge.violations.isEmpty, "\(target) under \(limits): \(judge.violations.prefix(3))")
      #expect(states.count > 80)
      use.widen(by: judge.use)
      held += judge.use.acceleration > 0.99 ? 1 : 0
      for frame in [drama.interruption - 1, drama.interruption + 5] {
        var (thrown, moved) = (states, states)
        let change = (limits.acceleration?[0] ?? 0) / TimedTests.TrajectoryTests.ratePerSecond
        thrown[frame].velocity.storage[0] += 2.1 * change
        moved[frame].value.storage[0] += Injection.step
        for other in [thrown, moved] {
          #expect(!Self.judge(other, under: limits).violations.isEmpty, "\(target): injected in frame \(frame)")
        }
      }
    }
    // The limits hold many movements back.
    #expect(use.acceleration > 0.99 && use.jerk > 0.99)
    let limited = dramas.count { $0.limits != nil }
    #expect(5 * held > limited)
    #expect(try client.status()["limit-entries"] ?? 0 > limited / 5)
  }

  private static func judge(_ states: [PropertyState], under limits: PropertyLimits) -> LimitJudge {
    var judge = LimitJudge(limits, ratePerSecond: TimedTests.TrajectoryTests.ratePerSecond)
    for state in states { judge.see(LimitedState(state, acceleration: nil), isHeldBack: false) }
    return judge
  }

  /// The received values of each target, by frame.
  private func heard() -> [TargetName: [UInt64: PropertyValue]] {
    var heard: [TargetName: [UInt64: PropertyValue]] = [:]
    for frame in watcher.frames {
      #expect(abs(frame.dt * TimedTests.TrajectoryTests.ratePerSecond - 1) < 1e-6)
      for property in frame.properties where property.reference.property == "position" {
        heard[property.reference.target, default: [:]][frame.frame] = property
      }
    }
    return heard
  }

  /// The received values of each drama, from its first frame on; a property without a value in a frame is at rest.
  private func courses(on stage: Judge.Stage) throws -> [Pair: [Course]] {
    let first = try #require(applied[0])
    let rate = TimedTests.TrajectoryTests.ratePerSecond
    let heard = heard()
    let last = try #require(watcher.frames.last?.frame)
    var courses: [Pair: [Course]] = [:]
    for case (let target, let drama, nil) in dramas {
      let ofTarget = try #require(heard[target], "nothing was heard of \(target)")
      let frames = drama.frames.indices.map { index in applied[index].map { Int($0 - first) } ?? index }
      var course = Course(for: Judge(drama, on: stage, ratePerSecond: rate, frames: frames))
      for frame in first...last {
        course.append(ofTarget[frame]?.state)
      }
      // The worker was late, or still has to catch up: all that is known of the property is in its velocities.
      if stage == .running, ofTarget.values.contains(where: \.isLate) {
        #expect(course.astray.isWithin(Verdict.limit), "however late, one lane follows the other")
        try judge(late: ofTarget.keys.sorted().compactMap { ofTarget[$0] }, of: drama.pair)
        continue
      }
      courses[drama.pair, default: []].append(course)
    }
    return courses
  }

  /// Checks that the values of a late property follow the velocity, within a quarter of the jump that has to be found.
  private func judge(late states: [PropertyValue], of pair: Pair) throws {
    var jump = Jump()
    let carries = pair.first == .tweenWithCarry || pair.second == .tweenWithCarry
    for state in states {
      jump.see(state.state, after: 1 / TimedTests.TrajectoryTests.ratePerSecond, carries: carries)
    }
    #expect(jump.value < Injection.step / 4, "\(pair): \(jump.place)")
  }
}
