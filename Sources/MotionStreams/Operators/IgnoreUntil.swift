extension MotionObservable where Value: Equatable {
  /// Nothing until this value arrives; then this value and all that follow.
  ///
  ///     values          1-2-3-1
  ///     ignoreUntil(3)  ----3-1
  ///
  /// State channel: passed on. Memory: whether the value has arrived, per subscription.
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
