extension MotionObservable where Value == Gesture<TranslationGestureRecognizer> {
  /// Where the drag takes what was at `start` when it began: the sum of both.
  ///
  ///     finger               0-5-7-u
  ///     translated(from: 1)  1-6-8--
  ///
  /// The start is read when the gesture begins, or with the first change that is seen, and forgotten in every other state;
  /// nothing is emitted on end.
  ///
  /// State channel: passed on. Memory: the start, of the subscription.
  public func translated(
    from start: ReactiveProperty<Point>, in space: CoordinateSpace = .surface
  ) -> MotionObservable<Point> {
    _moved(metadata.with("translated(from:in:)", args: [start, space]), from: start) { start, drag in
      start + space.way(of: drag.translation)
    }
  }
}

extension MotionObservable where Value == Gesture<RotationGestureRecognizer> {
  /// Where the gesture turns what was at `start` when it began: the sum of both, in radians.
  ///
  ///     rotation          0-1-2-end
  ///     rotated(from: 1)  1-2-3----
  ///
  /// When it reads the start, state channel and memory: see ``translated(from:in:)``.
  public func rotated(from start: ReactiveProperty<Double>) -> MotionObservable<Double> {
    _moved(metadata.with("rotated(from:)", args: [start]), from: start) { $0 + $1.rotation }
  }
}

extension MotionObservable where Value == Gesture<ScaleGestureRecognizer> {
  /// What size the gesture gives to what was at `start` when it began: the product of both.
  ///
  ///     scale            1-2-3-end
  ///     scaled(from: 2)  2-4-6----
  ///
  /// When it reads the start, state channel and memory: see ``translated(from:in:)``.
  public func scaled(from start: ReactiveProperty<Double>) -> MotionObservable<Double> {
    _moved(metadata.with("scaled(from:)", args: [start]), from: start) { $0 * $1.scale }
  }
}

extension MotionObservable {
  /// While a gesture is under way: what `combine` makes of the value of `property` at its beginning, and of the gesture.
  func _moved<Recognizer, Result>(
    _ metadata: Metadata, from property: ReactiveProperty<Result>, _ combine: @escaping (Result, Recognizer) -> Result
  ) -> MotionObservable<Result> where Value == Gesture<Recognizer> {
    _nextOperator(metadata) { next in
      var start: Result?
      return { gesture in
        if gesture.state == .began || start == nil && gesture.state == .changed {
          start = property.read()
        } else if gesture.state != .changed {
          start = nil
        }
        if let start { next(combine(start, gesture.recognizer)) }
      }
    }
  }
}
