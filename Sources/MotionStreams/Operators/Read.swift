extension MotionObservable {
  /// The last value that upstream emits at subscription; `nil` if it emits none. The subscription ends at once.
  ///
  ///     values  (12)-3
  ///     _read   2
  ///
  /// State channel: ignored. Memory: none.
  @inlinable public func _read() -> Value? {
    var last: Value?
    let subscription = subscribe { last = $0 }
    subscription.unsubscribe()
    return last
  }
}
