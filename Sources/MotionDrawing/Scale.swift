/// Round numbers along an axis, and the range that they span.
struct Scale: Hashable {
  /// The start of the axis, a multiple of ``step``.
  let low: Double
  /// The end of the axis, likewise.
  let high: Double
  /// The distance between two numbers: 1, 2 or 5 times a power of ten.
  let step: Double
  /// The number of decimals that the numbers need.
  private let digits: Int

  /// Values farther out are drawn here: otherwise the axis's span would overflow.
  private static let farthest = 1e150

  /// Creates an axis for numbers from `low` to `high` with about `count` labels.
  ///
  /// If all numbers are equal, they lie in the middle of a short axis.
  init(_ low: Double, _ high: Double, about count: Int) {
    precondition(count > 0, "an axis with \(count) numbers")
    var low = min(max(low, -Self.farthest), Self.farthest)
    var high = min(max(high, low), Self.farthest)
    // Values closer than this differ only by rounding.
    if high - low <= 1e-9 * max(abs(low), abs(high)) || high - low < 1e-12 {
      let margin = max(0.5, 0.01 * max(abs(low), abs(high)))
      (low, high) = (low - margin, high + margin)
    }
    let (step, digits) = Self.step((high - low) / Double(count))
    self.step = step
    self.digits = digits
    self.low = (low / step).rounded(.down) * step
    self.high = (high / step).rounded(.up) * step
  }

  /// Returns the next round number from `least` up, and the number of decimals of its multiples.
  private static func step(_ least: Double) -> (Double, Int) {
    var (power, exponent) = (1.0, 0)
    while power * 10 <= least { (power, exponent) = (power * 10, exponent + 1) }
    while power > least { (power, exponent) = (power / 10, exponent - 1) }
    let factor = least / power
    let round: Double = factor <= 1 ? 1 : factor <= 2 ? 2 : factor <= 5 ? 5 : 10
    return (round * power, max(0, -(round == 10 ? exponent + 1 : exponent)))
  }

  /// The numbers that are labelled.
  var ticks: [Double] {
    let count = Int(((high - low) / step).rounded())
    return (0...count).map { low + Double($0) * step }
  }

  /// Returns a number of this axis as text, with as many digits as its neighbours have.
  func text(of number: Double) -> String { DecimalText.fixed(number, digits: digits) }

  /// Returns the position of a number between the ends: 0 at the low one, 1 at the high one.
  func place(of number: Double) -> Double { (min(max(number, low), high) - low) / (high - low) }
}
