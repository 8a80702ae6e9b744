import MotionModel
import MotionPhysics

/// Foresees which plans of a transaction the limits of their properties will hold back, and which limits a property
/// overruns at once.
///
/// Each plan is played by itself, from the present state of its property, until limits hold it back. What other plans do
/// to the property before it begins is not known. Springs, tweens, moves and waves are played; where a hand, an input or a plugin
/// will go is not known.
struct LimitForecast {
  /// The most frames of lanes that are played for a transaction, on the loop: some 60 ns each.
  static let mostFrames = 8192
  /// The most frames of one plan, and the simulated time that they cover, in seconds.
  private static let framesOfPlan = 240

  private let runtime: Runtime
  private var left = Self.mostFrames
  /// The limits that the operations so far set, and those of the transactions that wait for the next frame.
  private var settings: [PropertyReference: LimitSetting] = [:]

  /// What limits will do; nothing if no property has any.
  static func limited(of transaction: Transaction, in runtime: Runtime) -> [Receipt.Limited] {
    var forecast = LimitForecast(runtime: runtime)
    for case .commit(_, let waiting) in runtime.queue.pending where waiting.log.count <= EffectForecast.mostPending {
      for case .limit(let property, let target, let setting) in waiting.log {
        forecast.settings[PropertyReference(target, property)] = setting
      }
    }
    guard runtime.plans.movement.properties.limits.count > 0 || !forecast.settings.isEmpty || transaction.setsLimits,
      transaction.log.count <= EffectForecast.mostOperations
    else { return [] }
    return forecast.play(transaction)
  }

  private init(runtime: Runtime) { self.runtime = runtime }

  private mutating func play(_ transaction: Transaction) -> [Receipt.Limited] {
    var found: [Receipt.Limited] = []
    for (index, operation) in transaction.log.enumerated() {
      guard left > 0, found.count < Limits.limitedInReceipt else { break }
      switch operation {
      case .add(let intention, _, let target):
        guard let (property, limits) = hold(intention, on: target) else { continue }
        found.append(Receipt.Limited(operation: index, property: property, limits: limits))
      case .limit(let property, let target, let setting):
        let reference = PropertyReference(target, property)
        settings[reference] = setting
        if let overrun = overrun(of: reference, under: setting) {
          found.append(Receipt.Limited(operation: index, property: property, limits: [.range], overrun: overrun))
        }
      case .remove, .removePlan, .forget, .group, .scene, .cues: break
      }
    }
    return found
  }

  /// The setting that holds for a property once the operations so far have been applied.
  private func setting(of reference: PropertyReference) -> LimitSetting? {
    settings[reference] ?? runtime.plans.movement.properties.limits[reference]
  }

  // MARK: Limits that are set

  /// How far a property that moves goes beyond a range that is set; `nil` if it can stop within it.
  private func overrun(of reference: PropertyReference, under setting: LimitSetting) -> Lanes? {
    guard case .limits = setting, let slot = runtime.plans.find(reference) else { return nil }
    let state = runtime.plans.movement.properties.state(at: slot)
    guard state.velocity.storage != .zero else { return nil }
    let governors = governors(of: reference, under: setting, from: state, slot)
    let overrun = Lanes(governors.map(\.overrun))
    return overrun.flatMap { $0.storage == .zero ? nil : $0 }
  }

  /// The governors of a property's lanes.
  private func governors(
    of reference: PropertyReference, under setting: LimitSetting, from state: PropertyState, _ slot: PropertyTable.Slot?
  ) -> [Governor] {
    let limits = PropertyTable.limits(
      of: setting, natural: KnownProperty.named(reference.property).range, lanes: state.value.count)
    let acceleration = slot.flatMap { runtime.drivers.moves.acceleration(at: $0, under: setting) }
    return limits.indices.map { lane in
      Governor(
        MoveState(
          position: state.value[lane], velocity: state.velocity[lane], acceleration: acceleration?[lane] ?? 0),
        limits: limits[lane])
    }
  }

  // MARK: Plans

  /// The property of a plan, and the limits that hold it back first; `nil` if there are none, or that is not known.
  private mutating func hold(
    _ intention: Intention, on target: TargetName
  ) -> (property: PropertyName, limits: [LimitKind])? {
    guard case .property(let property)? = intention["property"] else { return nil }
    let reference = PropertyReference(target, property)
    guard let setting = setting(of: reference), case .limits(let limits) = setting else { return nil }
    let slot = runtime.plans.find(reference)
    let present = slot.map { runtime.plans.movement.properties.state(at: $0) }
    let acceleration = slot.flatMap { runtime.plans.movement.properties.governors.acceleration(of: $0) }
    let time = runtime.position.frame.time
    guard let course = Course(intention, under: limits, of: property, from: present, acceleration, at: time)
    else { return nil }
    let restraint = restraint(of: course, governors(of: reference, under: setting, from: course.start, slot))
    return restraint.isEmpty ? nil : (property, EventLog.limits(in: restraint))
  }

  /// The limits that hold a course back first.
  private mutating func restraint(of course: Course, _ governors: [Governor]) -> Restraint {
    var (course, governors, restraint) = (course, governors, Restraint())
    for lane in governors.indices
    where course.reach.contains(where: { !governors[lane].limits.range.contains($0[lane]) }) {
      restraint.insert(.range)
    }
    let dt = 1 / runtime.ratePerSecond
    for frame in 1...Self.framesOfPlan where restraint.isSubset(of: .range) {
      left -= governors.count
      guard left > 0 else { break }
      let demand = course.advance(to: Double(frame) * dt, by: dt)
      // Where only a range limits a lane, a spring may swing beyond a bound before it ends within.
      for lane in governors.indices where !governors[lane].limits.isRangeOnly {
        governors[lane].follow(
          position: demand.value[lane], velocity: demand.velocity[lane], acceleration: demand.acceleration?[lane],
          dt: dt)
        restraint.formUnion(governors[lane].restraint)
      }
      if demand.isOver { break }
    }
    return restraint
  }
}

