/// Waits until several streams are at rest.
final class RestWatch {
  private var body: (() -> Void)?
  private var moving: Set<Int> = []
  private var subscriptions: [Subscription] = []

  init(_ body: @escaping () -> Void) { self.body = body }

  func watch<Value>(_ streams: [MotionObservable<Value>]) -> Subscription {
    for (index, stream) in streams.enumerated() {
      subscriptions.append(
        stream.subscribe(
          next: { [weak self] in if let state = $0 as? MotionState { self?.note(state, of: index, of: streams.count) }
          },
          state: { [weak self] in self?.note($0, of: index, of: streams.count) }))
    }
    settle(streams.count)
    return Subscription { self.cancel() }
  }

  private func note(_ state: MotionState, of index: Int, of count: Int) {
    if state == .active { moving.insert(index) } else { moving.remove(index) }
    settle(count)
  }

  /// Runs the body only when all streams have been subscribed to: the first may rest while the last has not emitted
  /// yet.
  private func settle(_ count: Int) {
    guard moving.isEmpty, subscriptions.count == count, let body else { return }
    cancel()
    body()
  }

  private func cancel() {
    body = nil
    subscriptions = []
  }
}
