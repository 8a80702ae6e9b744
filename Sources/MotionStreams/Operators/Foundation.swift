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
  ///     values  1-1-2
  ///     result  1---2
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
  ///
  ///     values  1-2-3
  ///     x + 1   2-3-4
  ///
  /// State channel: passed on. Memory: none.
  @inlinable public func _map<Result>(
    _ metadata: Metadata, _ transform: @escaping (Value) -> Result
  ) -> MotionObservable<Result> {
    _nextOperator(metadata) { next in { next(transform($0)) } }
  }

  /// The values that pass a test.
  ///
  ///     values  1-2-3
  ///     x > 1   --2-3
  ///
  /// State channel: passed on. Memory: none.
  @inlinable public func _filter(_ metadata: Metadata, _ passes: @escaping (Value) -> Bool) -> MotionObservable<Value> {
    _nextOperator(metadata) { next in { if passes($0) { next($0) } } }
  }

  /// Looks at every value before it is passed on.
  ///
  ///     values  1-2-3
  ///     result  1-2-3
  ///
  /// State channel: passed on. Memory: none.
  @inlinable public func _tap(_ metadata: Metadata, _ look: @escaping (Value) -> Void) -> MotionObservable<Value> {
    _nextOperator(metadata) { next in
      { value in
        look(value)
        next(value)
      }
    }
  }

  /// The last value that upstream says at once when it is subscribed to; `nil` if it says none. Nothing stays subscribed.
  ///
  ///     values  (12)-3
  ///     _read   2
  ///
  /// State channel: not heard. Memory: none.
  @inlinable public func _read() -> Value? {
    var last: Value?
    let subscription = subscribe { last = $0 }
    subscription.unsubscribe()
    return last
  }

  /// The last `size` values, oldest first. Until there are so many, windows are shorter: the first value is one by itself.
  ///
  ///     values                  1----2------3
  ///     _slidingWindow(size: 2)  [1]--[1,2]--[2,3]
  ///
  /// State channel: passed on. Memory: `size` values of the subscription; each value costs a copy of them.
  @inlinable public func _slidingWindow(_ metadata: Metadata? = nil, size: Int = 2) -> MotionObservable<[Value]> {
    _nextOperator(metadata ?? self.metadata.with("_slidingWindow(size:)", args: [size])) { next in
      var window: [Value] = []
      return { value in
        if window.count >= Swift.max(size, 1) { window.removeFirst() }
        window.append(value)
        next(window)
      }
    }
  }
}
