import MotionModel
import MotionPhysics

@testable import MotionCore

/// The motion of one property, frame by frame. Each state must follow from the state before.
///
/// A property that springs move is at the solution of their equation. A property that a worker moves advances by its
/// velocity: the one before the frame, the one after it, or their mean, or as a hand-over in progress would have moved
/// it. The rest may be at most half of the distance that the quickest of its movements covers in a frame.
struct Course {
  /// A value and its velocity.
  struct State: Equatable {
    var value: SIMD4<Double>
    var velocity: SIMD4<Double>

    /// The greatest absolute value of all lanes.
    var farthest: Double { max(value.max(), -value.min()) }

    func isNear(_ other: State, _ leeway: State) -> Bool {
      (0..<4).allSatisfy { lane in
        let way = abs(value[lane] - other.value[lane])
        let change = abs(velocity[lane] - other.velocity[lane])
        return way <= leeway.value[lane] && change <= leeway.velocity[lane]
      }
    }
  }

  /// A move, with the state in which it found its property.
  struct Move {
    let identity: IntentionIdentity
    let startTime: Double
    let start: State

    /// The move that drives the property at a slot.
    init?(of slot: PropertyTable.Slot, in runtime: Runtime) {
      let property = runtime.movement.properties[slot]
      guard let identity = property.leading, let record = runtime.plans.intentions[identity],
        record.intention.type == "MoveTo", record.executor == property.actor, let startTime = record.start?.time,
        let start = record.starts.first?.state, runtime.movement.properties.limits[property.reference] == nil
      else { return nil }
      (self.identity, self.startTime) = (identity, startTime)
      self.start = State(value: start.value.storage, velocity: start.velocity.storage)
    }
  }

  /// The greatest distance that workers move these properties, in each lane.
  private static let ways: [String: Double] = ["fade": 1.5, "sway": 150, "scale": 6, "rotation": 6.3]
  /// How long a hand-over to a worker fades, in seconds.
  private static let fade = 0.15

  private(set) var state: State
  private let springs: Springs?
  /// Whether a worker moves it, is about to, or has just stopped.
  private let isWorkers: Bool
  /// The blend of the hand-over in progress.
  private let blend: PropertyMotion.Blend?
  /// The plans that write it.
  private let plans: Set<IntentionIdentity>
  /// The duration of the quickest tween.
  private let quickestTween: Double?
  /// Whether a move under limits moves it, beyond no natural range. A property with limits of its own follows the move
  /// as these permit, which may be faster than the move's: ``LimitCheck`` judges it.
  private let isMove: Bool
  /// The move under limits that moves it, unless the property has limits of its own.
  private let move: Move?
  private let hasLimits: Bool
  /// Whether a plan of a worker may move it: a hand may be anywhere, and a move that follows begins there.
  private let hasWorker: Bool
  /// The greatest acceleration of the moves here (``RandomPlans``), and the error of rounding.
  private static let mostAcceleration = 2_000.0 * (1 + 1e-9)

  init(of slot: PropertyTable.Slot, in runtime: Runtime) {
    state = State(
      value: runtime.movement.properties.value(at: slot), velocity: runtime.movement.properties.velocity(at: slot))
    springs = Springs(on: slot, in: runtime)
    let actor = runtime.movement.properties[slot].actor.flatMap { runtime.plans.executors[$0] }
    isWorkers =
      actor?.worker != nil || runtime.movement.properties.motions[slot] != nil
      || runtime.movement.properties[slot].stack.claims.contains { !Springs.isSpring($0, in: runtime) }
    hasWorker =
      runtime.movement.properties.motions[slot] != nil
      || runtime.movement.properties[slot].stack.claims.contains { runtime.plans.executors[$0.executor]?.worker != nil }
    blend = runtime.movement.properties.motions[slot]?.blend
    plans = Set(runtime.movement.properties[slot].stack.claims.map(\.identity))
    move = Move(of: slot, in: runtime)
    hasLimits = runtime.movement.properties.limits[runtime.movement.properties[slot].reference] != nil
    // The difference to limits that were lifted fades.
    isMove =
      actor?.moves != nil && KnownProperty.named(runtime.movement.properties[slot].reference.property).range == nil
      && !hasLimits && !runtime.movement.properties.governors.contains(slot)
    quickestTween = runtime.movement.properties[slot].stack.claims.compactMap { claim in
      let tween = runtime.plans.intentions[claim.identity].flatMap { try? TweenIntention($0.intention) }
      return tween.map { $0.duration / .seconds(1) }
    }.min()
  }

