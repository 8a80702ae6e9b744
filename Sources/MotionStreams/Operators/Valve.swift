extension MotionObservable {
  /// Upstream, while the valve is open: subscribed to on `true`, unsubscribed from on `false`. Repetitions do nothing.
  ///
  ///     values  1-2-3-4
  ///     valve   -t--f-t
  ///     result  --2---4
  ///
  /// State channel: passed on while it is open. Memory: whether it is open, of the subscription.
  public func valve(openWhenTrue valve: MotionObservable<Bool>) -> MotionObservable<Value> {
    MotionObservable(metadata.with("valve(openWhenTrue:)", args: [valve])) { [self] observer in
      var upstream: Subscription?
      let subscription = valve.subscribe { isOpen in
        guard isOpen else {
          let last = upstream
          upstream = nil
          last?.unsubscribe()
          return
        }
        if upstream == nil { upstream = self.subscribe(next: observer.next, state: observer.state) }
      }
      return {
        subscription.unsubscribe()
        upstream?.unsubscribe()
      }
    }
  }
}
