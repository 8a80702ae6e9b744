import MotionExecutors
import MotionModel
import MotionTestKit
import Testing
import Trajectories

@testable import MotionCore

/// Any intention interrupts any other under limits: velocity, acceleration and jerk stay within them in every frame.
///
/// The pairs of ``OneTrajectoryTests`` and, in each place, MoveTo, Follow and Wave. Limits are drawn at random for each round.
struct LimitedTrajectoryTests {
  private static let rate = OneTrajectoryTests.ratePerSecond
  private static let roundsPerPair = 8

  /// A way to move under limits.
  enum LimitedWay: Hashable, CustomStringConvertible {
    case way(Way)
    case moveTo
    case follow
    case wave

    static let all = Way.allCases.map(LimitedWay.way) + [.moveTo, .follow, .wave]

    var description: String {
      switch self {
      case .way(let way): way.rawValue
      case .moveTo: "MoveTo"
      case .follow: "Follow"
      case .wave: "Wave"
      }
    }

    /// The way whose cues it has in a drama: it is committed in the place of a spring.
    var inDrama: Way { if case .way(let way) = self { way } else { .springTo } }
  }

  struct LimitedPair: CustomStringConvertible {
    let first, second: LimitedWay

    static let all = LimitedWay.all.flatMap { first in LimitedWay.all.map { Self(first: first, second: $0) } }

    var description: String { "\(first), \(second)" }
    /// Whether a MoveTo or a Follow has to know an acceleration that the other way has.
    var needsLimitsOfMoves: Bool { first == .moveTo || second == .moveTo }
  }

  /// Other limits in mid-move, or none.
  private enum Change: CaseIterable { case limits, lift }

  /// What a round observed.
  private struct Round {
    var limits: PropertyLimits
    var states: [(state: LimitedState, isHeldBack: Bool)] = []
    var interruption = 0
    /// What the driver demands; the state where nothing is between them.
    var demands: [PropertyState] = []
    /// What drives it.
    var drivers: [ExecutorHandle?] = []
    /// The first frame under other limits, or none.
    var change: (frame: Int, setting: LimitSetting)?

    /// Judges it, with a change of one state.
    func judge(changing frame: Int? = nil, _ change: (inout LimitedState) -> Void = { _ in }) -> LimitJudge {
      var judge = LimitJudge(limits, ratePerSecond: LimitedTrajectoryTests.rate)
      for (index, observed) in states.enumerated() {
        var state = observed.state
        if index == frame { change(&state) }
        if index == interruption { judge.interrupt() }
        if let made = self.change, made.frame == index {
          // Without limits there is nothing to keep.
          guard case .limits(let limits) = made.setting else { break }
          judge.change(to: limits)
        }
        judge.see(state, isHeldBack: observed.isHeldBack)
      }
      return judge
    }
  }

  /// A MoveTo with limits of its own, which the accelerations of all other ways are within.
  private static let (maxVelocity, maxAcceleration, maxJerk) = (1e4, 1e5, 1e5)

