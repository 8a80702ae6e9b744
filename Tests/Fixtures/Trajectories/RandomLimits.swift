public import MotionModel

extension PropertyLimits {
  /// Limits that hold the ways of a drama back: of acceleration, and of velocity, jerk and range in a part of the draws.
  ///
  /// - Parameter isComplete: Whether they contain velocity and jerk in any case, as a MoveTo without limits of its own
  ///   needs.
  public static func random(isComplete: Bool = false, using random: inout some RandomNumberGenerator) -> Self {
    var limits = Self()
    func number(_ range: ClosedRange<Double>) -> Lanes { Lanes(Double.random(in: range, using: &random)) }
    func has(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &random) < share }
    limits.acceleration = number(300...6_000)
    if isComplete || has(0.7) { limits.velocity = number(60...500) }
    if isComplete || has(0.7) { limits.jerk = number(3_000...100_000) }
    // It begins at 0, within its range.
    if has(0.3) { limits.range = .init(number(-60 ... -10), number(20...90)) }
    return limits
  }
}
