import MotionModel
import MotionPhysics

/// The movement of a spring, frame by frame, exact for any frame rate.
///
/// The source is active when the spring starts, emits a value each frame, and rests at the end, whose value is exactly
/// the destination. Start, velocity and threshold are read at the subscription; destination and configuration are
/// observed. A new destination or configuration takes effect from the present value and velocity on, and restarts a
/// spring that had settled. A spring that satisfies the rest criterion when it starts emits at once: active, the
/// destination, at rest. Unsubscribing stops it. It costs a small matrix product a frame, and no frames at rest.
///
/// Invalid numbers do no harm:
///
/// - A configuration that is not valid and a destination that is not finite change nothing.
/// - A start that is not finite is the destination.
/// - A threshold that is not finite or not above zero counts as 1.
/// - A destination beyond the range of numbers counts as none, and a movement that leaves that range ends where it was.
/// - Without tension the spring rests where it stopped, since no force leads to the destination.
public func springSource<Value: MotionValue>(
  _ spring: Spring<Value>, _ clock: any FrameClock
) -> MotionObservable<Value> {
  let source = movingSpringSource(spring, clock)
  return source._map(source.metadata) { $0.value }
}

/// The movement of a spring with its velocity; see ``springSource(_:_:)``.
public func movingSpringSource<Value: MotionValue>(
  _ spring: Spring<Value>, _ clock: any FrameClock
) -> MotionObservable<Moving<Value>> {
  MotionObservable(Metadata("spring(to:from:)", args: [spring.destination, spring.initialValue])) { observer in
    let connection = SpringConnection(spring, clock, observer)
    connection.start()
    return connection.stop
  }
}

/// One subscription to a spring.
private final class SpringConnection<Value: MotionValue> {
  private let spring: Spring<Value>
  private let clock: any FrameClock
  private let observer: MotionObserver<Moving<Value>>
  private var destination = SIMD4<Double>.zero
  private var displacement = SIMD4<Double>.zero
  private var velocity = SIMD4<Double>.zero
  private var coefficients = SpringCoefficients.default
  private let threshold: Double
  /// The matrix of the last frame, for frames of the same length; nil once the coefficients changed.
  private var step: LinearStep?
  private var frames: Subscription?
  private var changes: [Subscription] = []
  private var isStarted = false

  init(_ spring: Spring<Value>, _ clock: any FrameClock, _ observer: MotionObserver<Moving<Value>>) {
    self.spring = spring
    self.clock = clock
    self.observer = observer
    let threshold = spring.threshold.read()
    self.threshold = threshold.isFinite && threshold > 0 ? threshold : 1
  }

  func start() {
    let (start, goal) = (spring.initialValue.read().lanes, spring.destination.read().lanes)
    destination = goal.isFinite && (!start.isFinite || (start - goal).isFinite) ? goal : start.isFinite ? start : .zero
    displacement = start.isFinite ? start - destination : .zero
    let given = spring.initialVelocity.read()
    // The initial velocity is used once.
    if given != .zero { spring.initialVelocity.write(.zero) }
    velocity = given.lanes.isFinite ? given.lanes : .zero
    configure(spring.configuration.read())
    changes = [
      spring.destination.subscribe { [weak self] in self?.retarget($0.lanes) },
      spring.configuration.subscribe { [weak self] in self?.configure($0) },
    ]
    isStarted = true
    move()
  }

  func stop() {
    for change in changes { change.unsubscribe() }
    frames?.unsubscribe()
    frames = nil
  }

  private func retarget(_ goal: SIMD4<Double>) {
    let way = displacement + (destination - goal)
    guard goal.isFinite, way.isFinite, goal != destination else { return }
    (destination, displacement) = (goal, way)
    move()
  }

  private func configure(_ configuration: SpringCoefficients) {
    guard configuration.isValid, configuration != coefficients else { return }
    coefficients = configuration
    step = nil
    move()
  }

  /// Starts or continues the movement.
  private func move() {
    guard isStarted, frames == nil else { return }
    observer.state(.active)
    if isAtRest {
      settle()
    } else {
      frames = clock.subscribe { [weak self] in self?.advance($0.dt) }
    }
  }

  private func advance(_ dt: Double) {
    let dt = min(max(dt, 0), LinearStep.longestStep)
    let step = step.flatMap { $0.dt == dt ? $0 : nil } ?? LinearStep(tension: stiffness, friction: damping, dt: dt)
    self.step = step
    let next = step.advance(displacement: displacement, velocity: velocity)
    guard next.velocity.isFinite, (destination + next.displacement).isFinite else { return rest() }
    (displacement, velocity) = next
    guard !isAtRest else { return settle() }
    observer.next(Moving(Value(lanes: destination + displacement), velocity: Value(lanes: velocity)))
  }

  private func settle() {
    if stiffness > 0 { displacement = .zero }
    rest()
  }

  /// Stops at the present value and unsubscribes from the frames.
  private func rest() {
    velocity = .zero
    let last = frames
    frames = nil
    last?.unsubscribe()
    observer.next(Moving(Value(lanes: destination + displacement)))
    // The observer of that value may have set another destination.
    if frames == nil { observer.state(.atRest) }
  }

  private var stiffness: Double { coefficients.tension / coefficients.mass }
  private var damping: Double { coefficients.friction / coefficients.mass }

  private var isAtRest: Bool {
    let rest = RestCriterion(stiffness: stiffness, damping: damping, isDriven: false, threshold: threshold)
    return rest.isAtRest(displacement: displacement, velocity: velocity)
  }
}

extension SIMD4<Double> {
  /// Whether every lane is a finite number.
  var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite && w.isFinite }
}
