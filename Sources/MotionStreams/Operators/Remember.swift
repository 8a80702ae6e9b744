extension MotionObservable {
  /// One subscription upstream for all who subscribe, as long as there are any. Who comes later hears the last state and
  /// the last value first, once.
  ///
  ///     values              1-2-3
  ///     heard from frame 3  ---23
  ///
  /// State channel: passed on to all. Memory: the last value and state, of all subscriptions, while there is any.
  public func _remember(_ metadata: Metadata? = nil) -> MotionObservable<Value> {
    shared(metadata ?? self.metadata.with("_remember()"), remembers: true)
  }
}
