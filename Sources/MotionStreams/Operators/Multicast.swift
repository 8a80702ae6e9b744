extension MotionObservable {
  /// One subscription upstream for all who subscribe, as long as there are any. Who comes later hears what comes later.
  ///
  ///     values              1-2-3
  ///     heard from frame 3  ----3
  ///
  /// State channel: passed on to all. Memory: none.
  public func _multicast(_ metadata: Metadata? = nil) -> MotionObservable<Value> {
    shared(metadata ?? self.metadata.with("_multicast()"), remembers: false)
  }
}
