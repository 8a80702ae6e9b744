extension MotionObservable {
  /// Passes a gesture on only when it is in `state`.
  ///
  ///     finger                      0-1-2-u
  ///     gesture                     b-c-c-e
  ///     onRecognitionState(.ended)  ------e
  ///
  /// State channel: passed on. Memory: none.
  public func onRecognitionState<Recognizer>(
    _ state: GestureState
  ) -> MotionObservable<Gesture<Recognizer>> where Value == Gesture<Recognizer> {
    _filter(metadata.with("onRecognitionState(_:)", args: [state])) { $0.state == state }
  }

  /// Passes a gesture on only when it is in one of `states`; see ``onRecognitionState(_:)-(GestureState)``.
  public func onRecognitionState<Recognizer>(
    _ states: [GestureState]
  ) -> MotionObservable<Gesture<Recognizer>> where Value == Gesture<Recognizer> {
    _filter(metadata.with("onRecognitionState(_:)", args: [states])) { states.contains($0.state) }
  }

  /// Passes a gesture on only when it is in `state`: another name of ``onRecognitionState(_:)-(GestureState)``.
  public func state<Recognizer>(
    is state: GestureState
  ) -> MotionObservable<Gesture<Recognizer>> where Value == Gesture<Recognizer> {
    _filter(metadata.with("state(is:)", args: [state])) { $0.state == state }
  }
}
