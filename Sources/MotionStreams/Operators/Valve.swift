extension MotionObservable {
  /// The values of upstream while the valve is open: subscribed to on `true`, unsubscribed from on `false`. Repeated
  /// flags have no effect.
  ///
  ///     values  1-2-3-4
  ///     valve   -t--f-t
  ///     result  --2---4
  ///
  /// State channel: passed on while the valve is open. If upstream is active when the valve closes, `atRest` is
  /// emitted: upstream can no longer report it, and the result must not stay active for ever. Memory: whether the valve
  /// is open and upstream active, per subscription.
  public func valve(openWhenTrue valve: MotionObservable<Bool>) -> MotionObservable<Value> {
    MotionObservable(metadata.with("valve(openWhenTrue:)", args: [valve])) { [self] observer in
      let passage = Passage(self, observer)
      let subscription = valve.subscribe { passage.set(open: $0) }
      return {
        subscription.unsubscribe()
        passage.close()
      }
    }
  }
}

/// The connection to upstream that a valve opens and closes.
private final class Passage<Value> {
  private let upstream: MotionObservable<Value>
  private let observer: MotionObserver<Value>
  private var subscription: Subscription?
  private var isOpen = false
  private var isActive = false

  init(_ upstream: MotionObservable<Value>, _ observer: MotionObserver<Value>) {
    self.upstream = upstream
    self.observer = observer
  }

  func set(open: Bool) {
    guard open != isOpen else { return }
    if open { self.open() } else { close() }
  }

  func close() {
    isOpen = false
    let last = subscription
    subscription = nil
    last?.unsubscribe()
    guard isActive else { return }
    isActive = false
    observer.state(.atRest)
  }

  private func open() {
    isOpen = true
    let new = upstream.subscribe(
      next: { [unowned self] in if isOpen { observer.next($0) } },
      state: { [unowned self] in
        guard isOpen else { return }
        isActive = $0 == .active
        observer.state($0)
      })
    // The first values of upstream may have closed the valve again.
    if isOpen, subscription == nil { subscription = new } else { new.unsubscribe() }
  }
}