  private static func play(
    _ pair: LimitedPair, isLimited: Bool = true, changing change: Change? = nil,
    after interruption: ClosedRange<Int> = -5...25, _ random: inout SeededRandom
  ) throws -> Round {
    var registry = ExecutorRegistry()
    try registry.register(ExecutorDeclaration(TweenExecutor.self))
    try registry.register(ExecutorDeclaration(GestureExecutor.self))
    let runtime = Runtime(registry: registry, ratePerSecond: rate)
    let drama = Drama(
      Pair(pair.first.inDrama, pair.second.inDrama), interruption: Int.random(in: 6...60, using: &random))
    var round = Round(
      limits: isLimited ? .random(isComplete: pair.needsLimitsOfMoves, using: &random) : PropertyLimits(),
      interruption: drama.interruption)
    if isLimited {
      var transaction = Transaction()
      transaction.limit("position", of: "ball", round.limits)
      try runtime.commit(transaction)
    }
    // A MoveTo without limits of its own needs those of its property when it is committed.
    runtime.advance()
    let changed = change.map { _ in drama.interruption + Int.random(in: interruption, using: &random) }
    var hasLimits = isLimited
    for (frame, cues) in drama.frames.enumerated() {
      let time = runtime.frame.time + 1 / rate
      if frame == changed {
        let limits = PropertyLimits.random(isComplete: pair.needsLimitsOfMoves, using: &random)
        let setting = change == .lift ? LimitSetting.none : .limits(limits)
        hasLimits = change == .limits
        var transaction = Transaction()
        switch setting {
        case .none: transaction.liftLimits("position", of: "ball")
        case .limits(let limits): transaction.limit("position", of: "ball", limits)
        }
        try runtime.commit(transaction)
        round.change = (round.states.count, setting)
      }
      for cue in cues { try say(cue, of: pair, at: time, hasLimits: hasLimits, to: runtime) }
      runtime.advance()
      guard let slot = runtime.plans.find(PropertyReference("ball", "position")) else {
        round.interruption -= 1
        continue
      }
      let properties = runtime.movement.properties
      let acceleration = properties.governors.acceleration(of: slot) ?? [0, 0]
      let state = LimitedState(properties.state(at: slot), acceleration: acceleration)
      round.states.append((state, properties.isHeldBack(slot)))
      round.demands.append(properties.demand(at: slot))
      round.drivers.append(properties[slot].stack.driver)
    }
    return round
  }

  private static func say(
    _ cue: Drama.Cue, of pair: LimitedPair, at time: Double, hasLimits: Bool, to runtime: Runtime
  ) throws {
    switch cue {
    case .commit(var intention, let name):
      var transaction = Transaction()
      if let name, let destination = intention["destination"] ?? intention["to"], case .vector(let place) = destination
      {
        switch name == "first" ? pair.first : pair.second {
        case .way: break
        case .moveTo:
          intention = .moveTo("position", place)
          guard hasLimits else {
            intention = .moveTo(
              "position", place, maxVelocity: maxVelocity, maxAcceleration: maxAcceleration, maxJerk: maxJerk)
            break
          }
        case .follow:
          let input: InputName = name == "first" ? "one" : "two"
          intention = .follow("position", input)
          let value = InputValue(input, place, time: time)
          try runtime.submit(InputValues(from: "desk", [value]))
        case .wave:
          intention = .wave(
            "position", rate: 0.4, offset: Lanes(0.8 * place.storage, count: 2),
            amplitude: Lanes(0.2 * place.storage, count: 2), fade: .milliseconds(600))
        }
      }
      if let name {
        transaction.add(intention, named: name, to: "ball")
      } else {
        transaction.add(intention, to: "ball")
      }
      try runtime.commit(transaction)
    case .touch(let phase, let place):
      try runtime.submit(PointerInput("ball", from: "hand", [PointerEvent(id: 1, phase, at: place, time: time)]))
    }
  }

  // Clauses: S19.4, S9.31, S10.15
  @Test func `every way to move interrupts every other within random limits of acceleration and jerk`() throws {
    var report = Report()
    var random = SeededRandom(seed: SeededRandom.seed(of: "limitedTrajectory"))
    var all = LimitJudge.Use()
    for pair in LimitedPair.all {
      var use = LimitJudge.Use()
      for _ in 0..<SeededRandom.rounds(Self.roundsPerPair) {
        let round = try Self.play(pair, &random)
        let judge = round.judge()
        #expect(judge.violations.isEmpty, "\(pair) under \(round.limits): \(judge.violations.prefix(3))")
        #expect(round.states.count > 80)
        use.widen(by: judge.use)
      }
      all.widen(by: use)
      report.add(use, first: "\(pair.first)", then: "\(pair.second)")
    }
    // The limits hold many movements back, and interruptions come in full acceleration.
    #expect(all.heldBack > 100 && all.inherited > 0.9 && all.jerk > 0.99 && all.acceleration > 0.99)
    try report.publish(below: "Under limits")
  }

