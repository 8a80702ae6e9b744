extension MotionObservable where Value: Equatable {
  /// Nothing until this value comes; from then on it and everything.
  ///
  ///     values          1-2-3-1
  ///     ignoreUntil(3)  ----3-1
  ///
  /// State channel: passed on. Memory: whether it has come, of the subscription.
  @inlinable public func ignoreUntil(_ awaited: Value) -> MotionObservable<Value> {
    _nextOperator(metadata.with("ignoreUntil(_:)", args: [awaited])) { next in
      var hasCome = false
      return { value in
        hasCome = hasCome || value == awaited
        if hasCome { next(value) }
      }
    }
  }
}
