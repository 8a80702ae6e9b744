/// Moves a property through given values in a given time.
///
/// The movement passes ``points(from:)``: `from`, if given, then the values. One value without `from` starts at the
/// property's present value; several without `from` start at the first.
public struct TweenIntention: BuiltInIntention {
  /// The number of runs of the movement.
  public enum Repetition: Hashable, Sendable {
    /// This many times, at least 1; 1.5 ends half way through the second run.
    case times(Double)
    /// Until the plan is removed: it is standing, and goes on after plans that interrupt it.
    case forever
  }

  /// The property that moves.
  public var property: PropertyName
  /// The values that it passes; the field `to` is one value.
  public var values: [Lanes]
  /// The start value; see the type for the start without it.
  public var from: Lanes?
  /// The time of each of the ``pointCount`` points, as shares of ``duration`` that rise from 0 to 1; empty spaces them
  /// evenly.
  public var offsets: [Double]
  /// The easing of the whole, or one for each stretch between points, as text in the forms of CSS: `ease-in-out`,
  /// `cubic-bezier(0.4, 0, 0.2, 1)`, `steps(4, end)`, `linear(0, 0.2 30%, 1)`.
  public var easing: [String]
  /// The duration of one run.
  public var duration: Duration
  /// The delay before the first run.
  public var delay: Duration
  /// The number of runs.
  public var repetition: Repetition
  /// Whether every second run goes backwards.
  public var autoreverses: Bool
  /// Whether the property's initial velocity is blended out instead of dropped.
  public var carries: Bool

  /// Creates a movement through `values`.
  public init(
    _ property: PropertyName, values: [Lanes], from: Lanes? = nil, offsets: [Double] = [],
    easing: [String] = ["linear"], duration: Duration = .milliseconds(300), delay: Duration = .zero,
    repetition: Repetition = .times(1), autoreverses: Bool = false, carries: Bool = true
  ) {
    self.property = property
    self.values = values
    self.from = from
    self.offsets = offsets
    self.easing = easing
    self.duration = duration
    self.delay = delay
    self.repetition = repetition
    self.autoreverses = autoreverses
    self.carries = carries
  }

  /// Whether the first point is the property's present value.
  public var startsAtPresent: Bool { from == nil && values.count == 1 }

  /// Whether it is at its end at once, by a jump.
  package var jumps: Bool { duration == .zero && delay == .zero }

  /// The number of points that the movement passes, its start included.
  public var pointCount: Int { values.count + (from != nil || values.count == 1 ? 1 : 0) }

  /// Returns the points that the movement passes when the property's value is `present`.
  public func points(from present: Lanes) -> [Lanes] {
    if let from { return [from] + values }
    return values.count == 1 ? [present] + values : values
  }
}

extension Intention {
  /// Creates an intention that moves a property to a value in a given time. See ``TweenIntention``.
  public static func tween(
    _ property: PropertyName, from: Lanes? = nil, to: Lanes, easing: String = "linear",
    duration: Duration = .milliseconds(300), delay: Duration = .zero,
    repetition: TweenIntention.Repetition = .times(1), autoreverses: Bool = false, carries: Bool = true
  ) -> Intention {
    TweenIntention(
      property, values: [to], from: from, easing: [easing], duration: duration, delay: delay, repetition: repetition,
      autoreverses: autoreverses, carries: carries
    ).intention
  }

  /// Creates an intention that moves a property through values in a given time. See ``TweenIntention``.
  public static func tween(
    _ property: PropertyName, values: [Lanes], from: Lanes? = nil, offsets: [Double] = [],
    easing: [String] = ["linear"], duration: Duration = .milliseconds(300), delay: Duration = .zero,
    repetition: TweenIntention.Repetition = .times(1), autoreverses: Bool = false, carries: Bool = true
  ) -> Intention {
    TweenIntention(
      property, values: values, from: from, offsets: offsets, easing: easing, duration: duration, delay: delay,
      repetition: repetition, autoreverses: autoreverses, carries: carries
    ).intention
  }
}
