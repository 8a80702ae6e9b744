extension MotionObservable {
  /// Every value as another one.
  ///
  ///     values  1-2-3
  ///     x + 1   2-3-4
  ///
  /// State channel: passed on. Memory: none.
  @inlinable public func _map<Result>(
    _ metadata: Metadata, _ transform: @escaping (Value) -> Result
  ) -> MotionObservable<Result> {
    _nextOperator(metadata) { next in { next(transform($0)) } }
  }
}
