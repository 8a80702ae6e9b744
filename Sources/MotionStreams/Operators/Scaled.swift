extension MotionObservable where Value: MotionValue {
  /// Each value times this.
  ///
  ///     values         1-2-3
  ///     scaled(by: 2)  2-4-6
  ///
  /// State channel: passed on. Memory: none.
  @inlinable public func scaled(by factor: Double) -> MotionObservable<Value> { scaled(.constant(factor)) }

  /// Each value times the last value of the stream; emitted when either emits, once both have.
  ///
  ///     values  1---3
  ///     factor  --2--
  ///     scaled  --2-6
  ///
  /// State channel: upstream's. Memory: the last value of both, per subscription.
  @inlinable public func scaled(by factor: MotionObservable<Double>) -> MotionObservable<Value> {
    scaled(.stream(factor))
  }

  @inlinable func scaled(_ factor: Reactive<Double>) -> MotionObservable<Value> {
    let metadata = metadata.with("scaled(by:)", args: [factor.argument])
    guard case .constant(let factor) = factor else { return _map(metadata, with: factor) { $0 * $1 } }
    return affine(metadata, AffineRow.Step(multiplyingBy: factor))
  }
}

extension MotionObservable where Value: MotionValue {
  /// Each value times this, lane by lane.
  ///
  ///     points             1,2-3,4
  ///     scaled(by: [2,3])  2,6-6,12
  ///
  /// State channel: passed on. Memory: none.
  @_disfavoredOverload @inlinable public func scaled(by factors: Value) -> MotionObservable<Value> {
    scaled(each: .constant(factors))
  }

  /// Each value times the last value of the stream, lane by lane; emitted when either emits, once both have.
  ///
  ///     points   1,2---3,4
  ///     factors  ---2,3---
  ///     scaled   ---2,6-6,12
  ///
  /// State channel: upstream's. Memory: the last value of both, per subscription.
  @_disfavoredOverload @inlinable public func scaled(
    by factors: MotionObservable<Value>
  ) -> MotionObservable<Value> {
    scaled(each: .stream(factors))
  }

  @inlinable func scaled(each factors: Reactive<Value>) -> MotionObservable<Value> {
    let metadata = metadata.with("scaled(by:)", args: [factors.argument])
    guard case .constant(let factors) = factors else {
      return _map(metadata, with: factors) { Value.multiplied($0, $1) }
    }
    return _nextOperator(metadata) { next in { next(Value.multiplied($0, factors)) } }
  }
}
