import MotionPhysics

extension MotionObservable where Value == Gesture<TranslationGestureRecognizer> {
  /// The value of `start` at the beginning of the drag, moved by it. It is held back the more the further the result is
  /// out of a rectangle (`RubberBand`). A start that is outside already stays in place as long as the pointers do; its
  /// band counts as stretched that far.
  ///
  ///     finger                          0-2-4-∞-u
  ///     from 1, within 0...5, length 2  1-3-5-7--
  ///
  /// For the reading of the start, the state channel and the memory, see ``translated(from:in:)``.
  public func translated(
    from start: ReactiveProperty<Point>, in space: CoordinateSpace = .surface, within rect: Rect, maxLength: Double
  ) -> MotionObservable<Point> {
    let (x, y) = rect.ranges
    let metadata = metadata.with("translated(from:in:within:maxLength:)", args: [start, space, rect, maxLength])
    return _moved(metadata, from: start) { start, drag in
      let way = space.way(of: drag.translation)
      return Point(draw(start.x, by: way.x, within: x, maxLength), draw(start.y, by: way.y, within: y, maxLength))
    }
  }
}

private func draw(
  _ start: Double, by way: Double, within range: ClosedRange<Double>?, _ maxLength: Double
) -> Double {
  guard let range, way != 0 else { return start + way }
  let (free, length) = RubberBand.grasp(start, within: range, maxLength: maxLength)
  return RubberBand.hold(free + way, within: range, maxLength: length).value
}
