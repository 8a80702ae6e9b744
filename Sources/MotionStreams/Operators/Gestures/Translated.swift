extension MotionObservable where Value == Gesture<TranslationGestureRecognizer> {
  /// The value of `start` at the beginning of the drag, moved by it: the sum of both.
  ///
  ///     finger               0-5-7-u
  ///     translated(from: 1)  1-6-8--
  ///
  /// The start is read when the gesture begins, or with the first change that is received, and discarded in every other
  /// state; nothing is emitted on end.
  ///
  /// State channel: passed on. Memory: the start, per subscription.
  public func translated(
    from start: ReactiveProperty<Point>, in space: CoordinateSpace = .surface
  ) -> MotionObservable<Point> {
    _moved(metadata.with("translated(from:in:)", args: [start, space]), from: start) { start, drag in
      start + space.way(of: drag.translation)
    }
  }
}
