/// Limits values outside a range with a resistance that grows with the distance, like the edge of a scrolled page.
///
/// Inside, both edges included, the result is the value itself. At a distance d beyond an edge it is the edge ± L·(1 −
/// 1/(0.55·d/L + 1)), which reaches L only at infinity. L of 0 or less clamps to the edge. Source: the formula of
/// UIScrollView, as the specification of Material Motion gives it (§3, `rubberBanded`).
public enum RubberBand {
  /// The slope just beyond the edge.
  public static let firmness = 0.55

  /// Returns the limited value, and its derivative, the share of a velocity that remains.
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

  /// Returns the start of a drag that grasps an object at `held`: the value whose limited value is `held`, and the
  /// length of the band for it. An object that is out farther than half the length gets a band of twice its distance.
  /// On a band of the given length it could not be there, or only a long way back would have an effect.
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

  /// Returns the limited value of an object that is grasped at `start` and dragged by `way`, and the share of the
  /// drag's velocity that remains. Without a drag it is the start exactly; without a range nothing is limited.
  public static func drag(
    _ start: Double, by way: Double, within range: ClosedRange<Double>?, maxLength: Double
  ) -> (value: Double, slope: Double) {
    guard let range else { return (start + way, 1) }
    let (free, length) = grasp(start, within: range, maxLength: maxLength)
    let held = hold(free + way, within: range, maxLength: length)
    return (way == 0 ? start : held.value, held.slope)
  }
}
