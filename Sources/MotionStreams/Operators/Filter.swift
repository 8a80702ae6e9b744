extension MotionObservable {
  /// The values that pass a test.
  ///
  ///     values  1-2-3
  ///     x > 1   --2-3
  ///
  /// State channel: passed on. Memory: none.
  @inlinable public func _filter(_ metadata: Metadata? = nil, _ passes: @escaping (Value) -> Bool) -> MotionObservable<
    Value
  > {
    _nextOperator(metadata ?? self.metadata.with("_filter")) { next in { if passes($0) { next($0) } } }
  }
}
