public import MotionPhysics

/// What a tween is to do: through which values, in which time.
public struct Tween<Value: MotionValue> {
  /// The values that it passes. One alone means: from the present value.
  public var values: [Value]
  /// When it passes each, as shares of the duration that rise from 0 to 1; evenly if there are none.
  public var offsets: [Double]
  /// The timing of the whole, or one for each stretch between values.
  public var timingFunctions: [TimingFunction]
  /// How long one run takes, in seconds.
  public var duration: Double
  /// How long it waits before the first run, in seconds.
  public var delay: Double
  /// How often it runs; infinity for ever.
  public var repeatCount: Double
  /// Whether every second run goes backwards.
  public var autoreverses: Bool
  /// A time of its own to be bound to.
  public var timeline: Timeline?

  /// A tween through values.
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

  /// The curve that it follows from `present`.
  ///
  /// - Throws: ``/MotionPhysics/TweenError`` if values, offsets and timing functions do not fit together.
  func curve(from present: Value) throws(TweenError) -> TweenCurve {
    let points = (values.count == 1 ? [present] + values : values).map(\.lanes)
    return try TweenCurve(
      keyframes: Keyframes(values: points, offsets: offsets.isEmpty ? nil : offsets, timings: timingFunctions),
      duration: duration, delay: delay, repeatCount: repeatCount, autoreverses: autoreverses, inheritedVelocity: nil)
  }
}
