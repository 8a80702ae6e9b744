extension MotionObservable {
  /// One upstream subscription for all subscribers, as long as there are any. A later subscriber receives the last
  /// state and the last value first, once.
  ///
  ///     values        1-2-3
  ///     from frame 3  ---23
  ///
  /// State channel: passed on to all. Memory: the last value and state, shared by all subscriptions, while there is
  /// any.
  public func _remember(_ metadata: Metadata? = nil) -> MotionObservable<Value> {
    shared(metadata ?? self.metadata.with("_remember()"), remembers: true)
  }
}
