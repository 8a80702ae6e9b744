// What operators are made of. All of them pass states on, untouched and in order, and say nothing at subscription but what
// upstream says.

extension MotionObservable {
  /// The foundation of every operator: given where values go, once for each subscription, it says what is done with each.
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
  /// State channel: passed on. Memory: what stands between the braces, which is the subscription's own.
  @inlinable public func _nextOperator<Result>(
    _ metadata: Metadata, _ operation: @escaping (@escaping (Result) -> Void) -> (Value) -> Void
  ) -> MotionObservable<Result> {
    MotionObservable<Result>(metadata) { [self] observer in
      connect(MotionObserver(next: operation(observer.next), state: observer.state))
    }
  }

  /// Every value as another one.
  @inlinable public func _map<Result>(
    _ metadata: Metadata, _ transform: @escaping (Value) -> Result
  ) -> MotionObservable<Result> {
    _nextOperator(metadata) { next in { next(transform($0)) } }
  }

  /// The values that pass a test.
  @inlinable public func _filter(_ metadata: Metadata, _ passes: @escaping (Value) -> Bool) -> MotionObservable<Value> {
    _nextOperator(metadata) { next in { if passes($0) { next($0) } } }
  }

  /// Looks at every value before it is passed on.
  @inlinable public func _tap(_ metadata: Metadata, _ look: @escaping (Value) -> Void) -> MotionObservable<Value> {
    _nextOperator(metadata) { next in
      { value in
        look(value)
        next(value)
      }
    }
  }

  /// The last value that upstream says at once when it is subscribed to; `nil` if it says none. Nothing stays subscribed.
  @inlinable public func _read() -> Value? {
    var last: Value?
    let subscription = subscribe { last = $0 }
    subscription.unsubscribe()
    return last
  }

  /// The last `size` values, oldest first, from the first value on with fewer.
  ///
  /// State channel: passed on. Memory: `size` values of the subscription; each value costs a copy of them.
  @inlinable public func _slidingWindow(_ metadata: Metadata, size: Int) -> MotionObservable<[Value]> {
    _nextOperator(metadata) { next in
      var window: [Value] = []
      return { value in
        if window.count >= Swift.max(size, 1) { window.removeFirst() }
        window.append(value)
        next(window)
      }
    }
  }
}
