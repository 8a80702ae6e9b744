extension MotionObservable {
  /// The values that arrive while the last value of the condition is true; none before the condition has emitted.
  ///
  ///     values     1-2-3-4
  ///     condition  -t--f--
  ///     when       --2-3--
  ///
  /// State channel: upstream's. Memory: the condition, per subscription.
  public func when(_ condition: MotionObservable<Bool>) -> MotionObservable<Value> {
    MotionObservable(metadata.with("when(_:)", args: [condition])) { [self] observer in
      var holds = false
      let subscription = condition.subscribe { holds = $0 }
      let disconnect = connect(MotionObserver(next: { if holds { observer.next($0) } }, state: observer.state))
      return {
        disconnect()
        subscription.unsubscribe()
      }
    }
  }
}
