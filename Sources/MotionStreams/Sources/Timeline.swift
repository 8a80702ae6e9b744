/// A time of its own for tweens: it can stand, and be moved by hand.
///
/// Tweens bound to it scrub: once it is paused they show where they are at ``timeOffset``, whatever time they had come to,
/// and when it runs again they go on from there. Springs and gestures are not bound to timelines: where a spring is
/// depends on its way, not on the time alone.
public final class Timeline {
  /// Whether its time stands at ``timeOffset``.
  public let paused: ReactiveProperty<Bool>
  /// The time that tweens show while it is paused, in seconds from their start. While it runs it says nothing.
  public let timeOffset: ReactiveProperty<Double>

  /// A timeline that runs, or stands at a time.
  public init(paused: Bool = false, timeOffset: Double = 0) {
    self.paused = ReactiveProperty(paused, named: "paused")
    self.timeOffset = ReactiveProperty(timeOffset, named: "timeOffset")
  }
}
