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
