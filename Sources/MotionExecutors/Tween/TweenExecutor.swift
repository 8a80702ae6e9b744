public import MotionCore
public import MotionModel
import MotionPhysics
import MotionStreams

/// Fulfils `Tween`: moves properties through values in given times, and knows their velocity at each moment.
///
/// A tween is a function of time alone, so that skipped frames cost nothing and a worker that starts anew in the middle
/// of one goes on as if it had always been there. In the frame that ends at `time` it stands at `time` − its start.
///
/// On each property one tween drives: a later one takes over from where the property is, and the earlier one is
/// finished as displaced. One that another executor displaced never comes back.
///
/// Velocity that the property has at the start is blended out, unless `carry` is false: the movement begins with it, and
/// ends as if it had never been. From rest, a tween moves exactly as its easing says, from the first moment on. While it
/// is delayed it holds its first value with velocity 0, but for the velocity that is blended out meanwhile.
public enum TweenExecutor: StreamExecutorDeclaring {
  /// `Tween`
  public static let type: ExecutorType = "Tween"
  /// The one type of intention that it fulfils.
  public static let descriptions = [TweenIntention.description]

  /// For how long after its start a tween imposes anything, in seconds, or two frames if they are longer.
  ///
  /// A first value follows the start within a few frames. One that comes later comes from a worker that takes over in
  /// the middle (it is started again no sooner than after 100 ms), and then the property must not jump.
  static let imposingTime = 0.1

  /// Writes the curve of a tween to its property.
  ///
  /// - Throws: `Refusal` with field and remedy if values, offsets, easings or lanes do not fit together or are malformed.
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
      return StreamWrite(
        PropertyState(
          Lanes(sample.value, count: start.value.count), velocity: Lanes(sample.velocity, count: start.value.count)),
        imposing: elapsed <= max(imposingTime, 2 * plan.frame.dt) ? imposes : [],
        remaining: remaining.isFinite ? remaining : nil)
    }
    try plan.write(writes, to: tween.property, activity: .frames)
  }

  /// What the plan sets by itself: the value, unless it starts where the property is; the velocity, unless it carries one.
  private static func imposed(by tween: TweenIntention, from start: PropertyState) -> Imposed {
    var imposes: Imposed = tween.startsAtPresent ? [] : .value
    if !tween.carries(from: start) { imposes.insert(.velocity) }
    return imposes
  }
}
