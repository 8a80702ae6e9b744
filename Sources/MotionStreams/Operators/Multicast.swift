extension MotionObservable {
  /// One upstream subscription for all subscribers, as long as there are any. A later subscriber receives only later
  /// values.
  ///
  ///     values        1-2-3
  ///     from frame 3  ----3
  ///
  /// State channel: passed on to all. Memory: none.
  public func _multicast(_ metadata: Metadata? = nil) -> MotionObservable<Value> {
    shared(metadata ?? self.metadata.with("_multicast()"), remembers: false)
  }
}
