/// Linear interpolation between points as a timing function: CSS's `linear(…)`.
public struct PiecewiseLinear: Hashable, Sendable {
  /// A point that the function passes through.
  public struct Point: Hashable, Sendable {
    /// The progress in time.
    public let input: Double

    /// The progress in value.
    public let output: Double

    /// Creates a point.
    public init(input: Double, output: Double) {
      self.input = input
      self.output = output
    }
  }

  /// The points, with inputs that never fall.
  ///
  /// Two points with the same input are a jump.
  public let points: [Point]

  /// The most points: enough for a curve sampled at 1 kHz for a minute.
  public static let largestCount = 65_536

  /// Creates a function through these points; throws unless there are two or more, of finite numbers, with inputs that
  /// never fall.
  public init(_ points: [Point]) throws(TimingFunctionError) {
    guard (2...Self.largestCount).contains(points.count) else {
      throw TimingFunctionError(
        "linear() of \(points.count) points", remedy: "give 2 to \(Self.largestCount) points")
    }
    for (index, point) in points.enumerated() {
      guard point.input.magnitude <= CubicBezier.largestValue, point.output.magnitude <= CubicBezier.largestValue else {
        throw TimingFunctionError(
          "point \(index + 1) of linear() is (\(point.input), \(point.output))",
          remedy: "give numbers of at most \(CubicBezier.largestValue)")
      }
      guard index == 0 || point.input >= points[index - 1].input else {
        throw TimingFunctionError(
          "point \(index + 1) of linear() goes back to input \(point.input)", remedy: "order the points by input")
      }
    }
    self.points = points
  }

  func value(at progress: Double) -> Double {
    let (from, to) = segment(at: progress)
    if progress == to.input || from.input == to.input { return to.output }
    return from.output + (to.output - from.output) * ((progress - from.input) / (to.input - from.input))
  }

  func derivative(at progress: Double) -> Double {
    let (from, to) = segment(at: progress)
    if from.input < to.input { return (to.output - from.output) / (to.input - from.input) }
    // A jump at the very end has no successor: its slope is that of the line before it.
    guard let before = points.last(where: { $0.input < from.input }) else { return 0 }
    guard let top = points.first(where: { $0.input == from.input }) else { return 0 }
    return (top.output - before.output) / (top.input - before.input)
  }

  /// Returns the two points whose line applies: the last point not beyond the progress, and its successor.
  ///
  /// The first and the last line continue beyond their ends, as in CSS.
  private func segment(at progress: Double) -> (from: Point, to: Point) {
    var low = 0
    var high = points.count - 1
    while low + 1 < high {
      let middle = (low + high) / 2
      if points[middle].input <= progress { low = middle } else { high = middle }
    }
    return (points[low], points[high])
  }
}
