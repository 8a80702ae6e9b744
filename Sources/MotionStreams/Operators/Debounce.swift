extension MotionObservable {
  /// The newest value, once a frame.
  ///
  /// A value waits for the next frame of the clock; of several values only the last is emitted.
  ///
  ///     values             1-23--4-
  ///     _debounce(clock)   -1-23--4
  ///
  /// State channel: passed on at once. Memory: one value per subscription. It subscribes to frames only while a value
  /// waits; unsubscribing discards it.
  public func _debounce(_ clock: any FrameClock) -> MotionObservable<Value> {
    MotionObservable(metadata.with("_debounce(_:)", args: [clock])) { [self] observer in
      var waiting: Value?
      var frames: Subscription?
      let disconnect = connect(
        MotionObserver(
          next: { value in
            waiting = value
            guard frames == nil else { return }
            frames = clock.subscribe { _ in
              let newest = waiting
              (waiting, frames) = (nil, nil)
              if let newest { observer.next(newest) }
            }
          }, state: observer.state))
      return {
        disconnect()
        frames?.unsubscribe()
      }
    }
  }
}
