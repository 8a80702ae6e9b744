extension MotionObservable {
  /// Every value together with the last one of another stream, as a third.
  ///
  /// Says nothing until both are known; then whenever either says something, or, if `onlyEmitWithUpstream`, when upstream
  /// does. The other stream is subscribed to first, so that what both say at once is known in full.
  ///
  /// State channel: upstream's. Memory: the last value of each, of the subscription.
  @inlinable public func _reactiveMap<Other, Result>(
    _ metadata: Metadata, with other: MotionObservable<Other>, onlyEmitWithUpstream: Bool = false,
    _ transform: @escaping (Value, Other) -> Result
  ) -> MotionObservable<Result> {
    MotionObservable<Result>(metadata) { [self] observer in
      var lastValue: Value?
      var lastOther: Other?
      let subscription = other.subscribe { value in
        lastOther = value
        if !onlyEmitWithUpstream, let lastValue { observer.next(transform(lastValue, value)) }
      }
      let disconnect = connect(
        MotionObserver(
          next: { value in
            lastValue = value
            if let lastOther { observer.next(transform(value, lastOther)) }
          }, state: observer.state))
      return {
        disconnect()
        subscription.unsubscribe()
      }
    }
  }
}

/// An argument of an operator: a value, or a stream of values.
public enum Reactive<Value> {
  /// Always this.
  case constant(Value)
  /// Whatever this says.
  case stream(MotionObservable<Value>)

  /// The argument for metadata.
  @inlinable var argument: Any {
    switch self {
    case .constant(let value): value
    case .stream(let stream): stream
    }
  }
}

extension MotionObservable {
  /// Every value together with an argument that may be a stream; see ``_reactiveMap(_:with:onlyEmitWithUpstream:_:)``.
  @inlinable func _map<Other, Result>(
    _ metadata: Metadata, with argument: Reactive<Other>, _ transform: @escaping (Value, Other) -> Result
  ) -> MotionObservable<Result> {
    switch argument {
    case .constant(let other): _map(metadata) { transform($0, other) }
    case .stream(let stream): _reactiveMap(metadata, with: stream, transform)
    }
  }
}
