extension MotionObservable {
  /// The foundation of every operator. `operation` is called once for each subscription with the closure that receives
  /// results; it returns the closure that handles each value. States are passed on unchanged and in order, and nothing
  /// is emitted at subscription except what upstream emits.
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
  /// State channel: passed on. Memory: the variables between the braces, per subscription.
  @inlinable public func _nextOperator<Result>(
    _ metadata: Metadata? = nil, _ operation: @escaping (@escaping (Result) -> Void) -> (Value) -> Void
  ) -> MotionObservable<Result> {
    MotionObservable<Result>(metadata ?? self.metadata.with("_nextOperator")) { [self] observer in
      connect(MotionObserver(next: operation(observer.next), state: observer.state))
    }
  }
}
