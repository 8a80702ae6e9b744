extension MotionObservable where Value: Equatable {
  /// The first value, then each that differs from the one before.
  ///
  ///     values  1-1-2-2-1
  ///     result  1---2---1
  ///
  /// State channel: passed on. Memory: the last value, per subscription.
  @inlinable public func dedupe() -> MotionObservable<Value> {
    _nextOperator(metadata.with("dedupe()")) { next in
      let last = LatestValue<Value>()
      return { value in
        guard value != last.value else { return }
        last.value = value
        next(value)
      }
    }
  }
}
