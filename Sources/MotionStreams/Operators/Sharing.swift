extension MotionObservable {
  /// One subscription upstream for all who subscribe, as long as there are any. Who comes later hears what comes later.
  ///
  ///     values              1-2-3
  ///     heard from frame 3  ----3
  ///
  /// State channel: passed on to all. Memory: none.
  public func _multicast(_ metadata: Metadata? = nil) -> MotionObservable<Value> {
    shared(metadata ?? self.metadata.with("_multicast()"), remembers: false)
  }

  /// One subscription upstream for all who subscribe, as long as there are any. Who comes later hears the last state and
  /// the last value first, once.
  ///
  ///     values              1-2-3
  ///     heard from frame 3  ---23
  ///
  /// State channel: passed on to all. Memory: the last value and state, of all subscriptions, while there is any.
  public func _remember(_ metadata: Metadata? = nil) -> MotionObservable<Value> {
    shared(metadata ?? self.metadata.with("_remember()"), remembers: true)
  }

  private func shared(_ metadata: Metadata, remembers: Bool) -> MotionObservable<Value> {
    let hub = Hub<Value>(remembers: remembers)
    return MotionObservable(metadata) { [self] in hub.add($0, to: self) }
  }
}

/// What several subscriptions share. It does not keep upstream, which is kept by the stream that is made of it.
private final class Hub<Value> {
  private let remembers: Bool
  private let observers = Announcer<Value>()
  private var subscription: Subscription?
  private var lastValue: Value?
  private var lastState: MotionState?

  init(remembers: Bool) { self.remembers = remembers }

  func add(_ observer: MotionObserver<Value>, to upstream: MotionObservable<Value>) -> Disconnect {
    let isFirst = observers.isEmpty
    let receiver = observers.add(observer)
    if isFirst {
      connect(to: upstream)
    } else if remembers {
      if let lastState { observer.state(lastState) }
      if let lastValue { observer.next(lastValue) }
    }
    return { [self] in remove(receiver) }
  }

  private func connect(to upstream: MotionObservable<Value>) {
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

  private func remove(_ receiver: Receiver<Value>) {
    observers.remove(receiver)
    guard observers.isEmpty else { return }
    (lastValue, lastState) = (nil, nil)
    let last = subscription
    subscription = nil
    last?.unsubscribe()
  }
}
