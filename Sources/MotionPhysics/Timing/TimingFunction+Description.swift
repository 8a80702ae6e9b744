extension TimingFunction: CustomStringConvertible {
  /// The CSS text, which ``init(parsing:)`` reads back to an equal function.
  ///
  /// Inputs of `linear()` are written as percentages. An input that is not a hundredth of any number may differ by one
  /// rounding when read back.
  public var description: String {
    switch self {
    case .linear: return "linear"
    case .ease: return "ease"
    case .easeIn: return "ease-in"
    case .easeOut: return "ease-out"
    case .easeInOut: return "ease-in-out"
    case .cubicBezier(let curve):
      return "cubic-bezier(\([curve.x1, curve.y1, curve.x2, curve.y2].map(Self.text).joined(separator: ", ")))"
    case .steps(let steps):
      return "steps(\(steps.count), \(steps.position.rawValue))"
    case .piecewiseLinear(let lines):
      let points = lines.points.map { "\(Self.text($0.output)) \(Self.text(Self.percentage($0.input)))%" }
      return "linear(\(points.joined(separator: ", ")))"
    }
  }

  /// Returns a number without a needless ".0".
  private static func text(_ number: Double) -> String {
    let text = number.description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// Returns the percentage that reads back to this input, the roundest one first.
  private static func percentage(_ input: Double) -> Double {
    let near = input * 100
    let round = (near * 1e9).rounded() / 1e9
    return [round, near, near.nextUp, near.nextDown].first { $0 / 100 == input } ?? near
  }
}
