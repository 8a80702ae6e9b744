extension MotionObservable {
  /// The values of both streams, in the order of arrival. This stream is subscribed to first.
  ///
  ///     this    1---3--
  ///     other   --2---4
  ///     result  1-2-3-4
  ///
  /// State channel: of both together (`StateUnion`). Memory: which of them are active, per subscription.
  public func merge(with other: MotionObservable<Value>) -> MotionObservable<Value> {
    MotionObservable(metadata.with("merge(with:)", args: [other])) { [self] observer in
      let union = StateUnion(observer.state)
      let first = connect(MotionObserver(next: observer.next, state: union.channel(0)))
      let second = other.connect(MotionObserver(next: observer.next, state: union.channel(1)))
      return {
        first()
        second()
      }
    }
  }
}