/// Where a plan moves its property by itself.
private struct Course {
  /// What the plan demands in a frame.
  struct Demand {
    var value: SIMD4<Double>
    var velocity: SIMD4<Double>
    /// Only of moves, as when they are carried out.
    var acceleration: SIMD4<Double>?
    var isOver = false
  }

  /// A law that gives the demand of each frame.
  private enum Law {
    case spring(ForceSum)
    case tween(TweenCurve)
    case move([TimeOptimalMove])
    case wave(Wave, Crossfade, since: Double)
  }

  /// Where the property is, or how a new one begins.
  let start: PropertyState
  /// Where the plan ends or rests, or the two places between which it moves.
  let reach: [Lanes]
  private let law: Law
  private var state: (value: SIMD4<Double>, velocity: SIMD4<Double>)
  private var step: LinearStep?

  /// - Parameters:
  ///   - limits: those of the property, which a move has where its plan states none.
  ///   - present: the state of the property, if it exists.
  ///   - acceleration: its acceleration, if its limits know it.
  ///   - time: the simulated time at which it begins, in seconds.
  init?(
    _ intention: Intention, under limits: PropertyLimits, of property: PropertyName, from present: PropertyState?,
    _ acceleration: Lanes?, at time: Double
  ) {
    func begin(_ lanes: Int) -> PropertyState {
      let initial = Lanes(SIMD4(repeating: KnownProperty.named(property).initialLane), count: lanes)
      return present ?? PropertyState(initial, velocity: .zero(count: lanes))
    }
    var initialVelocity: Lanes?
    let destination: Lanes
    var turns: [Lanes] = []
    switch intention.type {
    case SpringToIntention.description.type:
      guard let spring = try? SpringToIntention(intention) else { return nil }
      (destination, initialVelocity) = (spring.destination, spring.initialVelocity)
      law = .spring(ForceSum(spring: SpringCoefficients(spring.spring), anchor: destination.storage))
    case AnchoredSpringIntention.description.type:
      guard let spring = try? AnchoredSpringIntention(intention), intention["destination"] != nil else { return nil }
      (destination, initialVelocity) = (spring.destination, spring.initialVelocity)
      law = .spring(ForceSum(spring: SpringCoefficients(spring.spring), anchor: destination.storage))
    case TweenIntention.description.type:
      guard let tween = try? TweenIntention(intention), let last = tween.values.last else { return nil }
      destination = last
      guard let curve = try? TweenCurve(of: tween, from: begin(last.count)) else { return nil }
      law = .tween(curve)
    case MoveToIntention.description.type:
      guard let move = try? MoveToIntention(intention) else { return nil }
      destination = move.destination
      let from = begin(move.destination.count)
      let moves = (0..<move.destination.count).compactMap { lane in
        try? TimeOptimalMove.solve(
          from: MoveState(
            position: from.value[lane], velocity: from.velocity[lane], acceleration: acceleration?[lane] ?? 0),
          to: move.destination[lane], velocity: move.finalVelocity?[lane] ?? 0,
          limits: MoveLimits(move.limits.completed(by: limits.motion(lane: lane))),
          duration: move.minimumDuration.inSeconds)
      }
      guard moves.count == destination.count else { return nil }
      law = .move(moves)
    case WaveIntention.description.type:
      guard let plan = try? WaveIntention(intention) else { return nil }
      destination = plan.offset
      let (wave, from) = (Wave(plan), begin(plan.offset.count))
      turns = [-1.0, 1].map { Lanes(wave.offset + $0 * wave.amplitude, count: plan.offset.count) }
      let passage = Crossfade(
        value: from.value.storage, velocity: from.velocity.storage, duration: plan.fade.inSeconds)
      law = .wave(wave, passage, since: time)
    default: return nil
    }
    reach = [destination] + turns
    start = begin(destination.count)
    guard start.value.count == destination.count else { return nil }
    state = (start.value.storage, initialVelocity?.storage ?? start.velocity.storage)
  }

  /// What the plan demands at the end of a frame.
  ///
  /// - Parameters:
  ///   - time: the time since the plan began, in seconds.
  ///   - dt: the duration of the frame.
  mutating func advance(to time: Double, by dt: Double) -> Demand {
    switch law {
    case .spring(let forces):
      let step = step ?? LinearStep(forces: forces, dt: dt)
      self.step = step
      state = step.advance(value: state.value, velocity: state.velocity, forces: forces)
      return Demand(value: state.value, velocity: state.velocity)
    case .tween(let curve):
      let sample = curve.sample(at: time)
      return Demand(value: sample.value, velocity: sample.velocity, isOver: sample.isFinished)
    case .wave(let wave, let passage, let since):
      let sample = passage.sample(at: time, to: wave.sample(at: since + time))
      return Demand(value: sample.value, velocity: sample.velocity)
    case .move(let moves):
      var demand = Demand(value: .zero, velocity: .zero, acceleration: .zero)
      for (lane, move) in moves.enumerated() {
        let moved = move.state(at: time)
        (demand.value[lane], demand.velocity[lane]) = (moved.position, moved.velocity)
        demand.acceleration?[lane] = moved.acceleration
      }
      demand.isOver = moves.allSatisfy { time >= $0.duration }
      return demand
    }
  }
}

extension Transaction {
  /// Whether it sets or lifts limits.
  fileprivate var setsLimits: Bool { log.contains { if case .limit = $0 { true } else { false } } }
}
