extension MotionObservable {
  /// The values of both streams, as they come. This one is subscribed to first.
  ///
  ///     this    1---3--
  ///     other   --2---4
  ///     result  1-2-3-4
  ///
  /// State channel: of both. Memory: none.
  public func merge(with other: MotionObservable<Value>) -> MotionObservable<Value> {
    MotionObservable(metadata.with("merge(with:)", args: [other])) { [self] observer in
      let first = connect(observer)
      let second = other.connect(observer)
      return {
        first()
        second()
      }
    }
  }
}
