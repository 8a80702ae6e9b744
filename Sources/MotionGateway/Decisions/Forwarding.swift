/// Decides which topics the gateway subscribes to at motiond for its clients, and how fast.
///
/// Each subscription, first or repeated, makes motiond send all current values of the topic. Several waiting
/// subscriptions to one topic become one.
struct Forwarding {
  /// An action on the socket that is connected to motiond.
  enum Action: Hashable {
    /// Subscribe for the first time.
    case subscribe([UInt8])
    /// Subscribe again, so that motiond sends all current values once more.
    case repeatEverything([UInt8])
    /// Unsubscribe.
    case unsubscribe([UInt8])
  }

  private var subscribed: Set<[UInt8]> = []
  private var waiting: [[UInt8]] = []
  private var isWaiting: Set<[UInt8]> = []
  /// Topics of all targets, while it is not known whether they have too many properties.
  private var undecided: Set<[UInt8]> = []
  private var rate: RateLimit
  private var rows: RateLimit

  /// No subscriptions.
  init(_ limits: GatewayLimits, at now: Duration) {
    rate = RateLimit(perSecond: limits.subscriptionsPerSecond, at: now)
    rows = RateLimit(perSecond: limits.allRowsPerSecond, at: now)
  }

  /// The number of topics that are subscribed to, or wait for their subscription.
  var count: Int { subscribed.union(isWaiting).count }

  /// A client has subscribed to a topic and needs its current values.
  mutating func want(_ topic: [UInt8]) {
    if isWaiting.insert(topic).inserted { waiting.append(topic) }
  }

  /// Whether topics wait for ``decide(_:)``.
  var hasUndecided: Bool { !undecided.isEmpty }

  /// A client has subscribed to a topic of all targets; ``decide(_:)`` determines whether it is forwarded.
  mutating func wantUndecided(_ topic: [UInt8]) { undecided.insert(topic) }

  /// Forwards the topics of all targets, or drops them.
  mutating func decide(_ isAllowed: Bool) {
    if isAllowed { for topic in undecided { want(topic) } }
    undecided = []
  }

  /// The last subscriber of a topic has gone.
  mutating func drop(_ topic: [UInt8]) -> Action? {
    undecided.remove(topic)
    if isWaiting.remove(topic) != nil { waiting.removeAll { $0 == topic } }
    return subscribed.remove(topic).map { .unsubscribe($0) }
  }

  /// Takes the actions that the rate limits allow now.
  ///
  /// - Parameter rowsOf: the number of rows that motiond sends first on a topic.
  mutating func take(at now: Duration, rows rowsOf: ([UInt8]) -> Int = { _ in 0 }) -> [Action] {
    var actions: [Action] = []
    var taken = 0
    // Rows are charged afterwards. A topic with more rows than the limit of a second is therefore subscribed to as
    // well, and delays the next ones.
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

  /// When the limits allow the next action; `nil` if none waits.
  mutating func nextTime(at now: Duration) -> Duration? {
    guard !waiting.isEmpty else { return nil }
    return [rate.nextTime(at: now), rows.nextTime(at: now)].compactMap { $0 }.max() ?? now
  }
}
