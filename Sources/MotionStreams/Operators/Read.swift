extension MotionObservable {
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
}
