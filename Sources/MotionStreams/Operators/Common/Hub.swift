/// The state that several subscriptions share. It does not keep upstream alive; the stream that is derived from it
/// does.
final class Hub<Value> {
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
    // An observer may have unsubscribed when upstream emitted its first values.
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

extension MotionObservable {
  /// One upstream subscription for all subscribers, as long as there are any. A later subscriber receives the last
  /// state and value first if the hub `remembers` them.
  func shared(_ metadata: Metadata, remembers: Bool) -> MotionObservable<Value> {
    let hub = Hub<Value>(remembers: remembers)
    return MotionObservable(metadata) { [self] in hub.add($0, to: self) }
  }
}
