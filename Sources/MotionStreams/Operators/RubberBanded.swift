import MotionPhysics

/// A rectangle, edges included.
public struct Rect: Hashable, Sendable, Inspectable {
  /// Its corner with the lowest coordinates.
  public var lower: Point
  /// Its corner with the highest coordinates.
  public var upper: Point

  /// The rectangle between two corners, whichever they are.
  public init(lower: Point, upper: Point) {
    self.lower = pointwiseMin(lower, upper)
    self.upper = pointwiseMax(lower, upper)
  }

  /// `(0.0, 0.0)...(1.0, 1.0)`
  public var inspected: String { "(\(lower.x), \(lower.y))...(\(upper.x), \(upper.y))" }
}

extension MotionObservable where Value == Double {
  /// Each value, held back the more the further it is out of a range (``RubberBand``).
  ///
  /// State channel: passed on. Memory: none.
  public func rubberBanded(below low: Double, above high: Double, maxLength: Double) -> MotionObservable<Double> {
    let range = Swift.min(low, high)...Swift.max(low, high)
    return _map(metadata.with("rubberBanded(below:above:maxLength:)", args: [low, high, maxLength])) {
      RubberBand.hold($0, within: range, maxLength: maxLength).value
    }
  }
}

extension MotionObservable where Value == Point {
  /// Each point, held back the more the further it is out of a rectangle, by component (``RubberBand``).
  ///
  /// State channel: passed on. Memory: none.
  public func rubberBanded(outsideOf rect: Rect, maxLength: Double) -> MotionObservable<Point> {
    _map(metadata.with("rubberBanded(outsideOf:maxLength:)", args: [rect, maxLength])) { point in
      Point(
        RubberBand.hold(point.x, within: rect.lower.x...rect.upper.x, maxLength: maxLength).value,
        RubberBand.hold(point.y, within: rect.lower.y...rect.upper.y, maxLength: maxLength).value)
    }
  }
}
