/// A stream of values over time, with a channel for the state of its source: active or at rest.
///
/// A source may emit a value before any state, and may repeat a state: code that aggregates states keeps a set of
/// tokens, no counter. A derived stream keeps the streams that it comes from alive. A subscription does not keep its
/// stream, except for streams that it may still have to subscribe to (`toggled(with:)`, `valve(openWhenTrue:)`). For
/// one thread; a value costs a call for each operator, and no allocation.
public final class MotionObservable<Value>: IndefiniteObservable<MotionObserver<Value>> {
  /// The description: the source and its operators.
  public let metadata: Metadata
  /// The `AffineRow` that the stream ends with, if any.
  @usableFromInline let row: AnyObject?

  /// Creates a stream from the source that `connect` connects to; unnamed, it is called `stream` in descriptions.
  @inlinable public convenience init(_ metadata: Metadata = Metadata("stream"), connect: @escaping Connect) {
    self.init(metadata, row: nil, connect: connect)
  }

  /// Creates a stream from a source that is an object: `connect` makes a subscription of its own for each observer.
  ///
  /// Its `unsubscribe()` is called once, when the observer's subscription is ended or released.
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

  /// Calls `next` for values and `state` for states, until the subscription is ended or released.
  ///
  /// Neither is called once the subscription has ended, even if a value is being delivered.
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

  /// Passes values and states to an observer; see ``subscribe(next:state:)``.
  @inlinable public override func subscribe(observer: MotionObserver<Value>) -> Subscription {
    subscribe(next: observer.next, state: observer.state)
  }

  /// Calls `next` for values; see ``subscribe(next:state:)``.
  @inlinable public func subscribe(next: @escaping (Value) -> Void) -> Subscription {
    subscribe(next: next, state: { _ in })
  }
}

/// Whether an observer still receives values and states.
///
/// Streams belong to one thread, and it is only loaded or stored: no two accesses overlap.
@usableFromInline
final class Gate {
  @exclusivity(unchecked) @usableFromInline var isOpen = true
  @inlinable init() {}
}
