extension MotionObservable where Value == Gesture<TranslationGestureRecognizer> {
  /// The displacement of the drag in `space`, read when the gesture changes.
  ///
  ///     finger       2-3-5-u
  ///     translation  0-1-3-3
  ///
  /// State channel: passed on. Memory: none.
  public func translation(in space: CoordinateSpace = .surface) -> MotionObservable<Point> {
    _map(metadata.with("translation(in:)", args: [space])) { space.way(of: $0.recognizer.translation) }
  }
}
