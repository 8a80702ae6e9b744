/// The findings in courses: the largest jumps, that is, differences that no movement explains.
public struct Verdict: Sendable {
  /// The tolerance for a jump, in units and units per second: a two-thousandth of the jump that has to be found. The
  /// error of numerical integration is a thousandth of that.
  public static let limit = Motion(0.001, 0.1)
  /// The permitted difference, per second, of a hand's measured velocity from the hand's: the slope of a parabola
  /// through 100 ms of a sway of 288 a second, whose third derivative a parabola cannot represent.
  public static let handLimit = 8.0

  /// The largest jump in a frame with a hand-over.
  public internal(set) var handOver = Motion()
  /// The largest in any other.
  public internal(set) var elsewhere = Motion()
  /// The largest difference between a hand's velocity and the property's.
  public internal(set) var hand = 0.0
  /// The farthest that rest snapped from the place to which forces would have led it.
  public internal(set) var snap = 0.0
  /// The farthest that the second lane was from its place by the first.
  public internal(set) var astray = Motion()
  /// The farthest that a tween with carry was from its easing, in units, and as a share of the bound that the
  /// specification gives.
  public internal(set) var excursion = (units: 0.0, share: 0.0)
  /// The places of the largest of them.
  public internal(set) var places: [String] = []
  /// The hand-overs of the property.
  public internal(set) var handOvers: [HandOver] = []
  /// Whether every intended driver has moved it.
  public internal(set) var isComplete = true

  /// Whether nothing jumped.
  public var isContinuous: Bool {
    handOver.isWithin(Self.limit) && elsewhere.isWithin(Self.limit)
      && astray.isWithin(Self.limit) && hand <= Self.handLimit && isComplete
  }

  /// No findings.
  public init() {}

  /// Adds the findings of another course.
  public mutating func widen(by other: Verdict) {
    handOver = handOver.widened(by: other.handOver)
    elsewhere = elsewhere.widened(by: other.elsewhere)
    astray = astray.widened(by: other.astray)
    snap = max(snap, other.snap)
    hand = max(hand, other.hand)
    noteExcursion(other.excursion.units, share: other.excursion.share)
    places += other.places
    handOvers += other.handOvers
    isComplete = isComplete && other.isComplete
  }

  mutating func noteExcursion(_ units: Double, share: Double) {
    excursion = (max(excursion.units, units), max(excursion.share, share))
  }
}

extension Motion {
  /// Whether neither part is greater than the limit's; not-a-number is greater.
  public func isWithin(_ limit: Motion) -> Bool { value <= limit.value && velocity <= limit.velocity }

  /// The greater of each part.
  func widened(by other: Motion) -> Motion { Motion(max(value, other.value), max(velocity, other.velocity)) }

  /// The part of a difference that is beyond an allowance.
  func beyond(_ allowance: Motion) -> Motion {
    Motion(max(0, abs(value) - allowance.value), max(0, abs(velocity) - allowance.velocity))
  }
}
