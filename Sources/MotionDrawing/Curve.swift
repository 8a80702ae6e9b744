import MotionModel

/// One lane of a property over time: its value or its velocity.
struct Curve: Hashable {
  /// A point of a curve.
  struct Point: Hashable {
    var time: Double
    var value: Double
  }

  /// The lane's index, from 0.
  let lane: Int
  let points: [Point]

  /// Creates the curve of one lane of a track, limited to the given times.
  init(_ track: MotionTrack, lane: Int, isVelocity: Bool, in times: ClosedRange<Double>) {
    self.lane = lane
    points = track.samples.filter { times.contains($0.time) }.map { sample in
      Point(time: sample.time, value: isVelocity ? sample.state.velocity[lane] : sample.state.value[lane])
    }
  }

  /// The lowest and the highest value; 0 and 0 without points.
  var low: Double { points.reduce(points.first?.value ?? 0) { min($0, $1.value) } }
  var high: Double { points.reduce(points.first?.value ?? 0) { max($0, $1.value) } }

  /// Whether the value is constant.
  var isFlat: Bool { low == high }

  /// Returns at most four points for each of `columns` equal parts of the time: the first, the last, the lowest and the
  /// highest. The points left out would be drawn over by the remaining ones.
  func thinned(columns: Int, in times: ClosedRange<Double>) -> [Point] {
    let span = times.upperBound - times.lowerBound
    guard points.count > 4 * columns, span > 0 else { return points }
    var kept: [Point] = []
    var first = 0
    func column(_ index: Int) -> Int { Int((points[index].time - times.lowerBound) / span * Double(columns)) }
    while first < points.count {
      var end = first + 1
      while end < points.count, column(end) == column(first) { end += 1 }
      var (lowest, highest) = (first, first)
      for index in first..<end {
        if points[index].value < points[lowest].value { lowest = index }
        if points[index].value > points[highest].value { highest = index }
      }
      kept += Set([first, lowest, highest, end - 1]).sorted().map { points[$0] }
      first = end
    }
    return kept
  }
}

/// The curves on one pair of axes: the values of a property, or its velocities.
struct Panel: Hashable {
  let curves: [Curve]
  let isVelocity: Bool
  /// The unit of the numbers; empty if no unit applies.
  let unit: String

  /// Creates the panel for the values of a track, or for its velocities, between two times.
  init(_ track: MotionTrack, isVelocity: Bool, in times: ClosedRange<Double>) {
    self.isVelocity = isVelocity
    curves = (0..<track.laneCount).map { Curve(track, lane: $0, isVelocity: isVelocity, in: times) }
    let known = KnownProperty.named(track.reference.property).unit
    // A range describes the bounds of the values; it is not a unit, so a velocity cannot use it.
    unit = known.contains("…") || known == "factor" ? "" : known
  }

  /// Returns an axis that covers all curves.
  func scale(about count: Int) -> Scale {
    let low = curves.map(\.low).min() ?? 0
    let high = curves.map(\.high).max() ?? 0
    return Scale(low, high, about: count)
  }

  /// The label of the axis.
  var title: String {
    guard isVelocity else { return unit.isEmpty ? "value" : "value, \(unit)" }
    return unit.isEmpty ? "velocity per s" : "velocity, \(unit) per s"
  }
}

/// The names of the lanes of properties.
enum LaneNames {
  /// Returns the name of a lane; empty where there is only one.
  static func name(_ lane: Int, of count: Int, on property: PropertyName) -> String {
    if count == 1 { return "" }
    return (property.text.lowercased().hasSuffix("color") ? ["r", "g", "b", "a"] : ["x", "y", "z", "w"])[lane]
  }
}
