extension MotionObservable {
  /// Whether the stream is at rest, for each state.
  ///
  ///     states  +--.
  ///     result  f--t
  ///
  /// State channel: passed on, before the value. Memory: none.
  public func atRest() -> MotionObservable<Bool> { mapStates(metadata.with("atRest()")) { $0 == .atRest } }
}
