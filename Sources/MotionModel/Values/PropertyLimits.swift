/// The limits of a property, whatever drives it. Each has one number for all lanes, or one for each lane.
public struct PropertyLimits: Hashable, Sendable {
  /// The bounds of the value; `nil` to keep the natural range of the property, if it has one.
  public var range: Range?
  /// The largest speed, per second.
  public var velocity: Lanes?
  /// The largest acceleration, per second squared.
  public var acceleration: Lanes?
  /// The largest change of the acceleration, per second cubed.
  public var jerk: Lanes?
  /// Where the property goes when the worker that moves it is lost; `nil` as ``LossRule/hold``.
  public var onLost: LossRule?

  /// The least and the greatest value.
  public struct Range: Hashable, Sendable {
    /// The least value.
    public var lower: Lanes
    /// The greatest value.
    public var upper: Lanes

    /// Creates a range; bounds of one lane apply to all.
    public init(_ lower: Lanes, _ upper: Lanes) { (self.lower, self.upper) = (lower, upper) }
  }

  /// Creates limits; those that are not given do not exist.
  public init(
    range: Range? = nil, velocity: Lanes? = nil, acceleration: Lanes? = nil, jerk: Lanes? = nil,
    onLost: LossRule? = nil
  ) {
    (self.range, self.velocity, self.acceleration, self.jerk) = (range, velocity, acceleration, jerk)
    self.onLost = onLost
  }

  /// Whether there is no limit.
  public var isEmpty: Bool { self == PropertyLimits() }

  /// How many lanes the property has to have; `nil` if each limit is one number.
  public var lanes: Int? { parts.map(\.1.count).first { $0 > 1 } }

  /// The limits of velocity, acceleration and jerk of a lane.
  public func motion(lane: Int) -> MotionLimits {
    MotionLimits(
      maxVelocity: velocity?.applying(to: lane), maxAcceleration: acceleration?.applying(to: lane),
      maxJerk: jerk?.applying(to: lane))
  }

  /// The bounds of a lane; `nil` without a range.
  public func range(lane: Int) -> ClosedRange<Double>? {
    guard let range else { return nil }
    let (lower, upper) = (range.lower.applying(to: lane), range.upper.applying(to: lane))
    return lower <= upper ? lower...upper : nil
  }

  private var parts: [(String, Lanes)] {
    let parts: [(String, Lanes?)] = [
      ("range", range?.lower), ("range", range?.upper), ("velocity", velocity), ("acceleration", acceleration),
      ("jerk", jerk), ("onLost", onLost?.value),
    ]
    return parts.compactMap { name, lanes in lanes.map { (name, $0) } }
  }

  /// The least limit of a velocity, an acceleration or a jerk: as far from 1 as the largest.
  static let least = 1 / Limits.magnitude

  /// Checks the numbers by themselves.
  ///
  /// - Parameter natural: the natural range of the property, which holds where these have none.
  /// - Throws: the refusal with the field: a limit that is not above 0 or beyond ``Limits/magnitude``, a lower bound
  ///   above the upper one, different numbers of lanes, or a place to go to that is outside the range.
  public func check(natural: ClosedRange<Double>? = nil) throws(Refusal) {
    for (name, value) in parts {
      guard value.isWithin(Limits.magnitude) else {
        throw Refusal(
          .value, field: name, "\(value) is beyond ±\(Limits.magnitude)", remedy: "Use numbers within that.")
      }
      if let lanes, value.count > 1, value.count != lanes {
        throw Refusal(
          .lanes, field: name, "the limits have different numbers of lanes: \(lanes) and \(value.count)",
          remedy: "Give each one number, or one for each lane of the property.")
      }
      guard name != "range", name != "onLost" else { continue }
      for lane in 0..<value.count where !(value[lane] >= Self.least) {
        let least = value[lane] > 0 ? "a number of at least \(JSONText.number(Self.least))" : "a number above 0"
        throw Refusal(
          .value, field: name, "\(JSONText.number(value[lane])) is no limit of \(name)",
          remedy: "Use \(least). A property that must not move is held by a range of one value.")
      }
    }
    try onLost?.check()
    try checkRange()
    guard let place = onLost?.value else { return }
    for lane in 0..<max(range?.lower.count ?? 1, range?.upper.count ?? 1, place.count) {
      guard let range = self.range(lane: lane) ?? natural, !range.contains(place.applying(to: lane)) else { continue }
      let bounds = "\(JSONText.number(range.lowerBound)) to \(JSONText.number(range.upperBound))"
      throw Refusal(
        .value, field: "onLost", "\(JSONText.number(place.applying(to: lane))) is outside the range, \(bounds)",
        remedy: "Name a value within it, state another range, or use \"hold\".")
    }
  }

  private func checkRange() throws(Refusal) {
    guard let range else { return }
    for lane in 0..<max(range.lower.count, range.upper.count)
    where range.lower.applying(to: lane) > range.upper.applying(to: lane) {
      throw Refusal(
        .value, field: "range",
        "\(JSONText.number(range.lower.applying(to: lane))) is above \(JSONText.number(range.upper.applying(to: lane)))",
        remedy: "Give the lower bound first.")
    }
  }
}

/// The limits that are set for a property.
public enum LimitSetting: Hashable, Sendable {
  /// There are none, also no natural range.
  case none
  /// These. Without any, the property has its natural range only, as before it was limited.
  case limits(PropertyLimits)

  /// The limits, if there are any.
  public var limits: PropertyLimits {
    switch self {
    case .none: PropertyLimits()
    case .limits(let limits): limits
    }
  }

  /// How many lanes the property has to have; `nil` if any number.
  public var lanes: Int? { limits.lanes }

  /// Checks the limits for a property with so many lanes, if that is known, and with this natural range.
  ///
  /// - Throws: the refusal with the field.
  public func check(lanes: Int?, natural: ClosedRange<Double>? = nil) throws(Refusal) {
    try limits.check(natural: natural)
    guard let needed = self.lanes, let lanes, needed != lanes else { return }
    throw Refusal(
      .lanes, "the limits have \(needed) lanes and the property has \(lanes)",
      remedy: "Give each limit one number, or one for each lane.")
  }
}

extension Lanes {
  /// The number for a lane: the only one, or that of the lane.
  func applying(to lane: Int) -> Double { count == 1 ? storage[0] : storage[lane] }
}
