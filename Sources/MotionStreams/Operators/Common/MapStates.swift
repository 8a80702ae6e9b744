extension MotionObservable {
  /// The result of `transform` for each state, emitted after the state; values are ignored.
  func mapStates<Result>(
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
