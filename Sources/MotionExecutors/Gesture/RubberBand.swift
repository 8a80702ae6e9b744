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
  func hold(_ point: SIMD2<Double>, velocity: SIMD2<Double>) -> (point: SIMD2<Double>, velocity: SIMD2<Double>) {
    var held = (point: point, velocity: velocity)
    for lane in 0..<2 {
      let edge = min(max(point[lane], lower[lane]), upper[lane])
      guard point[lane] != edge else { continue }
      guard maxLength > 0 else {
        held.point[lane] = edge
        held.velocity[lane] = 0
        continue
      }
      let stretch = Self.firmness * abs(point[lane] - edge) / maxLength + 1
      let length = maxLength * (1 - 1 / stretch)
      held.point[lane] = edge + (point[lane] < edge ? -length : length)
      held.velocity[lane] = velocity[lane] * Self.firmness / (stretch * stretch)
    }
    return held
  }
}
