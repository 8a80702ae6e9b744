extension MotionObservable {
  /// The states as values.
  ///
  ///     states  +--.
  ///     result  +--.
  ///
  /// State channel: passed on, before the value. Memory: none.
  public func asMotionState() -> MotionObservable<MotionState> {
    mapStates(metadata.with("asMotionState()")) { $0 }
  }
}
