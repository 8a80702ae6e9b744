public import MotionCore
public import MotionModel
import MotionPhysics
import MotionStreams

/// Fulfils `Tween`: moves properties through values in given times, with the exact velocity at each moment.
///
/// A tween is a function of time alone. So skipped frames cost nothing, and a worker that restarts in the middle of one
/// continues as if it had run from the start. In the frame that ends at `time` its elapsed time is `time` − its start.
///
/// On each property one tween drives: a later one takes over from the property's present state, and the earlier one is
/// finished as displaced. A tween that another executor displaced never resumes. A tween that repeats forever is standing:
/// it goes on when the property is given back, as if it had never been interrupted, and the difference fades within 150 ms.
///
/// A velocity that the property has at the start is blended out, unless `carry` is false: the movement begins with that
/// velocity, and ends as if there had been none. From rest, a tween moves exactly as its easing defines, from the first
/// moment on. During its delay it holds its first value with velocity 0, apart from the velocity that is blended out
/// meanwhile.
public enum TweenExecutor: StreamExecutorDeclaring {
  /// `Tween`
  public static let type: ExecutorType = "Tween"
  /// The one type of intention that the executor fulfils.
  public static let descriptions = [TweenIntention.description]

  /// How long after its start a tween imposes anything, in seconds, or two frames if they are longer.
  ///
  /// A first value follows the start within a few frames. A later one comes from a worker that takes over in the
  /// middle; a worker is restarted no sooner than after 100 ms. Then the property must not jump.
  static let imposingTime = 0.1

  /// Writes the curve of a tween to its property.
  ///
  /// - Throws: `Refusal` with field and remedy if values, offsets, easings or lanes do not fit together or are
  ///   malformed.
  public static func connect(_ plan: StreamPlan) throws {
    let tween = try TweenIntention(plan.intention)
    let start: PropertyState = try plan.start(of: tween.property)
    let curve = try TweenCurve(of: tween, from: start)
    let samples = curveSource(curve, laneCount: start.value.count, startingAt: plan.startTime, plan.clock)
    let imposes = imposed(by: tween, from: start)
    // The plan owns the stream, so the stream must not own the plan.
    let writes = samples._map(samples.metadata) { [unowned plan] sample in
      let elapsed = plan.frame.time - plan.startTime
      let remaining = sample.isFinished ? 0 : curve.remaining(at: elapsed)
      var (value, velocity) = (sample.value, sample.velocity)
      if let left = difference(from: curve, of: plan, to: tween.property) {
        (value, velocity) = (value + left.value, velocity + left.velocity)
      }
      return StreamWrite(
        PropertyState(Lanes(value, count: start.value.count), velocity: Lanes(velocity, count: start.value.count)),
        imposing: tween.jumps || elapsed <= max(imposingTime, 2 * plan.frame.dt) ? imposes : [],
        remaining: remaining.isFinite ? remaining : nil, carry: curve.carry?.duration)
    }
    try plan.write(writes, to: tween.property, activity: .frames)
  }

  /// What is left of the difference between a property that was given back and the curve; `nil` if it never was.
  private static func difference(
    from curve: TweenCurve, of plan: StreamPlan, to property: PropertyName
  ) -> (value: SIMD4<Double>, velocity: SIMD4<Double>)? {
    guard let (state, time) = plan.returned(of: property) else { return nil }
    let since = plan.frame.time - time
    guard since < HandoverFade.longestDuration else { return nil }
    let own = curve.sample(at: time - plan.startTime)
    return HandoverFade(value: state.value.storage - own.value, velocity: state.velocity.storage - own.velocity)
      .offset(at: since)
  }

  /// The parts that the plan sets by itself: the value, unless it starts at the property's present value; the velocity,
  /// unless it carries one. A tween that jumps sets both, and also when its worker was not there in time.
  private static func imposed(by tween: TweenIntention, from start: PropertyState) -> Imposed {
    if tween.jumps { return [.value, .velocity] }
    var imposes: Imposed = tween.startsAtPresent ? [] : .value
    if !tween.carries(from: start) { imposes.insert(.velocity) }
    return imposes
  }
}
