extension MotionObservable where Value: MotionValue {
  /// Each value plus this.
  ///
  ///     values         1-2-3
  ///     offset(by: 5)  6-7-8
  ///
  /// State channel: passed on. Memory: none.
  @inlinable public func offset(by amount: Value) -> MotionObservable<Value> { offset(.constant(amount)) }

  /// Each value plus the last value of the stream; emitted when either emits, once both have.
  ///
  ///     values  1---2
  ///     amount  --5--
  ///     offset  --6-7
  ///
  /// State channel: upstream's. Memory: the last value of both, per subscription.
  @inlinable public func offset(by amount: MotionObservable<Value>) -> MotionObservable<Value> {
    offset(.stream(amount))
  }

  @inlinable func offset(_ amount: Reactive<Value>) -> MotionObservable<Value> {
    let metadata = metadata.with("offset(by:)", args: [amount.argument])
    guard case .constant(let amount) = amount else { return _map(metadata, with: amount) { $0 + $1 } }
    return affine(metadata, AffineRow.Step(adding: amount))
  }
}
