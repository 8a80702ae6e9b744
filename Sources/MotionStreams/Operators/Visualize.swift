extension MotionObservable {
  /// Every value unchanged, and passed to `draw` under a label.
  ///
  ///     values     1-2
  ///     visualize  1-2
  ///
  /// State channel: passed on. Memory: none.
  public func visualize(
    _ label: String, to draw: @escaping (_ label: String, _ value: Value) -> Void
  ) -> MotionObservable<Value> {
    _tap(metadata.with("visualize(_:)", args: [label])) { draw(label, $0) }
  }
}
