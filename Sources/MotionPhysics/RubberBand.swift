/// Holds values back the more, the further they are drawn out of a range: what a hand feels at the edge of a page.
///
/// Inside, both edges included, the value itself; at a distance d beyond an edge, the edge ± L·(1 − 1/(0.55·d/L + 1)),
/// which never reaches L but at infinity. L of 0 or less clamps to the edge. Source: the formula of UIScrollView, as the
/// specification of Material Motion gives it (§3, `rubberBanded`).
public enum RubberBand {
  /// How much of the first step beyond the edge is followed.
  public static let firmness = 0.55

  /// The value held back, and how much of a velocity it leaves: the derivative.
  public static func hold(
    _ value: Double, within range: ClosedRange<Double>, maxLength: Double
  ) -> (value: Double, slope: Double) {
    let edge = min(max(value, range.lowerBound), range.upperBound)
    guard value != edge else { return (value, 1) }
    guard maxLength > 0 else { return (edge, 0) }
    let stretch = firmness * (value - edge).magnitude / maxLength + 1
    let length = maxLength * (1 - 1 / stretch)
    return (edge + (value < edge ? -length : length), firmness / (stretch * stretch))
  }

  /// What a hand begins from that takes hold of something at `held`: the value that is held back to just there, and the
  /// length of the band that does so. Whatever is out further than half the length feels one of twice its way: on a band of
  /// the length given it could not be there, or only a long way back would be felt.
  public static func grasp(
    _ held: Double, within range: ClosedRange<Double>, maxLength: Double
  ) -> (value: Double, maxLength: Double) {
    let edge = min(max(held, range.lowerBound), range.upperBound)
    let way = (held - edge).magnitude
    let length = max(maxLength, 2 * way)
    guard way > 0, length.isFinite else { return (held, maxLength) }
    let free = length / firmness * (1 / (1 - way / length) - 1)
    return (edge + (held < edge ? -free : free), length)
  }
}
