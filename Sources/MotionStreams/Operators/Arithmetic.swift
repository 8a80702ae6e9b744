extension MotionObservable where Value: MotionValue {
  /// The sum of the last values of both streams, lane by lane; emitted when either emits, once both have.
  ///
  ///     left   1---2
  ///     right  --5--
  ///     sum    --6-7
  ///
  /// State channel: of both together (`StateUnion`). Memory: the last value of each stream and which of them are
  /// active, per subscription.
  @inlinable public static func + (left: MotionObservable, right: MotionObservable) -> MotionObservable {
    left.combined("+(_:)", with: right) { $0 + $1 }
  }

  /// The difference of the last values of both streams, lane by lane; otherwise like ``+(_:_:)``.
  ///
  ///     left        7---9
  ///     right       --5--
  ///     difference  --2-4
  ///
  /// State channel and memory: see ``+(_:_:)``.
  @inlinable public static func - (left: MotionObservable, right: MotionObservable) -> MotionObservable {
    left.combined("-(_:)", with: right) { $0 - $1 }
  }

  /// The product of the last values of both streams, lane by lane; otherwise like ``+(_:_:)``.
  ///
  ///     left     1---2
  ///     right    --4--
  ///     product  --4-8
  ///
  /// State channel and memory: see ``+(_:_:)``.
  @inlinable public static func * (left: MotionObservable, right: MotionObservable) -> MotionObservable {
    left.combined("*(_:)", with: right) { Value.multiplied($0, $1) }
  }

  /// The quotient of the last values of both streams, lane by lane; division by zero gives infinity or not a number, as
  /// IEEE 754 defines. Otherwise like ``+(_:_:)``.
  ///
  ///     left      8---6
  ///     right     --2--
  ///     quotient  --4-3
  ///
  /// State channel and memory: see ``+(_:_:)``.
  @inlinable public static func / (left: MotionObservable, right: MotionObservable) -> MotionObservable {
    left.combined("/(_:)", with: right) { Value.divided($0, $1) }
  }

  @inlinable func combined(
    _ name: String, with right: MotionObservable, _ combine: @escaping (Value, Value) -> Value
  ) -> MotionObservable {
    MotionObservable(metadata.with(name, args: [right])) { [self] observer in
      let (lastLeft, lastRight) = (LatestValue<Value>(), LatestValue<Value>())
      let union = StateUnion(observer.state)
      let one = connect(
        MotionObserver(
          next: { value in
            lastLeft.value = value
            if let lastRight = lastRight.value { observer.next(combine(value, lastRight)) }
          }, state: union.channel(0)))
      let two = right.connect(
        MotionObserver(
          next: { value in
            lastRight.value = value
            if let lastLeft = lastLeft.value { observer.next(combine(lastLeft, value)) }
          }, state: union.channel(1)))
      return {
        one()
        two()
      }
    }
  }
}
