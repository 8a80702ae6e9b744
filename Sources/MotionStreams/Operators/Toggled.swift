extension MotionObservable {
  /// Another stream while that one is active, this one while it is at rest: a drag, and the spring that takes over on
  /// release.
  ///
  /// The other stream is subscribed to at once; this one only while the other is at rest. When the other becomes
  /// active, that state is passed on first and this stream is unsubscribed from afterwards. Values and states that it
  /// emits on unsubscription are dropped, so that no rest is reported in the middle of a drag.
  ///
  ///     this               1--2-----3
  ///     preferred          ---9-8----
  ///     preferred's state  .-+----.--
  ///     toggled            1--9-8---3
  ///
  /// State channel: this one's; of the other only `active`. Memory: which of the two is passed on, per subscription.
  public func toggled(with preferred: MotionObservable<Value>) -> MotionObservable<Value> {
    MotionObservable(metadata.with("toggled(with:)", args: [preferred])) { [self] observer in
      let toggle = Toggle(original: self, observer: observer)
      let subscription = preferred.subscribe(next: toggle.preferred, state: toggle.preferred)
      return {
        subscription.unsubscribe()
        toggle.end()
      }
    }
  }
}

/// Passes on one of two streams.
private final class Toggle<Value> {
  private enum Heard {
    /// The preferred stream has not reported its state yet.
    case unknown
    case preferred
    case original
  }

  private let original: MotionObservable<Value>
  private let observer: MotionObserver<Value>
  private var heard = Heard.unknown
  private var subscription: Subscription?
  private var hasEnded = false
  /// Whether the original stream is being subscribed to: it may emit at once, and so may the preferred one.
  private var isSubscribing = false
  /// Whether the preferred stream became active meanwhile, so that the subscription in progress starts from outdated
  /// values.
  private var isOutdated = false

  init(original: MotionObservable<Value>, observer: MotionObserver<Value>) {
    self.original = original
    self.observer = observer
  }

  func preferred(_ value: Value) {
    if heard == .preferred { observer.next(value) }
  }

  func preferred(_ state: MotionState) {
    switch state {
    case .active:
      (heard, isOutdated) = (.preferred, true)
      observer.state(.active)
      leave()
    case .atRest:
      heard = .original
      if subscription == nil, !isSubscribing { subscribe() }
    }
  }

  /// The subscription has ended.
  func end() {
    hasEnded = true
    leave()
  }

  private func leave() {
    let last = subscription
    subscription = nil
    last?.unsubscribe()
  }

  private func subscribe() {
    isSubscribing = true
    while heard == .original, !hasEnded, subscription == nil {
      isOutdated = false
      let new = original.subscribe(
        next: { [unowned self] in if heard == .original, !isOutdated { observer.next($0) } },
        state: { [unowned self] in if heard == .original, !isOutdated { observer.state($0) } })
      if isOutdated || hasEnded { new.unsubscribe() } else { subscription = new }
    }
    isSubscribing = false
  }
}
