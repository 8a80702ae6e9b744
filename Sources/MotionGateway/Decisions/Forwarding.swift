/// What the gateway subscribes to at motiond for its clients, and how soon: the decision alone.
///
/// A subscription, first or repeated, costs motiond all there is on the topic. Several of one topic that wait become one.
struct Forwarding {
  /// What to do at motiond's socket.
  enum Action: Hashable {
    /// Subscribe for the first time.
    case subscribe([UInt8])
    /// Be told everything once more.
    case repeatEverything([UInt8])
    /// Unsubscribe.
    case unsubscribe([UInt8])
  }

  private var subscribed: Set<[UInt8]> = []
  private var waiting: [[UInt8]] = []
  private var isWaiting: Set<[UInt8]> = []
  private var rate: RateLimit
  private var rows: RateLimit

  /// Nothing subscribed to.
  init(_ limits: GatewayLimits, at now: Duration) {
    rate = RateLimit(perSecond: limits.subscriptionsPerSecond, at: now)
    rows = RateLimit(perSecond: limits.allRowsPerSecond, at: now)
  }

  /// How many topics are subscribed to, or soon will be.
  var count: Int { subscribed.union(isWaiting).count }

  /// Somebody wants to be told what there is on a topic.
  mutating func want(_ topic: [UInt8]) {
    if isWaiting.insert(topic).inserted { waiting.append(topic) }
  }

  /// Nobody listens to a topic any more.
  mutating func drop(_ topic: [UInt8]) -> Action? {
    if isWaiting.remove(topic) != nil { waiting.removeAll { $0 == topic } }
    return subscribed.remove(topic).map { .unsubscribe($0) }
  }

  /// What may be done now.
  ///
  /// - Parameter rowsOf: how many rows motiond begins a topic with.
  mutating func take(at now: Duration, rows rowsOf: ([UInt8]) -> Int = { _ in 0 }) -> [Action] {
    var actions: [Action] = []
    var taken = 0
    // Rows are paid afterwards, so that a topic that has more than a second's is begun, too, and then none for a while.
    while taken < waiting.count, rows.nextTime(at: now) == nil, rate.take(at: now) {
      rows.owe(rowsOf(waiting[taken]), at: now)
      let topic = waiting[taken]
      isWaiting.remove(topic)
      actions.append(subscribed.insert(topic).inserted ? .subscribe(topic) : .repeatEverything(topic))
      taken += 1
    }
    waiting.removeFirst(taken)
    return actions
  }

  /// When more may be done, if something waits.
  mutating func nextTime(at now: Duration) -> Duration? {
    guard !waiting.isEmpty else { return nil }
    return [rate.nextTime(at: now), rows.nextTime(at: now)].compactMap { $0 }.max() ?? now
  }
}
