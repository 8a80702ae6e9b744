extension MotionObservable {
  /// Another stream while that one is at work, this one while it is at rest: a hand, and the spring that it lets go to.
  ///
  /// The other is subscribed to at once; this one only while the other is at rest. When the other becomes active, that is
  /// passed on first and this one is unsubscribed from then: nothing that it says on its way out gets through, no rest in
  /// the middle of a drag.
  ///
  ///     this               1--2-----3
  ///     preferred          ---9-8----
  ///     preferred's state  .-+----.--
  ///     toggled            1--9-8---3
  ///
  /// State channel: this one's; of the other only `active`. Memory: which of the two is heard, of the subscription.
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

/// Which of two streams is heard.
private final class Toggle<Value> {
  private enum Heard {
    /// The preferred one has not said yet whether it is at work.
    case unknown
    case preferred
    case original
  }

  private let original: MotionObservable<Value>
  private let observer: MotionObserver<Value>
  private var heard = Heard.unknown
  private var subscription: Subscription?
  private var hasEnded = false
  /// Whether the original one is being subscribed to: it may say something at once, and so may the preferred one.
  private var isSubscribing = false
  /// Whether the preferred one went to work meanwhile, so that what is being subscribed to begins from what was before.
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

  /// Nobody listens any more.
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
