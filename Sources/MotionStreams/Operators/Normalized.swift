extension MotionObservable where Value: MotionValue {
  /// Each value divided by this, by component; division by zero gives infinity or not a number, as IEEE 754 defines.
  ///
  ///     values             2-4-6
  ///     normalized(by: 2)  1-2-3
  ///
  /// State channel: passed on. Memory: none.
  @inlinable public func normalized(by size: Value) -> MotionObservable<Value> { normalized(.constant(size)) }

  /// Each value divided by the last value of the stream, by component; emitted when either emits, once both have.
  ///
  ///     values      8---6
  ///     size        --2--
  ///     normalized  --4-3
  ///
  /// State channel: upstream's. Memory: the last value of both, per subscription.
  @inlinable public func normalized(by size: MotionObservable<Value>) -> MotionObservable<Value> {
    normalized(.stream(size))
  }

  @inlinable func normalized(_ size: Reactive<Value>) -> MotionObservable<Value> {
    _map(metadata.with("normalized(by:)", args: [size.argument]), with: size) { Value.divided($0, $1) }
  }
}

extension MotionObservable where Value: MotionValue & SIMD {
  /// Each value divided by this, every component by the same number.
  ///
  ///     points             2,4-6,8
  ///     normalized(by: 2)  1,2-3,4
  ///
  /// State channel: passed on. Memory: none.
  @inlinable public func normalized(by size: Double) -> MotionObservable<Value> { normalized(all: .constant(size)) }

  /// Each value divided by the last value of the stream, every component by the same number; otherwise like
  /// ``normalized(by:)-(MotionObservable<Value>)``.
  @inlinable public func normalized(by size: MotionObservable<Double>) -> MotionObservable<Value> {
    normalized(all: .stream(size))
  }

  @inlinable func normalized(all size: Reactive<Double>) -> MotionObservable<Value> {
    _map(metadata.with("normalized(by:)", args: [size.argument]), with: size) { value, size in
      Value.divided(value, Value(lanes: SIMD4(repeating: size)))
    }
  }
}
