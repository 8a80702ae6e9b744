public import MotionCore
public import MotionModel

/// Fulfils `Tween`: moves properties through values in given times, and knows their velocity at each moment.
///
/// A tween is a function of time alone, so that skipped frames cost nothing and a worker that starts anew in the middle
/// of one goes on as if it had always been there. In the frame that ends at `time` it stands at `time` − its start.
///
/// On each property one tween drives: a later one takes over from where the property is, and the earlier one is
/// finished as displaced by this executor. When another executor takes the property, the runtime itself retires and
/// reports the tween; this executor then merely drops it, as it does on `remove`. A dropped tween never comes back.
///
/// Velocity that the property has at the start is blended out, unless `carry` is false: the movement begins with it, and
/// ends as if it had never been. From rest, a tween moves exactly as its easing says, from the first moment on. While it
/// is delayed it holds its first value with velocity 0, but for the velocity that is blended out meanwhile.
///
/// A tween moves only with frames, so that wanting the next frame says all there is to say about its activity: no
/// tokens are held.
public final class TweenExecutor: DeclaredExecutor, NamedExecutor, UpdatingExecutor, YieldingExecutor {
  /// `Tween`
  public static let type: ExecutorType = "Tween"
  /// The one type of intention that it fulfils.
  public static let descriptions = [TweenIntention.description]

  private let context: ExecutorContext
  /// At most one for each property, in the order in which they were added. A target has few properties, so they are
  /// searched one by one.
  private var running: [RunningTween] = []

  /// Makes the executor of a target.
  public init(target: TargetName, context: ExecutorContext) {
    self.context = context
  }

  /// Starts a tween.
  ///
  /// - Throws: `Refusal` with field and remedy if values, offsets, easings or lanes do not fit together or are malformed;
  ///   a tween that runs on the property then goes on.
  public func add(_ planned: PlannedIntention) throws {
    try add(planned, as: nil)
  }

  /// Starts a tween under a name; see ``add(_:)``.
  public func add(_ planned: PlannedIntention, named name: IntentionName) throws {
    try add(planned, as: name)
  }

  /// Stops a tween; its property stays where it is.
  public func remove(_ identity: IntentionIdentity) {
    running.removeAll { $0.identity == identity }
  }

  /// Stops the tween of that name; its property stays where it is.
  public func remove(named name: IntentionName) {
    running.removeAll { $0.name == name }
  }

  /// Writes each tween's value and velocity at the frame's time; at the end of a tween exactly its last value with
  /// velocity 0, and finishes it.
  public func update(_ frame: Frame) -> Bool {
    // Over a copy: what is said here may lead to calls of this executor before it returns.
    for tween in running where isRunning(tween) {
      let moment = tween.moment(in: frame)
      if moment.isFinished { remove(tween.identity) }
      context.write(tween.property, moment.state, imposing: moment.imposes, remaining: moment.remaining)
      if moment.isFinished { context.finish(tween.identity) }
    }
    return !running.isEmpty
  }

  /// Drops the tween on `property`, which the runtime has retired.
  public func displaced(_ property: PropertyName) {
    running.removeAll { $0.property == property }
  }

  /// Nothing: a tween that was displaced does not come back.
  public func resumed(_ property: PropertyName, from state: PropertyState, at time: Double) {}

  private func add(_ planned: PlannedIntention, as name: IntentionName?) throws {
    let tween = try RunningTween(planned, named: name)
    let earlier = running.first { $0.property == tween.property }
    running.removeAll { $0.property == tween.property }
    running.append(tween)
    if let earlier { context.finish(earlier.identity, .displaced) }
  }

  private func isRunning(_ tween: RunningTween) -> Bool {
    running.contains { $0.identity == tween.identity }
  }
}
