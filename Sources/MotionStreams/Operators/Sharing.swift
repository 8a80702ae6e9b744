extension MotionObservable {
  /// One subscription upstream for all who subscribe, as long as there are any. Who comes later hears what comes later.
  ///
  /// State channel: passed on to all. Memory: none.
  public func _multicast(_ metadata: Metadata? = nil) -> MotionObservable<Value> {
    shared(metadata, remembers: false)
  }

  /// One subscription upstream for all who subscribe, as long as there are any. Who comes later hears the last state and
  /// the last value first, once.
  ///
  /// State channel: passed on to all. Memory: the last value and state, while anybody is subscribed.
  public func _remember(_ metadata: Metadata? = nil) -> MotionObservable<Value> {
    shared(metadata, remembers: true)
  }

  private func shared(_ metadata: Metadata?, remembers: Bool) -> MotionObservable<Value> {
    let hub = Hub(self, remembers: remembers)
    return MotionObservable(metadata ?? self.metadata) { hub.add($0) }
  }
}

/// What several subscriptions share.
private final class Hub<Value> {
  private let upstream: MotionObservable<Value>
  private let remembers: Bool
  private let observers = Announcer<Value>()
  private var subscription: Subscription?
  private var lastValue: Value?
  private var lastState: MotionState?

  init(_ upstream: MotionObservable<Value>, remembers: Bool) {
    self.upstream = upstream
    self.remembers = remembers
  }

  func add(_ observer: MotionObserver<Value>) -> Disconnect {
    let isFirst = observers.isEmpty
    let id = observers.add(observer)
    if isFirst {
      connect()
    } else if remembers {
      if let lastState { observer.state(lastState) }
      if let lastValue { observer.next(lastValue) }
    }
    return { [self] in remove(id) }
  }

  private func connect() {
    let connection = upstream.subscribe(
      next: { [unowned self] value in
        if remembers { lastValue = value }
        observers.next(value)
      },
      state: { [unowned self] state in
        if remembers { lastState = state }
        observers.state(state)
      })
    // Somebody may have left at what upstream said at once.
    if observers.isEmpty { connection.unsubscribe() } else { subscription = connection }
  }

  private func remove(_ id: ObserverList<Value>.ID) {
    observers.remove(id)
    guard observers.isEmpty else { return }
    (lastValue, lastState) = (nil, nil)
    let last = subscription
    subscription = nil
    last?.unsubscribe()
  }
}
