extension MotionObservable where Value: Hashable {
  /// The table's entry for each value; values without an entry are dropped.
  ///
  ///     values                 1-2-3
  ///     rewrite([1: 7, 3: 9])  7---9
  ///
  /// State channel: passed on. Memory: none.
  public func rewrite<Result>(_ values: [Value: Result]) -> MotionObservable<Result> {
    _nextOperator(metadata.with("rewrite(_:)", args: [RewriteTable(values)])) { next in
      { value in
        if let result = values[value] { next(result) }
      }
    }
  }

  /// The last value of the stream that each value selects. It is emitted when the value arrives, and whenever that
  /// stream emits until another value arrives. Nothing is emitted while that stream has not emitted.
  ///
  ///     values             1---2---
  ///     one                --7-----
  ///     rewrite([1: one])  --7-----
  ///
  /// State channel: upstream's. Memory: the last value of each stream, per subscription; all are subscribed to at once.
  public func rewrite<Result>(_ streams: [Value: MotionObservable<Result>]) -> MotionObservable<Result> {
    MotionObservable<Result>(metadata.with("rewrite(_:)", args: [RewriteTable(streams)])) { [self] observer in
      var current: Value?
      var newest: [Value: Result] = [:]
      let subscriptions = streams.map { key, stream in
        stream.subscribe { result in
          newest[key] = result
          if current == key { observer.next(result) }
        }
      }
      let disconnect = connect(
        MotionObserver(
          next: { value in
            current = value
            if let result = newest[value] { observer.next(result) }
          }, state: observer.state))
      return {
        disconnect()
        for subscription in subscriptions { subscription.unsubscribe() }
      }
    }
  }
}
