extension MotionObservable {
  /// Every value together with other inputs: with constants, and with what other streams said last.
  ///
  /// Says nothing until all are known; then whenever any says something, or, if `onlyEmitWithUpstream`, when upstream does.
  /// The other streams are subscribed to first, in order, so that what all say at once is known in full.
  ///
  ///     values        1---2----
  ///     other         --1---2--
  ///     sum           --2-3-4--
  ///     withUpstream  ----3----
  ///
  /// State channel: upstream's. Memory: the last value of each, of the subscription.
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

  /// Every value together with one input; see ``_reactiveMap(_:inputs:onlyEmitWithUpstream:transform:)``.
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

/// What a stream said last, or what an operator remembers.
///
/// An object and no captured variable, which would be checked at each access, for 5 ns.
@usableFromInline
final class LatestValue<Value> {
  /// Nothing has been said yet.
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
