import MotionPhysics

/// A rectangle, edges included.
public struct Rect: Hashable, Sendable, Inspectable {
  /// The corner with the lowest coordinates.
  public var lower: Point
  /// The corner with the highest coordinates.
  public var upper: Point

  /// Creates the rectangle between two opposite corners, given in any order.
  public init(lower: Point, upper: Point) {
    self.lower = pointwiseMin(lower, upper)
    self.upper = pointwiseMax(lower, upper)
  }

  /// `(0.0, 0.0)...(1.0, 1.0)`
  public var inspected: String { "(\(lower.x), \(lower.y))...(\(upper.x), \(upper.y))" }
}

extension MotionObservable where Value == Double {
  /// Each value, held back the more the further it is out of a range (`RubberBand`). Reversed edges are swapped; with
  /// an edge that is not a number, nothing is held back.
  ///
  ///     values                          1-3-∞
  ///     below 1, above 5, maxLength: 2  1-3-7
  ///
  /// State channel: passed on. Memory: none.
  public func rubberBanded(below low: Double, above high: Double, maxLength: Double) -> MotionObservable<Double> {
    let range = range(low, high)
    return _map(metadata.with("rubberBanded(below:above:maxLength:)", args: [low, high, maxLength])) {
      hold($0, within: range, maxLength)
    }
  }
}

extension MotionObservable where Value == Point {
  /// Each point, held back the more the further it is out of a rectangle, by component (`RubberBand`).
  ///
  ///     points                          1,1-3,∞
  ///     outside of 1...5, maxLength: 2  1,1-3,7
  ///
  /// State channel: passed on. Memory: none.
  public func rubberBanded(outsideOf rect: Rect, maxLength: Double) -> MotionObservable<Point> {
    let (x, y) = rect.ranges
    return _map(metadata.with("rubberBanded(outsideOf:maxLength:)", args: [rect, maxLength])) {
      Point(hold($0.x, within: x, maxLength), hold($0.y, within: y, maxLength))
    }
  }
}

extension Rect {
  /// The extents in x and y; `nil` where an edge is not a number, which bounds nothing.
  var ranges: (x: ClosedRange<Double>?, y: ClosedRange<Double>?) {
    (range(lower.x, upper.x), range(lower.y, upper.y))
  }
}

private func range(_ a: Double, _ b: Double) -> ClosedRange<Double>? {
  a.isNaN || b.isNaN ? nil : min(a, b)...max(a, b)
}

private func hold(_ value: Double, within range: ClosedRange<Double>?, _ maxLength: Double) -> Double {
  guard let range else { return value }
  return RubberBand.hold(value, within: range, maxLength: maxLength).value
}
