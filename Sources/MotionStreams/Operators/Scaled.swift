extension MotionObservable where Value: MotionValue {
  /// Each value times this.
  ///
  ///     values         1-2-3
  ///     scaled(by: 2)  2-4-6
  ///
  /// State channel: passed on. Memory: none.
  @inlinable public func scaled(by factor: Double) -> MotionObservable<Value> { scaled(.constant(factor)) }

  /// Each value times what the stream said last; when either says something, once both have.
  @inlinable public func scaled(by factor: MotionObservable<Double>) -> MotionObservable<Value> {
    scaled(.stream(factor))
  }

  @inlinable func scaled(_ factor: Reactive<Double>) -> MotionObservable<Value> {
    _map(metadata.with("scaled(by:)", args: [factor.argument]), with: factor) { $0 * $1 }
  }
}
