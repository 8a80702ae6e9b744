extension MotionObservable {
  /// Every value combined with other inputs: constants, and the last values of other streams.
  ///
  /// Emits nothing until all inputs are known; then whenever any input emits, or, if `onlyEmitWithUpstream`, when
  /// upstream does. The other streams are subscribed to first, in order, so that all values emitted at subscription are
  /// taken into account.
  ///
  ///     values        1---2----
  ///     other         --1---2--
  ///     sum           --2-3-4--
  ///     withUpstream  ----3----
  ///
  /// State channel: upstream's. Memory: the last value of each input, per subscription.
  @inlinable public func _reactiveMap<each Input, Result>(
    _ metadata: Metadata? = nil, inputs: repeat Reactive<each Input>, onlyEmitWithUpstream: Bool = false,
    transform: @escaping (Value, repeat each Input) -> Result
  ) -> MotionObservable<Result> {
    MotionObservable<Result>(metadata ?? self.metadata.with("_reactiveMap")) { [self] observer in
      let upstream = LatestValue<Value>()
      let latest = (repeat LatestValue<each Input>())
      func say() {
        do {
          let result = try transform(upstream.known(), repeat (each latest).known())
          observer.next(result)
        } catch {}
      }
      var subscriptions: [Subscription] = []
      func follow<Other>(_ input: Reactive<Other>, _ latest: LatestValue<Other>) {
        switch input {
        case .constant(let value): latest.value = value
        case .stream(let stream):
          subscriptions.append(
            stream.subscribe { value in
              latest.value = value
              if !onlyEmitWithUpstream { say() }
            })
        }
      }
      repeat follow(each inputs, each latest)
      let disconnect = connect(
        MotionObserver(
          next: { value in
            upstream.value = value
            say()
          }, state: observer.state))
      return {
        disconnect()
        for subscription in subscriptions { subscription.unsubscribe() }
      }
    }
  }

  /// Every value combined with one input; see ``_reactiveMap(_:inputs:onlyEmitWithUpstream:transform:)``.
  @inlinable func _map<Other, Result>(
    _ metadata: Metadata, with input: Reactive<Other>, _ transform: @escaping (Value, Other) -> Result
  ) -> MotionObservable<Result> {
    // A constant needs no memory.
    if case .constant(let other) = input { return _map(metadata) { transform($0, other) } }
    return _reactiveMap(metadata, inputs: input, transform: transform)
  }
}

/// An argument of an operator: a value, or a stream of values.
public enum Reactive<Value> {
  /// A constant value.
  case constant(Value)
  /// The values of a stream.
  case stream(MotionObservable<Value>)

  /// The argument for metadata.
  @inlinable var argument: Any {
    switch self {
    case .constant(let value): value
    case .stream(let stream): stream
    }
  }
}

/// The last value of a stream, or a value that an operator stores.
///
/// An object instead of a captured variable, whose accesses would be checked, for 5 ns each.
@usableFromInline
final class LatestValue<Value> {
  /// Thrown if there is no value yet.
  @usableFromInline
  struct Unknown: Error {
    @inlinable init() {}
  }

  // Streams belong to one thread, and this is only loaded or stored: no two accesses overlap.
  @exclusivity(unchecked) @usableFromInline var value: Value?

  @inlinable init() {}

  @inlinable func known() throws(Unknown) -> Value {
    guard let value else { throw Unknown() }
    return value
  }
}
