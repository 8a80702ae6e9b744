extension MotionObservable where Value == Gesture<TranslationGestureRecognizer> {
  /// How far the drag has gone in `space`, read when the gesture changes.
  ///
  /// The state channel passes untouched. Without memory.
  public func translation(in space: CoordinateSpace = .surface) -> MotionObservable<Point> {
    _map(metadata.with("translation(in:)", args: [space])) { space.way(of: $0.recognizer.translation) }
  }
}
