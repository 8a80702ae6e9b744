extension MotionObservable {
  /// While a gesture is active: the result of `combine` for the value of `property` at its beginning, and the gesture.
  func _moved<Recognizer, Result>(
    _ metadata: Metadata, from property: ReactiveProperty<Result>, _ combine: @escaping (Result, Recognizer) -> Result
  ) -> MotionObservable<Result> where Value == Gesture<Recognizer> {
    _nextOperator(metadata) { next in
      var start: Result?
      return { gesture in
        if gesture.state == .began || start == nil && gesture.state == .changed {
          start = property.read()
        } else if gesture.state != .changed {
          start = nil
        }
        if let start { next(combine(start, gesture.recognizer)) }
      }
    }
  }
}
