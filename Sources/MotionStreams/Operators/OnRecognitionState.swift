extension MotionObservable {
  /// Passes a gesture only when it is in `state`.
  ///
  ///     gesture:  began  changed  changed  ended
  ///     .ended:                            ended
  ///
  /// The state channel passes untouched. Without memory.
  public func onRecognitionState<Recognizer>(
    _ state: GestureState
  ) -> MotionObservable<Gesture<Recognizer>> where Value == Gesture<Recognizer> {
    _filter(metadata.with("onRecognitionState(_:)", args: [state])) { $0.state == state }
  }

  /// Passes a gesture only when it is in one of `states`; see ``onRecognitionState(_:)-(GestureState)``.
  public func onRecognitionState<Recognizer>(
    _ states: [GestureState]
  ) -> MotionObservable<Gesture<Recognizer>> where Value == Gesture<Recognizer> {
    _filter(metadata.with("onRecognitionState(_:)", args: [states])) { states.contains($0.state) }
  }

  /// Passes a gesture only when it is in `state`: another name of ``onRecognitionState(_:)-(GestureState)``.
  public func state<Recognizer>(
    is state: GestureState
  ) -> MotionObservable<Gesture<Recognizer>> where Value == Gesture<Recognizer> {
    _filter(metadata.with("state(is:)", args: [state])) { $0.state == state }
  }
}
