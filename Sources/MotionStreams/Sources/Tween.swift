public import MotionPhysics

/// The parameters of a tween: its values and their times.
public struct Tween<Value: MotionValue> {
  /// The values in order. A single value means: from the present value to this one.
  public var values: [Value]
  /// The time of each value, as shares of the duration that rise from 0 to 1; empty means evenly spaced.
  public var offsets: [Double]
  /// The timing function of the whole, or one for each segment between values.
  public var timingFunctions: [TimingFunction]
  /// The duration of one run, in seconds.
  public var duration: Double
  /// The delay before the first run, in seconds.
  public var delay: Double
  /// The number of runs; infinity for no end.
  public var repeatCount: Double
  /// Whether every second run goes backwards.
  public var autoreverses: Bool
  /// The timeline that the tween is bound to, if any.
  public var timeline: Timeline?

  /// Creates a tween through values.
  public init(
    values: [Value], duration: Double, offsets: [Double] = [], timingFunctions: [TimingFunction] = [.linear],
    delay: Double = 0, repeatCount: Double = 1, autoreverses: Bool = false, timeline: Timeline? = nil
  ) {
    self.values = values
    self.duration = duration
    self.offsets = offsets
    self.timingFunctions = timingFunctions
    self.delay = delay
    self.repeatCount = repeatCount
    self.autoreverses = autoreverses
    self.timeline = timeline
  }

  /// The curve of the tween, starting at `present`.
  ///
  /// - Throws: ``/MotionPhysics/TweenError`` if values, offsets and timing functions do not fit together.
  func curve(from present: Value) throws(TweenError) -> TweenCurve {
    let points = (values.count == 1 ? [present] + values : values).map(\.lanes)
    return try TweenCurve(
      keyframes: Keyframes(values: points, offsets: offsets.isEmpty ? nil : offsets, timings: timingFunctions),
      duration: duration, delay: delay, repeatCount: repeatCount, autoreverses: autoreverses, inheritedVelocity: nil)
  }
}
