public import MotionModel
public import MotionPhysics

/// The movement of a tween, frame by frame.
///
/// The source is active when the tween starts, emits a value each frame, and rests after its last one, which is exactly
/// the end. The value follows from the time since the start, not from a sum of frames. Bound to a timeline that is or
/// becomes paused, it emits its value at the timeline's offset, at once and whenever that changes, and is at rest; it
/// continues from there. Unsubscribing stops it. It emits nothing if its present start value is not finite.
///
/// - Parameters:
///   - tween: the values and their times.
///   - present: the start, if the tween has one value only.
///   - clock: sends the frames.
/// - Throws: ``/MotionPhysics/TweenError`` if values, offsets and timing functions do not fit together.
public func tweenSource<Value: MotionValue>(
  _ tween: Tween<Value>, from present: ReactiveProperty<Value>, _ clock: any FrameClock
) throws(TweenError) -> MotionObservable<Value> {
  let source = try movingTweenSource(tween, from: present, clock)
  return source._map(source.metadata) { $0.value }
}

/// The movement of a tween with its velocity, which is the curve's own and zero while it is scrubbed; see
/// ``tweenSource(_:from:_:)``.
public func movingTweenSource<Value: MotionValue>(
  _ tween: Tween<Value>, from present: ReactiveProperty<Value>, _ clock: any FrameClock
) throws(TweenError) -> MotionObservable<Moving<Value>> {
  // Checked at once, not at the subscription: whether the parts fit does not depend on the start value.
  _ = try tween.curve(from: .zero)
  return MotionObservable(Metadata("tween(to:duration:)", args: [tween.values, tween.duration])) {
    observer in
    guard let curve = try? tween.curve(from: present.read()) else { return noopDisconnect }
    let samples = MotionObserver<TweenSample>(
      next: { observer.next(Moving(Value(lanes: $0.value), velocity: Value(lanes: $0.velocity))) },
      state: observer.state)
    let connection = TweenConnection(curve, startingAt: nil, tween.timeline, clock, samples)
    connection.connect()
    return connection.stop
  }
}

/// The movement along a given curve, frame by frame; see ``tweenSource(_:from:_:)``.
///
/// - Parameters:
///   - curve: the curve to follow.
///   - laneCount: the number of lanes of the curve in use, 1 to 4: those that its metadata prints.
///   - startTime: the simulated time at which the movement began, in seconds, if that is not the time of the
///     subscription. In the first frame the value is as if it had run from then on.
///   - timeline: pauses and scrubs the movement, if given.
///   - clock: sends the frames.
public func curveSource(
  _ curve: TweenCurve, laneCount: Int = Limits.lanes, startingAt startTime: Double? = nil, timeline: Timeline? = nil,
  _ clock: any FrameClock
) -> MotionObservable<TweenSample> {
  let values = curve.keyframes.values.map { Lanes($0, count: laneCount) }
  return MotionObservable(Metadata("curve(through:duration:)", args: [values, curve.duration])) { observer in
    let connection = TweenConnection(curve, startingAt: startTime, timeline, clock, observer)
    connection.connect()
    return connection.stop
  }
}

/// One subscription to a tween.
private final class TweenConnection {
  private let curve: TweenCurve
  private let timeline: Timeline?
  private let clock: any FrameClock
  private let observer: MotionObserver<TweenSample>
  /// The elapsed time of the tween, in seconds.
  private var elapsed = 0.0
  /// The start time that matches the elapsed time: the time that passes is counted from here, so that rounding errors
  /// do not add up. It is known with the first frame, unless it was given: before the tween requested frames the clock
  /// may have stood.
  private var start: Double?
  private var frames: Subscription?
  private var scrubbing: [Subscription] = []
  /// The offset that is shown while the timeline is paused: the observers of the offset and of the pause may both
  /// report it.
  private var shownOffset: Double?

  init(
    _ curve: TweenCurve, startingAt start: Double?, _ timeline: Timeline?, _ clock: any FrameClock,
    _ observer: MotionObserver<TweenSample>
  ) {
    self.curve = curve
    self.start = start
    self.timeline = timeline
    self.clock = clock
    self.observer = observer
  }

  func connect() {
    guard let timeline else { return run() }
    scrubbing = [
      timeline.paused.subscribe { [weak self] in $0 ? self?.hold() : self?.run() },
      timeline.timeOffset.subscribe { [weak self] in self?.scrub(to: $0) },
    ]
  }

  func stop() {
    for subscription in scrubbing { subscription.unsubscribe() }
    frames?.unsubscribe()
    frames = nil
  }

  private func run() {
    shownOffset = nil
    guard frames == nil, elapsed < curve.totalDuration || elapsed == 0 else { return }
    // The observer of this state may pause it at once.
    frames = clock.subscribe { [weak self] in self?.step($0) }
    observer.state(.active)
  }

  private func hold() {
    let running = frames
    running?.unsubscribe()
    frames = nil
    start = nil
    if let timeline { scrub(to: timeline.timeOffset.read()) }
    if running != nil { observer.state(.atRest) }
  }

  /// Emits the value at an offset; an offset that is not finite has no effect.
  private func scrub(to offset: Double) {
    guard timeline?.paused.read() == true, offset.isFinite, offset != shownOffset else { return }
    shownOffset = offset
    elapsed = max(offset, 0)
    start = nil
    observer.next(TweenSample(value: curve.sample(at: elapsed).value, velocity: .zero, isFinished: false))
  }

  private func step(_ frame: Frame) {
    let start = start ?? frame.time - frame.dt - elapsed
    self.start = start
    elapsed = max(frame.time - start, 0)
    // Differences of times are rounded; a rounding error must not cost another frame.
    if curve.remaining(at: elapsed) <= 1e-9 { elapsed = curve.totalDuration }
    let sample = curve.sample(at: elapsed)
    observer.next(sample)
    // The observer of the last value may have paused it, and then it rests already.
    guard sample.isFinished, let running = frames else { return }
    running.unsubscribe()
    frames = nil
    observer.state(.atRest)
  }
}
