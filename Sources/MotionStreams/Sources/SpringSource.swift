import MotionModel
import MotionPhysics

/// The movement of a spring, frame by frame, exact for any frame rate.
///
/// Active when it starts, a value each frame, at rest at its end, whose value is exactly the destination. A new destination
/// or configuration takes effect from the present value and velocity on, and starts a spring that had settled.
/// Unsubscribing stops it. Costs one small matrix product a frame, and no frames at rest.
public func springSource<Value: MotionValue>(
  _ spring: Spring<Value>, _ clock: any FrameClock
) -> MotionObservable<Value> {
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
  private let observer: MotionObserver<Value>
  private var value: SIMD4<Double>
  private var velocity: SIMD4<Double>
  private var frames: Subscription?
  private var changes: [Subscription] = []
  private var isStarted = false

  init(_ spring: Spring<Value>, _ clock: any FrameClock, _ observer: MotionObserver<Value>) {
    self.spring = spring
    self.clock = clock
    self.observer = observer
    value = spring.initialValue.read().lanes
    velocity = spring.initialVelocity.read().lanes
  }

  func start() {
    // What was given is used up.
    if velocity != .zero { spring.initialVelocity.write(.zero) }
    changes = [
      spring.destination.subscribe { [unowned self] _ in move() },
      spring.configuration.subscribe { [unowned self] _ in move() },
    ]
    isStarted = true
    move()
  }

  func stop() {
    for change in changes { change.unsubscribe() }
    frames?.unsubscribe()
    frames = nil
  }

  private func move() {
    guard isStarted, frames == nil else { return }
    observer.state(.active)
    frames = clock.subscribe { [unowned self] in step($0.dt) }
  }

  private func step(_ dt: Double) {
    let forces = ForceSum(spring: spring.configuration.read(), anchor: spring.destination.read().lanes)
    let destination = spring.destination.read().lanes
    let moved = LinearStep(forces: forces, dt: dt).advance(displacement: value - destination, velocity: velocity)
    (value, velocity) = (destination + moved.displacement, moved.velocity)
    let rest = RestCriterion(forces: forces, threshold: spring.threshold.read())
    guard rest.isAtRest(displacement: moved.displacement, velocity: velocity) else {
      return observer.next(Value(lanes: value))
    }
    (value, velocity) = (destination, .zero)
    let last = frames
    frames = nil
    last?.unsubscribe()
    observer.next(Value(lanes: destination))
    // Whoever heard that may have set another destination.
    if frames == nil { observer.state(.atRest) }
  }
}
