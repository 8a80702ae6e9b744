/// What was found in courses: the largest jumps, that is, what no movement explains.
public struct Verdict: Sendable {
  /// What is still taken for no jump, in units and units per second: a two-thousandth of the jump that has to be found. What
  /// numerical integration leaves is a thousandth of that.
  public static let limit = Motion(0.001, 0.1)
  /// How far, per second, a hand's measured velocity may be from the hand's: the slope of a parabola through 100 ms of a
  /// sway of 288 a second, whose third derivative is what a parabola does not know.
  public static let handLimit = 8.0

  /// The largest jump in a frame in which the property changes hands.
  public internal(set) var handOver = Motion()
  /// The largest in any other.
  public internal(set) var elsewhere = Motion()
  /// The largest difference between a hand's velocity and the property's.
  public internal(set) var hand = 0.0
  /// The farthest that rest snapped from where forces would have led it.
  public internal(set) var snap = 0.0
  /// The farthest that the second lane was from where the first has it.
  public internal(set) var astray = Motion()
  /// The farthest that a tween with carry was from its easing, in units, and as a share of the bound that the specification gives.
  public internal(set) var excursion = (units: 0.0, share: 0.0)
  /// Where the largest of them were.
  public internal(set) var places: [String] = []
  /// When the property changed hands.
  public internal(set) var handOvers: [HandOver] = []
  /// Whether everything that was to move it has done so.
  public internal(set) var isComplete = true

  /// Whether nothing jumped.
  public var isContinuous: Bool {
    handOver.isWithin(Self.limit) && elsewhere.isWithin(Self.limit)
      && astray.isWithin(Self.limit) && hand <= Self.handLimit && isComplete
  }

  /// Nothing found.
  public init() {}

  /// Takes in what was found in another course.
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
  /// Whether neither part is greater than the limit's; a number that is none is.
  public func isWithin(_ limit: Motion) -> Bool { value <= limit.value && velocity <= limit.velocity }

  /// The greater of each part.
  func widened(by other: Motion) -> Motion { Motion(max(value, other.value), max(velocity, other.velocity)) }

  /// What of a difference is beyond an allowance.
  func beyond(_ allowance: Motion) -> Motion {
    Motion(max(0, abs(value) - allowance.value), max(0, abs(velocity) - allowance.velocity))
  }
}
