public import MotionCore
public import MotionModel
import MotionStreams

/// Fulfils `SquashAndStretch`: reads the velocity of a property, and writes scale and rotation along the movement.
///
/// The executor follows its input by one frame, and requests frames only while there is movement. At rest the scale is
/// exactly 1 and 1, and both velocities are zero; the direction of the last movement is kept.
public enum SquashAndStretchExecutor: StreamExecutorDeclaring {
  /// `SquashAndStretch`
  public static let type: ExecutorType = "SquashAndStretch"
  /// The one type of intention that the executor fulfils.
  public static let descriptions = [SquashAndStretchIntention.description]

  /// Writes the stretch of the movement that it reads.
  ///
  /// - Throws: `Refusal` if the properties have other lanes: a scale of one lane cannot keep the volume.
  public static func connect(_ plan: StreamPlan) throws {
    let intention = try SquashAndStretchIntention(plan.intention)
    let movement: MotionObservable<Moving<Point>> = plan.read(of: intention.source)
    let stretched = movement.metadata.with("stretched(strength:)", args: [intention.strength])
    let scale = followed(movement, of: plan, stretched, { $0.factors }) { [unowned plan] in
      let start: Moving<Point>? = try? plan.start(of: intention.scale)
      return Stretch(strength: intention.strength, factors: start?.value ?? [1, 1])
    }
    let turned = movement.metadata.with("turned()")
    let rotation = followed(movement, of: plan, turned, { $0.angle }) { [unowned plan] in
      let start: Moving<Double>? = try? plan.start(of: intention.rotation)
      return Stretch(strength: intention.strength, angle: start?.value ?? 0)
    }
    try plan.write(scale, to: intention.scale)
    try plan.write(rotation, to: intention.rotation)
  }

  /// A part of the stretch in each frame, with its velocity, until there is neither movement nor stretch.
  ///
  /// - Parameter begin: the initial stretch, evaluated for each subscription.
  private static func followed<Value: MotionValue>(
    _ movement: MotionObservable<Moving<Point>>, of plan: StreamPlan, _ metadata: Metadata,
    _ part: @escaping (Stretch) -> Value, from begin: @escaping () -> Stretch
  ) -> MotionObservable<Moving<Value>> {
    let clock = plan.clock
    return MotionObservable(metadata) { observer in
      var stretch = begin()
      var velocity = Point.zero
      var frames: Subscription?
      func step(_ dt: Double) {
        let last = part(stretch)
        stretch.follow(velocity, for: dt)
        let value = part(stretch)
        let isAtRest = velocity == .zero && stretch.exponent == 0
        observer.next(Moving(value, velocity: isAtRest || dt <= 0 ? .zero : (value - last) * (1 / dt)))
        guard isAtRest else { return }
        frames?.unsubscribe()
        frames = nil
        observer.state(.atRest)
      }
      func listen() {
        guard frames == nil else { return }
        observer.state(.active)
        frames = clock.subscribe { step($0.dt) }
      }
      let reading = movement.subscribe(
        next: { moving in
          velocity = moving.velocity
          if velocity != .zero { listen() }
        }, state: { _ in })
      // At least once: the previous writer may have left the properties at any value.
      listen()
      return {
        reading.unsubscribe()
        frames?.unsubscribe()
      }
    }
  }
}
