extension MotionObservable {
  /// The foundation of every operator: given where values go, once for each subscription, it says what is done with each.
  /// States are passed on untouched and in order, and nothing is said at subscription but what upstream says.
  ///
  ///     _nextOperator(metadata.with("dedupe()")) { next in
  ///       var last: Value?
  ///       return { value in
  ///         guard value != last else { return }
  ///         last = value
  ///         next(value)
  ///       }
  ///     }
  ///
  ///     values  1-1-2
  ///     result  1---2
  ///
  /// State channel: passed on. Memory: what stands between the braces, which is the subscription's own.
  @inlinable public func _nextOperator<Result>(
    _ metadata: Metadata? = nil, _ operation: @escaping (@escaping (Result) -> Void) -> (Value) -> Void
  ) -> MotionObservable<Result> {
    MotionObservable<Result>(metadata ?? self.metadata.with("_nextOperator")) { [self] observer in
      connect(MotionObserver(next: operation(observer.next), state: observer.state))
    }
  }
}