  // Clauses: S19.4
  @Test(arguments: LimitedWay.all) func `an injected jump of acceleration or velocity is detected`(
    _ first: LimitedWay
  ) throws {
    var random = SeededRandom(seed: SeededRandom.seed(of: "limitedTrajectory \(first)"))
    var (jumps, losses) = (0, 0)
    for second in LimitedWay.all {
      var round = try Self.play(LimitedPair(first: first, second: second), &random)
      while round.limits.jerk == nil { round = try Self.play(LimitedPair(first: first, second: second), &random) }
      let step = (round.limits.jerk?[0] ?? 0) / Self.rate
      for frame in [round.interruption, round.interruption + 5] {
        jumps += 1
        // Whatever the true change is, one of this size is more than the limit.
        let jumped = round.judge(changing: frame) { $0.acceleration?.storage[0] += 2.1 * step }
        #expect(!jumped.violations.isEmpty, "\(first), \(second)")
        let thrown = round.judge(changing: frame) {
          $0.state.velocity.storage[0] += 2.1 * (round.limits.acceleration?[0] ?? 0) / Self.rate
        }
        #expect(!thrown.violations.isEmpty, "\(first), \(second)")
      }
      // A driver that discards the acceleration it finds.
      for (frame, observed) in round.states.enumerated() where frame > 0 {
        guard let former = round.states[frame - 1].state.acceleration?[0], abs(former) > 1.01 * step,
          let now = observed.state.acceleration?[0], abs(now) > 1e-9
        else { continue }
        losses += 1
        let lost = round.judge(changing: frame) { $0.acceleration?.storage[0] = 0 }
        #expect(!lost.violations.isEmpty)
        break
      }
    }
    #expect(jumps == 2 * LimitedWay.all.count && losses > 0)
  }

  // Clauses: S19.9, S10.15
  @Test func `limits that change in mid-move are exceeded only as far as is inevitable`() throws {
    var random = SeededRandom(seed: SeededRandom.seed(of: "changedLimits"))
    var (excesses, missed) = (0, 0)
    for pair in LimitedPair.all {
      for _ in 0..<SeededRandom.rounds(Self.roundsPerPair) {
        let round = try Self.play(pair, changing: .limits, &random)
        let judge = round.judge()
        let change = try #require(round.change)
        let context = "\(pair) under \(round.limits), from frame \(change.frame) \(change.setting)"
        #expect(judge.violations.isEmpty, "\(context): \(judge.violations.prefix(3))")
        // The same course would violate the new limits, had they been in effect before.
        if judge.excesses > 0 { excesses += 1 }
        let jumped = round.judge(changing: change.frame + 2) {
          $0.state.velocity.storage[0] += 4 * max(6_000, abs($0.acceleration?[0] ?? 0)) / Self.rate
        }
        if jumped.violations.isEmpty { missed += 1 }
      }
    }
    #expect(8 * excesses > LimitedPair.all.count * SeededRandom.rounds(Self.roundsPerPair))
    #expect(missed == 0)
  }

