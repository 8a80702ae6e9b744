extension MotionObservable {
  /// The states as values.
  ///
  ///     states  +--.
  ///     result  +--.
  ///
  /// State channel: passed on, before the value. Memory: none.
  public func asMotionState() -> MotionObservable<MotionState> {
    states(metadata.with("asMotionState()")) { $0 }
  }

  /// Whether it is at work, for each state.
  ///
  ///     states  +--.
  ///     result  t--f
  ///
  /// State channel: passed on, before the value. Memory: none.
  public func active() -> MotionObservable<Bool> { states(metadata.with("active()")) { $0 == .active } }

  /// Whether it is at rest, for each state; see ``active()``.
  public func atRest() -> MotionObservable<Bool> { states(metadata.with("atRest()")) { $0 == .atRest } }

  private func states<Result>(
    _ metadata: Metadata, _ transform: @escaping (MotionState) -> Result
  ) -> MotionObservable<Result> {
    MotionObservable<Result>(metadata) { [self] observer in
      connect(
        MotionObserver(
          next: { _ in },
          state: { state in
            observer.state(state)
            observer.next(transform(state))
          }))
    }
  }
}
