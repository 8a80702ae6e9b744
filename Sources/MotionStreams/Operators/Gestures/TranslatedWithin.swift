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
    let metadata = metadata.with("translated(from:in:within:maxLength:)", args: [start, space, rect, maxLength])
    return _moved(metadata, from: start) { start, drag in
      dragged(start, by: Moving(space.way(of: drag.translation)), within: rect, maxLength).value
    }
  }

  /// The position and the velocity of `start`, moved by the drag: one with each frame, and at the end the last one.
  ///
  ///     finger    0-1-2-u----
  ///     frames    --f-f-f-f-f
  ///     from 5    --6-7---7--
  ///
  /// The velocity is that of the pointers up to the time for which events are known, so that the latency of events does
  /// not lower it. It is zero after 100 ms without movement, and at the end of a cancelled drag. The start is read when
  /// the drag begins; a subscription that is made during a drag continues from the start.
  ///
  /// State channel: active from the beginning of the drag until after its last value, which follows with the frame
  /// after its end. Memory: the start and the last value, per subscription. The clock is subscribed to only while the
  /// velocity is not zero or a value is owed.
  ///
  /// - Parameters:
  ///   - start: the position that is moved.
  ///   - space: the coordinate space of the position.
  ///   - axes: how far it moves along each axis for a unit of the drag: (1, 0) moves along x only.
  ///   - rect: the range in which it follows freely, see ``translated(from:in:within:maxLength:)``; `nil` has no bounds.
  ///   - maxLength: the most by which it moves beyond the range, in units.
  ///   - clock: the frames.
  public func translated(
    from start: ReactiveProperty<Point>, in space: CoordinateSpace = .surface, along axes: Point = Point(1, 1),
    within rect: Rect? = nil, maxLength: Double = 0, each clock: any FrameClock
  ) -> MotionObservable<Moving<Point>> {
    let metadata = metadata.with(
      "translated(from:in:along:within:maxLength:each:)", args: [start, space, axes, rect as Any, maxLength, clock])
    return _carried(metadata, from: start, clock, measuring: \.translation, from: .zero) { start, origin, drag in
      let way = Moving(space.way(of: drag.value - origin) * axes, velocity: space.way(of: drag.velocity) * axes)
      return dragged(start, by: way, within: rect, maxLength)
    }
  }
}

/// The state of a position that was grasped at rest and dragged by `way`.
private func dragged(_ start: Point, by way: Moving<Point>, within rect: Rect?, _ maxLength: Double) -> Moving<Point> {
  guard let rect else { return Moving(start + way.value, velocity: way.velocity) }
  let ranges = rect.ranges
  let x = RubberBand.drag(start.x, by: way.value.x, within: ranges.x, maxLength: maxLength)
  let y = RubberBand.drag(start.y, by: way.value.y, within: ranges.y, maxLength: maxLength)
  return Moving(Point(x.value, y.value), velocity: way.velocity * Point(x.slope, y.slope))
}
