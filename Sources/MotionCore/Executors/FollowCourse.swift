import MotionModel
import MotionPhysics

/// A property on its way behind an input value.
struct FollowCourse: StandingCourse {
  /// The law by which it follows.
  private enum Law {
    case spring(ForceSum, RestCriterion)
    case direct
  }

  let identity: IntentionIdentity
  let property: PropertyName
  let input: InputName
  private let law: Law
  private let scale: Double
  private let offset: SIMD4<Double>

  /// The present value of the input, and its recent ones.
  var row: InputRow?
  var estimator = VelocityEstimator()

  /// Whether it moves its property, and whether nothing changes until the next input value.
  var isMoving = false
  var isAtRest = false
  /// Its value and velocity; `nil` if it begins with those of the property.
  var state: (value: SIMD4<Double>, velocity: SIMD4<Double>)?
  /// Where it goes: by the input or, as long as there was none, where it began.
  var target = SIMD4<Double>.zero
  var hasInput = false
  /// The step of the spring for the last duration of a frame.
  private var step: LinearStep?
  /// The difference with which `direct` began, and when.
  var fade: (offset: VanishingOffset, since: Double)?

  init(_ intention: FollowIntention, of identity: IntentionIdentity) {
    self.identity = identity
    (property, input, scale) = (intention.property, intention.input, intention.scale)
    offset = intention.offset?.storage ?? .zero
    let coefficients: SpringCoefficients
    switch intention.mode {
    case .direct:
      law = .direct
      return
    case .spring(let feel): coefficients = SpringCoefficients(feel)
    // A critically damped spring: it begins with any velocity, and does not overshoot from rest.
    case .smoothing(let constant):
      let rate = 1 / constant.inSeconds
      coefficients = SpringCoefficients(tension: rate * rate, friction: 2 * rate)
    }
    let forces = ForceSum(spring: coefficients, anchor: .zero)
    law = .spring(forces, RestCriterion(forces: forces, threshold: intention.threshold))
  }

  // MARK: Input

  /// Takes over the present value of the input; `nil` if there is none.
  mutating func receive(_ row: InputRow?) {
    self.row = row
    guard case .direct = law else { return }
    if let row { estimator.add(row.value.storage, at: row.time) } else { estimator.reset() }
  }

  /// A value of the input in the lanes of the property; `nil` if it has other lanes. One lane stands for all.
  private func spread(_ value: Lanes, over lanes: Int) -> SIMD4<Double>? {
    guard value.count == lanes || value.count == 1 else { return nil }
    return value.count == 1 ? Lanes(SIMD4(repeating: value[0]), count: lanes).storage : value.storage
  }

  // MARK: Motion

  mutating func begin() { (isMoving, isAtRest, state, fade, hasInput) = (true, false, nil, nil, false) }

  mutating func end() { isMoving = false }

  mutating func advance(_ frame: Frame, from present: PropertyState) -> (value: Lanes, velocity: Lanes) {
    let lanes = present.value.count
    let start = state ?? (present.value.storage, present.velocity.storage)
    let value = row.flatMap { spread($0.value, over: lanes) }
    if let value {
      target = Lanes(scale * value + offset, count: lanes).storage
    } else if state == nil {
      target = start.value
    }
    let hasChanged = state == nil || hasInput != (value != nil)
    hasInput = value != nil
    switch law {
    case .spring(let forces, let rest): follow(by: forces, until: rest, from: start, frame.dt)
    case .direct:
      let velocity = hasInput ? scale * spread(over: lanes, estimator.velocity(at: frame.time)) : .zero
      copy(velocity, from: start, hasChanged: hasChanged, frame)
    }
    let end = state ?? start
    return (Lanes(end.value, count: lanes), Lanes(end.velocity, count: lanes))
  }

  /// The velocity of the input in the lanes of the property.
  private func spread(over lanes: Int, _ velocity: SIMD4<Double>) -> SIMD4<Double> {
    row.flatMap { spread(Lanes(velocity, count: $0.value.count), over: lanes) } ?? .zero
  }

  /// The acceleration in the state into which it has put the property; `nil` if it has not, or if it copies its input.
  func acceleration(in present: PropertyState) -> SIMD4<Double>? {
    guard case .spring(let forces, _) = law, let state,
      state.value == present.value.storage, state.velocity == present.velocity.storage
    else { return nil }
    return -forces.stiffness * (state.value - target) - forces.damping * state.velocity
  }

  private mutating func follow(
    by forces: ForceSum, until rest: RestCriterion, from start: (value: SIMD4<Double>, velocity: SIMD4<Double>),
    _ dt: Double
  ) {
    let step = step.flatMap { $0.dt == dt ? $0 : nil } ?? LinearStep(forces: forces, dt: dt)
    self.step = step
    let next = step.advance(displacement: start.value - target, velocity: start.velocity)
    isAtRest = rest.isAtRest(displacement: next.displacement, velocity: next.velocity)
    state = isAtRest ? (target, .zero) : (target + next.displacement, next.velocity)
  }

  /// Goes where the input is. A difference at the beginning, or when the input appears or is lost, fades.
  private mutating func copy(
    _ velocity: SIMD4<Double>, from start: (value: SIMD4<Double>, velocity: SIMD4<Double>), hasChanged: Bool,
    _ frame: Frame
  ) {
    if hasChanged {
      let difference = VanishingOffset(
        value: start.value - target, velocity: start.velocity - velocity, duration: HandoverFade.longestDuration)
      fade = (difference, frame.time - frame.dt)
    }
    var end = (value: target, velocity: velocity)
    if let fade {
      let left = fade.offset.sample(at: frame.time - fade.since)
      end = (target + left.value, velocity + left.velocity)
      if fade.offset.isOver(at: frame.time - fade.since) { self.fade = nil }
    }
    (state, isAtRest) = (end, fade == nil && velocity == .zero)
  }
}
