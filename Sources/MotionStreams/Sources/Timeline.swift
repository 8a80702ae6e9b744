/// A separate time for tweens, which can be paused and set.
///
/// Tweens bound to a timeline can be scrubbed. While it is paused they show their values at ``timeOffset``, whatever
/// time they had reached; when it runs again they continue from there. Springs and gestures are not bound to timelines:
/// the value of a spring depends on its history, not on the time alone.
public final class Timeline {
  /// Whether its time stands at ``timeOffset``.
  public let paused: ReactiveProperty<Bool>
  /// The time that tweens show while the timeline is paused, in seconds from their start. It has no effect while the
  /// timeline runs.
  public let timeOffset: ReactiveProperty<Double>

  /// Creates a timeline that runs, or is paused at a time.
  public init(paused: Bool = false, timeOffset: Double = 0) {
    self.paused = ReactiveProperty(paused, named: "paused")
    self.timeOffset = ReactiveProperty(timeOffset, named: "timeOffset")
  }
}
