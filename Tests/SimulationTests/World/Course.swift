import MotionModel
import MotionPhysics

@testable import MotionCore

/// How one property goes on, frame by frame: each state has to follow from the one before.
///
/// What springs move is where their equation has it. Whatever a worker moves goes as far as its velocity says, the one before
/// the frame, the one after it, or their mean, or as a hand-over that was under way would have taken it; what is left may be no
/// more than half of what the quickest of its movements goes in a frame.
struct Course {
  /// Where something is and how fast.
  struct State: Equatable {
    var value: SIMD4<Double>
    var velocity: SIMD4<Double>

    /// How far from nothing it is, in the lane in which it is farthest.
    var farthest: Double { max(value.max(), -value.min()) }

    func isNear(_ other: State, _ leeway: State) -> Bool {
      (0..<4).allSatisfy { lane in
        let way = abs(value[lane] - other.value[lane])
        let change = abs(velocity[lane] - other.velocity[lane])
        return way <= leeway.value[lane] && change <= leeway.velocity[lane]
      }
    }
  }

  /// The greatest ways of what workers move here, in each lane.
  private static let ways: [String: Double] = ["fade": 1.5, "sway": 150, "scale": 6, "rotation": 6.3]
  /// How long a difference fades where a worker takes over, in seconds.
  private static let fade = 0.15

  private(set) var state: State
  private let springs: Springs?
  /// Whether a worker moves it, is to, or has until just now.
  private let isWorkers: Bool
  /// What was left of a hand-over.
  private let blend: PropertyMotion.Blend?
  /// How long the quickest tween takes.
  private let quickestTween: Double?

  init(of slot: PropertyTable.Slot, in runtime: Runtime) {
    state = State(value: runtime.properties.value(at: slot), velocity: runtime.properties.velocity(at: slot))
    springs = Springs(on: slot, in: runtime)
    let actor = runtime.properties[slot].actor.flatMap { runtime.executors[$0] }
    isWorkers =
      actor?.worker != nil || runtime.properties.motions[slot] != nil
      || runtime.properties[slot].stack.claims.contains { !Springs.isSpring($0, in: runtime) }
    blend = runtime.properties.motions[slot]?.blend
    quickestTween = runtime.properties[slot].stack.claims.compactMap { claim in
      let tween = runtime.intentions[claim.identity].flatMap { try? TweenIntention($0.intention) }
      return tween.map { $0.duration / .seconds(1) }
    }.min()
  }

  /// What is wrong with how it has gone on in a frame from `last`.
  func problem(since last: Course, in frame: Frame, of property: PropertyReference) -> String? {
    // Of what has arrived in this frame, by the springs of the last, or by one that came where it was nearly at rest.
    let arrived = springs == nil && state.velocity == .zero ? Springs(arrivedAt: state.value) : nil
    let bySprings = [springs, last.springs, arrived].compactMap(\.self).contains {
      state.isNear($0.after(last.state, frame.dt), leeway(of: $0, since: last))
    }
    let isExplained =
      bySprings
      || (springs == nil && (last.springs == nil || isWorkers || last.isWorkers)
        && followsVelocity(since: last, in: frame, of: property))
    return isExplained ? nil : "\(property) jumped from \(last.state) to \(state) within \(frame.dt) s"
  }

  /// How far it may be from where springs lead it. A worker that takes over with this frame may set the velocity.
  private func leeway(of springs: Springs, since last: Course) -> State {
    var leeway = springs.leeway
    if isWorkers, self.springs == nil, last.springs != nil { leeway.velocity = .init(repeating: .infinity) }
    return leeway
  }

  private func followsVelocity(since last: Course, in frame: Frame, of property: PropertyReference) -> Bool {
    let way = state.value - last.state.value
    let (entry, exit) = (last.state.velocity * frame.dt, state.velocity * frame.dt)
    // What a tween carries may lead it far astray, and then back.
    let farthest = max(2 * last.state.farthest, 2 * state.farthest, Self.ways["\(property.property)"] ?? 0)
    let limit = farthest * min(1, frame.dt / (2 * quickest(since: last, in: frame)))
    let explained = [entry, exit, (entry + exit) / 2] + (last.handover(until: frame).map { [$0] } ?? [])
    return (0..<4).allSatisfy { lane in
      let left = explained.map { abs(way[lane] - $0[lane]) }.min() ?? 0
      return left <= limit + 1e-9
    }
  }

  /// How far it would have gone in the frame by what its mover said last and what was left of a hand-over; `nil` if nothing was.
  private func handover(until frame: Frame) -> SIMD4<Double>? {
    guard let blend else { return nil }
    let said = blend.said.value.storage + blend.said.velocity.storage * frame.dt
    return said + blend.fade.offset(at: frame.time - blend.startTime).value - state.value
  }

  /// How long the quickest movement takes that there may be: a tween, or a difference that fades. That is no longer than
  /// what is left of the tween with its first word, which comes when two frames of it have passed.
  private func quickest(since last: Course, in frame: Frame) -> Double {
    [quickestTween, last.quickestTween].compactMap(\.self).reduce(Self.fade) { min($0, max(0, $1 - 2 * frame.dt)) }
  }
}