  // Clauses: S19.10, S10.15
  @Test func `limits that are lifted in mid-move leave a difference that fades`() throws {
    var random = SeededRandom(seed: SeededRandom.seed(of: "liftedLimits"))
    // The frames in which a difference faded, and the plans that interrupted one.
    var (faded, interrupted) = (0, 0)
    for pair in LimitedPair.all {
      for count in 0..<SeededRandom.rounds(Self.roundsPerPair) {
        // In every other round a plan interrupts what may still fade.
        let range = count.isMultiple(of: 2) ? -5...(-1) : -5...25
        let round = try Self.play(pair, changing: .lift, after: range, &random)
        #expect(round.judge().violations.isEmpty)
        let (lift, states) = (try #require(round.change).frame, round.states.map(\.state.state))
        guard lift > 0 else { continue }
        var jump = Jump()
        jump.see(states[lift - 1], after: 1 / Self.rate)
        for frame in lift..<states.count {
          let (now, demand) = (states[frame], round.demands[frame])
          // A property without a driver stands at once, where it was moved in this frame.
          if now.velocity[0] == 0, frame > 0, abs(now.value[0] - states[frame - 1].value[0]) > 0 {
            let (way, most) = (now.value[0] - states[frame - 1].value[0], states[frame - 1].velocity[0] / Self.rate)
            // A hand may have gone on changing its velocity as in the frame before.
            let change = frame > 1 ? abs(states[frame - 1].velocity[0] - states[frame - 2].velocity[0]) / Self.rate : 0
            #expect(abs(way - most / 2) < abs(most / 2) + change / 2 + Injection.step / 4, "\(pair), frame \(frame)")
            jump = Jump()
          }
          jump.see(now, after: 1 / Self.rate, carries: "\(pair)".contains("with carry"))
          // A difference is that which was left, and another plan begins where the property is.
          guard now != demand else { continue }
          faded += 1
          if frame == round.interruption - 1 { interrupted += 1 }
          // Of a plan that has just begun, or drives again after another, no demand was known.
          let drivers = Set(round.drivers[max(0, lift - 2)...lift])
          guard abs(lift - round.interruption) > 1, drivers.count == 1 else { continue }
          for lane in 0..<2 {
            let left = Jump.left(
              of: (states[lift - 1], round.demands[lift - 1]), Double(frame - lift + 1) / Self.rate, lane: lane)
            #expect(abs(now.value[lane] - demand.value[lane] - left) < 1e-6, "\(pair), frame \(frame - lift)")
          }
        }
        #expect(jump.value < Injection.step / 4, "\(pair) under \(round.limits), lifted in \(lift): \(jump.place)")
      }
    }
    #expect(faded > 4 * LimitedPair.all.count && interrupted > 0)
  }

  /// The acceleration at the end of a frame, by the values and velocities at both ends: the cubic through them.
  private static func acceleration(from last: PropertyState, to now: PropertyState, lane: Int) -> Double {
    let way = now.value[lane] - last.value[lane]
    return (2 * last.velocity[lane] + 4 * now.velocity[lane]) * rate - 6 * way * rate * rate
  }

  // Clauses: S9.31, S10.15
  @Test func `a move without limits of its property continues the acceleration of every way to move`() throws {
    var random = SeededRandom(seed: SeededRandom.seed(of: "moveContinuesAcceleration"))
    // The accelerations that a move could have lost: a loss of one of them fails this test.
    var substantial = 0
    for first in LimitedWay.all where first != .way(.draggable) {
      for _ in 0..<max(3, SeededRandom.rounds(24)) {
        let round = try Self.play(LimitedPair(first: first, second: .moveTo), isLimited: false, &random)
        let states = round.states.map(\.state.state)
        let at = round.interruption
        // A property that came to rest has snapped to its place.
        guard at >= 2, states[at - 1].velocity[0] != 0 else { continue }
        for lane in 0..<2 {
          let inherited = Self.acceleration(from: states[at - 2], to: states[at - 1], lane: lane)
          let begun = (states[at].velocity[lane] - states[at - 1].velocity[lane]) * Self.rate
          // Half of what the jerk changes in a frame, and the error of the cubic: the fourth derivative of the hardest
          // spring.
          let allowance = 0.5 * Self.maxJerk / Self.rate + 0.02 * abs(inherited) + 150
          #expect(abs(begun - inherited) <= allowance, "\(first): \(inherited), then \(begun)")
          if abs(inherited) > 2 * allowance { substantial += 1 }
        }
      }
    }
    #expect(substantial >= 8)
  }
}
