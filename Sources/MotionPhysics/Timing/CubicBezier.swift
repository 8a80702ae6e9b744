/// A cubic Bézier curve from (0, 0) to (1, 1) as a timing function: CSS's `cubic-bezier(x1, y1, x2, y2)`.
public struct CubicBezier: Hashable, Sendable {
  /// The first control point's time, 0…1.
  public let x1: Double

  /// The first control point's value.
  public let y1: Double

  /// The second control point's time, 0…1.
  public let x2: Double

  /// The second control point's value.
  public let y2: Double

  /// Creates a curve with these control points; throws unless all are finite and x1 and x2 in 0…1, so that time never
  /// runs backwards.
  public init(x1: Double, y1: Double, x2: Double, y2: Double) throws(TimingFunctionError) {
    for (name, x) in [("x1", x1), ("x2", x2)] where !(0...1).contains(x) {
      throw TimingFunctionError("\(name) of a cubic-bezier is \(x)", remedy: "give a number from 0 to 1")
    }
    for (name, y) in [("y1", y1), ("y2", y2)] where y.magnitude > Self.largestValue || y.isNaN {
      throw TimingFunctionError(
        "\(name) of a cubic-bezier is \(y)", remedy: "give a number of at most \(Self.largestValue)")
    }
    self.init(validX1: x1, y1: y1, validX2: x2, y2: y2)
  }

  init(validX1 x1: Double, y1: Double, validX2 x2: Double, y2: Double) {
    (self.x1, self.y1, self.x2, self.y2) = (x1, y1, x2, y2)
  }

  /// The largest control value; below it no sum here can overflow, and larger ones have no practical use.
  public static let largestValue = 1e9

  /// Returns the curve's value at a time from 0 to 1.
  func value(at time: Double) -> Double {
    if time <= 0 { return 0 }
    if time >= 1 { return 1 }
    return Self.coordinate(y1, y2, at: parameter(at: time))
  }

  /// Returns dy/dx at a time; infinite, or very large, where the curve is vertical.
  func derivative(at time: Double) -> Double {
    let parameter = time <= 0 ? 0 : time >= 1 ? 1 : self.parameter(at: time)
    let run = Self.slope(x1, x2, at: parameter)
    let rise = Self.slope(y1, y2, at: parameter)
    if run > 0 { return rise / run }
    if rise != 0 { return rise > 0 ? .infinity : -.infinity }
    // Both vanish where a control point coincides with its end: the direction is then that of the next point along the
    // curve.
    let ahead = parameter < 0.5 ? (x2, y2) : (1 - x1, 1 - y1)
    if ahead.0 > 0 { return ahead.1 / ahead.0 }
    return ahead.1 == 0 ? 1 : ahead.1 > 0 ? .infinity : -.infinity
  }

  /// Returns d²y/dx² at a time; not finite, or very large, where the curve is vertical.
  func secondDerivative(at time: Double) -> Double {
    let parameter = time <= 0 ? 0 : time >= 1 ? 1 : self.parameter(at: time)
    let run = Self.slope(x1, x2, at: parameter)
    let rise = Self.slope(y1, y2, at: parameter)
    let (runBend, riseBend) = (Self.bend(x1, x2, at: parameter), Self.bend(y1, y2, at: parameter))
    return (riseBend * run - rise * runBend) / (run * run * run)
  }

  /// Returns the curve's parameter where its x is `time`: Newton's method, with bisection wherever it would leave the
  /// bracket.
  private func parameter(at time: Double) -> Double {
    var low = 0.0
    var high = 1.0
    var guess = time
    // Bisection alone takes 53 rounds to the last bit; Newton's method takes 4 to 6 on usual curves.
    for _ in 0..<100 {
      let miss = Self.coordinate(x1, x2, at: guess) - time
      if miss == 0 { return guess }
      if miss < 0 { low = guess } else { high = guess }
      let step = guess - miss / Self.slope(x1, x2, at: guess)
      let next = step > low && step < high ? step : (low + high) / 2
      if next == guess || next <= low || next >= high { return next }
      guess = next
    }
    return guess
  }

  /// Returns one coordinate of the curve: 3(1−t)²t·first + 3(1−t)t²·second + t³.
  private static func coordinate(_ first: Double, _ second: Double, at t: Double) -> Double {
    let left = 1 - t
    return t * (3 * left * (left * first + t * second) + t * t)
  }

  /// Returns the derivative of a coordinate.
  ///
  /// In this form it is exactly 0 where the true derivative is.
  private static func slope(_ first: Double, _ second: Double, at t: Double) -> Double {
    let left = 1 - t
    return 3 * (left * left * first + 2 * left * t * (second - first) + t * t * (1 - second))
  }

  /// Returns the second derivative of a coordinate.
  private static func bend(_ first: Double, _ second: Double, at t: Double) -> Double {
    6 * ((1 - t) * (second - 2 * first) + t * (1 - 2 * second + first))
  }
}
