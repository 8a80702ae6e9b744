/// A stream of values over time, with a channel that says whether its source is at work.
///
/// A source may say a value before any state, and may repeat a state: who aggregates keeps a set of tokens, no counter.
/// A derived stream keeps the streams that it comes from alive; a subscription does not keep its stream, except for those
/// that it has still to subscribe to (`toggled(with:)`, `valve(openWhenTrue:)`). For one thread; a value costs a call for each operator,
/// and no allocation.
public final class MotionObservable<Value>: IndefiniteObservable<MotionObserver<Value>> {
  /// What it is: its source and its operators.
  public let metadata: Metadata
  /// The `AffineRow` that it ends with, if it does.
  @usableFromInline let row: AnyObject?

  /// A stream from what `connect` connects to; unnamed, it is called `stream` in descriptions.
  @inlinable public convenience init(_ metadata: Metadata = Metadata("stream"), connect: @escaping Connect) {
    self.init(metadata, row: nil, connect: connect)
  }

  /// A stream from a source that is an object: `connect` makes a subscription of its own for each observer.
  ///
  /// Its `unsubscribe()` is called once, when what the observer got is ended or released.
  @_disfavoredOverload
  public convenience init(
    _ metadata: Metadata = Metadata("stream"), connect: @escaping (MotionObserver<Value>) -> Subscription
  ) {
    self.init(metadata, row: nil) { observer in
      let subscription = connect(observer)
      return { subscription.unsubscribe() }
    }
  }

  @usableFromInline init(_ metadata: Metadata, row: AnyObject?, connect: @escaping Connect) {
    self.metadata = metadata
    self.row = row
    super.init(connect)
  }

  /// Hears values and states, until the subscription is ended or released.
  ///
  /// Nothing more is heard from the moment on at which it ends, also if a value is on its way.
  @inlinable public func subscribe(
    next: @escaping (Value) -> Void, state: @escaping (MotionState) -> Void
  ) -> Subscription {
    let gate = Gate()
    let disconnect = connect(
      MotionObserver(
        next: { if gate.isOpen { next($0) } },
        state: { if gate.isOpen { state($0) } }))
    return Subscription {
      gate.isOpen = false
      disconnect()
    }
  }

  /// Hands values and states to an observer; see ``subscribe(next:state:)``.
  @inlinable public override func subscribe(observer: MotionObserver<Value>) -> Subscription {
    subscribe(next: observer.next, state: observer.state)
  }

  /// Hears values; see ``subscribe(next:state:)``.
  @inlinable public func subscribe(next: @escaping (Value) -> Void) -> Subscription {
    subscribe(next: next, state: { _ in })
  }
}

/// Whether an observer still hears.
///
/// Streams belong to one thread, and it is only loaded or stored: no two accesses overlap.
@usableFromInline
final class Gate {
  @exclusivity(unchecked) @usableFromInline var isOpen = true
  @inlinable init() {}
}
