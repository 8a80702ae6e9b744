/// Constant offsets and factors in a row, which one call applies instead of one each.
///
/// A value goes through the same products and sums in the same order, so the result is the same to the last bit: to
/// multiply by 1 and to add -0 change nothing.
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

  /// What the values come from.
  @usableFromInline let source: MotionObservable<Value>
  /// One to ``longest`` of them.
  @usableFromInline let steps: [Step]

  /// More would win little: a call is a third of the work of three.
  @inlinable static var longest: Int { 3 }

  /// The row that a stream ends with, and one more step; or that step alone.
  @inlinable init(_ stream: MotionObservable<Value>, _ step: Step) {
    if let row = stream.row as? AffineRow<Value>, row.steps.count < Self.longest {
      (source, steps) = (row.source, row.steps + [step])
    } else {
      (source, steps) = (stream, [step])
    }
  }

  /// All steps, and then where values go.
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
  /// Each value after a constant offset or factor, in one call with those just before it.
  @inlinable func affine(_ metadata: Metadata, _ step: AffineRow<Value>.Step) -> MotionObservable<Value> {
    let row = AffineRow(self, step)
    return MotionObservable(metadata, row: row) { observer in
      row.source.connect(MotionObserver(next: row.operation(observer.next), state: observer.state))
    }
  }
}
