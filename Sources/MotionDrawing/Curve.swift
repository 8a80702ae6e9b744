import MotionModel

/// One lane of a property in the course of time: its value, or its velocity.
struct Curve: Hashable {
  /// A point of a curve.
  struct Point: Hashable {
    var time: Double
    var value: Double
  }

  /// Which lane, from 0.
  let lane: Int
  let points: [Point]

  /// The lane of a track, between two times.
  init(_ track: MotionTrack, lane: Int, isVelocity: Bool, in times: ClosedRange<Double>) {
    self.lane = lane
    points = track.samples.filter { times.contains($0.time) }.map { sample in
      Point(time: sample.time, value: isVelocity ? sample.state.velocity[lane] : sample.state.value[lane])
    }
  }

  /// The lowest and the highest value; 0 and 0 without points.
  var low: Double { points.reduce(points.first?.value ?? 0) { min($0, $1.value) } }
  var high: Double { points.reduce(points.first?.value ?? 0) { max($0, $1.value) } }

  /// Whether it never moves.
  var isFlat: Bool { low == high }

  /// The curve with at most four points for each of `columns` equal parts of the time: the first and the last there, and
  /// the lowest and the highest between them. What is left out would be drawn over what is left.
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

/// What is drawn on one pair of axes: the values of a property, or its velocities.
struct Panel: Hashable {
  let curves: [Curve]
  let isVelocity: Bool
  /// The unit of the numbers; empty if there is none to name.
  let unit: String

  /// The values of a track, or its velocities, between two times.
  init(_ track: MotionTrack, isVelocity: Bool, in times: ClosedRange<Double>) {
    self.isVelocity = isVelocity
    curves = (0..<track.laneCount).map { Curve(track, lane: $0, isVelocity: isVelocity, in: times) }
    let known = KnownProperty.named(track.reference.property).unit
    // A range says how far values go, and is no unit of a velocity.
    unit = known.contains("…") || known == "factor" ? "" : known
  }

  /// An axis for all its curves.
  func scale(about count: Int) -> Scale {
    let low = curves.map(\.low).min() ?? 0
    let high = curves.map(\.high).max() ?? 0
    return Scale(low, high, about: count)
  }

  /// What is written at the axis.
  var title: String {
    guard isVelocity else { return unit.isEmpty ? "value" : "value, \(unit)" }
    return unit.isEmpty ? "velocity per s" : "velocity, \(unit) per s"
  }
}

/// What the lanes of properties are called.
enum LaneNames {
  /// The name of a lane; empty where there is only one.
  static func name(_ lane: Int, of count: Int, on property: PropertyName) -> String {
    if count == 1 { return "" }
    return (property.text.lowercased().hasSuffix("color") ? ["r", "g", "b", "a"] : ["x", "y", "z", "w"])[lane]
  }
}
