/// Whether a curve is flat: by the median of the slopes between all pairs of its points (Theil 1950, Sen 1968), which a
/// third of outliers does not move.
struct Flatness {
  /// Its growth from the first point to the last, if it grows evenly.
  let growth: Double
  /// Its growth in a second.
  let slope: Double
  /// Its usual value.
  let median: Double
  /// The line's value at a time.
  let line: (Double) -> Double

  /// - Parameter points: times and values; at least two different times.
  init?(_ points: [(time: Double, value: Double)]) {
    guard let first = points.first, let last = points.last, last.time > first.time else { return nil }
    // A few hundred points are as informative as all, and cost a tenth.
    let step = max(1, points.count / 400)
    let chosen = stride(from: 0, to: points.count, by: step).map { points[$0] }
    var slopes: [Double] = []
    for (index, from) in chosen.enumerated() {
      for to in chosen[(index + 1)...] where to.time > from.time {
        slopes.append((to.value - from.value) / (to.time - from.time))
      }
    }
    guard !slopes.isEmpty else { return nil }
    let slope = Self.median(of: slopes)
    let offset = Self.median(of: chosen.map { $0.value - slope * $0.time })
    self.slope = slope
    growth = slope * (last.time - first.time)
    median = Self.median(of: points.map(\.value))
    line = { offset + slope * $0 }
  }

  static func median(of values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return 0 }
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