  /// The problem with the motion in a frame since `last`; `nil` if there is none.
  func problem(since last: Course, in frame: Frame, of property: PropertyReference) -> String? {
    if isMove, !keepsLimits(since: last, in: frame) {
      return "\(property) moved faster than its limits from \(last.state) to \(state) within \(frame.dt) s"
    }
    // A property that came to rest in this frame: by the springs of the last frame, or by a spring that was added when
    // the property was nearly at rest.
    let arrived = springs == nil && state.velocity == .zero ? Springs(arrivedAt: state.value) : nil
    let bySprings = [springs, last.springs, arrived].compactMap(\.self).contains { springs in
      // All plans of the last frame may have ended before the next began: in between the velocity is 0.
      let mayHaveRested = plans.isDisjoint(with: last.plans)
      let starts = [last.state] + (mayHaveRested ? [State(value: last.state.value, velocity: .zero)] : [])
      return starts.contains { state.isNear(springs.after($0, frame.dt), leeway(of: springs, since: last)) }
    }
    let isExplained =
      bySprings
      || (springs == nil && (last.springs == nil || isWorkers || last.isWorkers)
        && followsVelocity(since: last, in: frame, of: property))
    return isExplained ? nil : "\(property) jumped from \(last.state) to \(state) within \(frame.dt) s"
  }

  /// The problem with a move under limits in a frame since `last`; `nil` if there is none, or no move moves the property.
  func problemOfMove(since last: Course, in frame: Frame, of property: PropertyReference) -> String? {
    // It is no start where limits were lifted, or where a plan of a worker ended that had not yet taken over.
    let isStart = !last.hasLimits && !(last.hasWorker && move.map { last.plans.contains($0.identity) } ?? false)
    if let move, isStart, move.identity != last.move?.identity, let problem = problemOfStart(of: move, in: frame) {
      return "\(property) \(problem)"
    }
    guard isMove, !last.hasWorker else { return nil }
    guard keepsLimits(since: last, in: frame) else {
      return "\(property) moved faster than its limits from \(last.state) to \(state) within \(frame.dt) s"
    }
    let isNear = (0..<4).allSatisfy { lane in
      let fastest = max(abs(last.state.velocity[lane]), abs(state.velocity[lane])) + Self.mostAcceleration * frame.dt
      return abs(state.value[lane] - last.state.value[lane]) <= fastest * frame.dt + 1e-6
    }
    return isNear ? nil : "\(property) jumped from \(last.state) to \(state) under a move within \(frame.dt) s"
  }

  /// The problem with the first frame of a move: it continues the state in which it found its property.
  private func problemOfStart(of move: Move, in frame: Frame) -> String? {
    let elapsed = frame.time - move.startTime
    let continues = (0..<4).allSatisfy { lane in
      let (first, now) = (move.start.velocity[lane], state.velocity[lane])
      let way = (max(abs(first), abs(now)) + Self.mostAcceleration * elapsed) * elapsed
      return abs(now - first) <= Self.mostAcceleration * elapsed + 1e-6
        && abs(state.value[lane] - move.start.value[lane]) <= way + 1e-6
    }
    return continues && elapsed <= frame.dt + 1e-6
      ? nil : "is \(state) \(elapsed) s after the start of \(move.identity), which began with \(move.start)"
  }

  /// Whether the velocity changed by no more than the limits of moves permit, also at the start of one.
  private func keepsLimits(since last: Course, in frame: Frame) -> Bool {
    // All plans of the last frame may have ended before the move began: in between the velocity is 0.
    let starts = [last.state.velocity] + (plans.isDisjoint(with: last.plans) ? [.zero] : [])
    return starts.contains { start in
      (0..<4).allSatisfy { lane in
        abs(state.velocity[lane] - start[lane]) <= Self.mostAcceleration * frame.dt + 1e-6
      }
    }
  }

  /// The tolerance to the solution of the springs. A worker that takes over with this frame may set the velocity.
  private func leeway(of springs: Springs, since last: Course) -> State {
    var leeway = springs.leeway
    if isWorkers, self.springs == nil, last.springs != nil { leeway.velocity = .init(repeating: .infinity) }
    return leeway
  }

  private func followsVelocity(since last: Course, in frame: Frame, of property: PropertyReference) -> Bool {
    let way = state.value - last.state.value
    let (entry, exit) = (last.state.velocity * frame.dt, state.velocity * frame.dt)
    // A value that a tween carries may go far astray, and then return.
    let farthest = max(2 * last.state.farthest, 2 * state.farthest, Self.ways["\(property.property)"] ?? 0)
    let limit = farthest * min(1, frame.dt / (2 * quickest(since: last, in: frame)))
    let explained = [entry, exit, (entry + exit) / 2] + (last.handover(until: frame).map { [$0] } ?? [])
    return (0..<4).allSatisfy { lane in
      let left = explained.map { abs(way[lane] - $0[lane]) }.min() ?? 0
      return left <= limit + 1e-9
    }
  }

  /// The distance that it would have covered in the frame by the last update of its mover and the rest of a hand-over;
  /// `nil` if there was no hand-over.
  private func handover(until frame: Frame) -> SIMD4<Double>? {
    guard let blend else { return nil }
    let said = blend.lastSample.value.storage + blend.lastSample.velocity.storage * frame.dt
    return said + blend.fade.offset(at: frame.time - blend.startTime).value - state.value
  }

  /// The shortest duration of a possible movement: a tween or a fading difference. The difference fades at most over
  /// the rest of the tween at its first update, which arrives after two frames of it.
  private func quickest(since last: Course, in frame: Frame) -> Double {
    [quickestTween, last.quickestTween].compactMap(\.self).reduce(Self.fade) { min($0, max(0, $1 - 2 * frame.dt)) }
  }
}
