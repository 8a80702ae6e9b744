/// A row of constant offsets and factors, applied by one call instead of one each.
///
/// A value goes through the same products and sums in the same order, so the result is the same to the last bit:
/// multiplying by 1 and adding -0 change nothing.
@usableFromInline
final class AffineRow<Value: MotionValue> {
  /// A product, then a sum.
  @usableFromInline
  struct Step {
    @usableFromInline let factor: Double
    @usableFromInline let amount: Value

    /// Adds a constant.
    @inlinable init(adding amount: Value) { (factor, self.amount) = (1, amount) }
    /// Multiplies by a constant.
    @inlinable init(multiplyingBy factor: Double) {
      (self.factor, amount) = (factor, Value(lanes: SIMD4(repeating: -0.0)))
    }

    @inlinable func applied(to value: Value) -> Value { value * factor + amount }
  }

  /// The source of the values.
  @usableFromInline let source: MotionObservable<Value>
  /// One to ``longest`` steps.
  @usableFromInline let steps: [Step]

  /// A longer row would gain little: a call is a third of the work of three.
  @inlinable static var longest: Int { 3 }

  /// Extends the row that a stream ends with by one step; or starts a row with that step.
  @inlinable init(_ stream: MotionObservable<Value>, _ step: Step) {
    if let row = stream.row as? AffineRow<Value>, row.steps.count < Self.longest {
      (source, steps) = (row.source, row.steps + [step])
    } else {
      (source, steps) = (stream, [step])
    }
  }

  /// A closure that applies all steps, and then calls `next`.
  @inlinable func operation(_ next: @escaping (Value) -> Void) -> (Value) -> Void {
    let first = steps[0]
    guard steps.count > 1 else { return { next(first.applied(to: $0)) } }
    let second = steps[1]
    guard steps.count > 2 else { return { next(second.applied(to: first.applied(to: $0))) } }
    let third = steps[2]
    return { next(third.applied(to: second.applied(to: first.applied(to: $0)))) }
  }
}

extension MotionObservable where Value: MotionValue {
  /// Each value after a constant offset or factor, in one call with the affine steps just before it.
  @inlinable func affine(_ metadata: Metadata, _ step: AffineRow<Value>.Step) -> MotionObservable<Value> {
    let row = AffineRow(self, step)
    return MotionObservable(metadata, row: row) { observer in
      row.source.connect(MotionObserver(next: row.operation(observer.next), state: observer.state))
    }
  }
}
