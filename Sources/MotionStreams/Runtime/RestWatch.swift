/// Waits until several streams rest.
final class RestWatch {
  private var body: (() -> Void)?
  private var moving: Set<Int> = []
  private var subscriptions: [Subscription] = []

  init(_ body: @escaping () -> Void) { self.body = body }

  func watch<Value>(_ streams: [MotionObservable<Value>]) -> Subscription {
    for (index, stream) in streams.enumerated() {
      subscriptions.append(
        stream.subscribe(
          next: { _ in },
          state: { [weak self] state in
            guard let self else { return }
            if state == .active { moving.insert(index) } else { moving.remove(index) }
            settle(streams.count)
          }))
    }
    settle(streams.count)
    return Subscription { self.cancel() }
  }

  /// Only when all have been subscribed to: the first may rest while the last has not spoken.
  private func settle(_ count: Int) {
    guard moving.isEmpty, subscriptions.count == count, let body else { return }
    self.body = nil
    body()
  }

  private func cancel() {
    body = nil
    subscriptions = []
  }
}
