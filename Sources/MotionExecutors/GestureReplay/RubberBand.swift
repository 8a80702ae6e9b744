/// Holds a point back the more, the further it is drawn out of a rectangle (specification §3, `rubberBanded`).
///
/// By component: inside, both edges included, the point itself; at a distance d beyond an edge, the edge
/// ± L·(1 − 1/(0.55·d/L + 1)), which never reaches L. L of 0 or less clamps to the edge.
struct RubberBand: Hashable, Sendable {
  var lower: SIMD2<Double>
  var upper: SIMD2<Double>
  var maxLength: Double

  /// How much of the first step beyond the edge is followed.
  static let firmness = 0.55

  /// The point held back, and its velocity by the chain rule.
  func apply(to sample: GestureTrack.Sample) -> GestureTrack.Sample {
    var held = sample
    for lane in 0..<2 {
      let value = sample.value[lane]
      let edge = min(max(value, lower[lane]), upper[lane])
      guard value != edge else { continue }
      guard maxLength > 0 else {
        held.value[lane] = edge
        held.velocity[lane] = 0
        continue
      }
      let stretch = Self.firmness * abs(value - edge) / maxLength + 1
      let length = maxLength * (1 - 1 / stretch)
      held.value[lane] = edge + (value < edge ? -length : length)
      held.velocity[lane] = sample.velocity[lane] * Self.firmness / (stretch * stretch)
    }
    return held
  }
}
