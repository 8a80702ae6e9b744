extension MotionObservable {
  /// Whether the stream is active, for each state.
  ///
  ///     states  +--.
  ///     result  t--f
  ///
  /// State channel: passed on, before the value. Memory: none.
  public func active() -> MotionObservable<Bool> { mapStates(metadata.with("active()")) { $0 == .active } }
}
