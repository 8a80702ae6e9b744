extension MotionObservable where Value: MotionValue {
  /// Each value divided by this, lane by lane; by zero it is infinite or no number, as IEEE 754 says.
  ///
  ///     values             2-4-6
  ///     normalized(by: 2)  1-2-3
  ///
  /// State channel: passed on. Memory: none.
  @inlinable public func normalized(by size: Value) -> MotionObservable<Value> { normalized(.constant(size)) }

  /// Each value divided by what the stream said last; when either says something, once both have.
  @inlinable public func normalized(by size: MotionObservable<Value>) -> MotionObservable<Value> {
    normalized(.stream(size))
  }

  @inlinable func normalized(_ size: Reactive<Value>) -> MotionObservable<Value> {
    _map(metadata.with("normalized(by:)", args: [size.argument]), with: size) { Value.divided($0, $1) }
  }
}
