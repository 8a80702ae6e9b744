extension MotionObservable {
  /// This value first, then those of upstream. The stream is shared: a later subscriber receives the last value.
  ///
  ///     values        --1-2
  ///     startWith(9)  9-1-2
  ///
  /// State channel: passed on. Memory: the last value, shared by all subscriptions (`_remember(_:)`).
  public func startWith(_ value: Value) -> MotionObservable<Value> {
    let name = metadata.with("startWith(_:)", args: [value])
    return MotionObservable(name) { [self] observer in
      observer.next(value)
      return connect(observer)
    }._remember(name)
  }
}
