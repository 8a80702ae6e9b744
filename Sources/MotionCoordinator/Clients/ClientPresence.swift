/// Watches the clients whose intentions hold only while they are connected: the decision alone.
struct ClientPresence {
  /// How long a client may be silent; it says that it is alive each second.
  static let patience = Duration.seconds(3)

  private struct Client {
    var lastHeard: Duration
    var sequences: [UInt64] = []
  }

  private var clients: [UInt64: Client] = [:]

  /// A client committed something that holds while it is connected.
  mutating func committed(_ sequence: UInt64, by client: UInt64, at now: Duration) {
    clients[client, default: Client(lastHeard: now)].sequences.append(sequence)
    clients[client]?.lastHeard = now
  }

  /// A client was heard; one that has committed nothing of the kind is not watched.
  mutating func heard(_ client: UInt64, at now: Duration) {
    clients[client]?.lastHeard = now
  }

  /// When the next client may be gone.
  var nextDeadline: Duration? { clients.values.map { $0.lastHeard + Self.patience }.min() }

  /// The sequences whose clients are gone, in order; these clients are forgotten.
  mutating func takeGone(at now: Duration) -> [UInt64] {
    let gone = clients.filter { now >= $0.value.lastHeard + Self.patience }
    for client in gone.keys { clients[client] = nil }
    return gone.values.flatMap(\.sequences).sorted()
  }

  /// The coordinator itself was stopped: nobody's silence in that time counts.
  mutating func wasStalled(at now: Duration) {
    for client in clients.keys { clients[client]?.lastHeard = now }
  }
}
