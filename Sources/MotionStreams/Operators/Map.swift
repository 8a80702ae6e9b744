extension MotionObservable {
  /// Every value, transformed.
  ///
  ///     values  1-2-3
  ///     x + 1   2-3-4
  ///
  /// State channel: passed on. Memory: none.
  @inlinable public func _map<Result>(
    _ metadata: Metadata? = nil, _ transform: @escaping (Value) -> Result
  ) -> MotionObservable<Result> {
    _nextOperator(metadata ?? self.metadata.with("_map")) { next in { next(transform($0)) } }
  }
}
