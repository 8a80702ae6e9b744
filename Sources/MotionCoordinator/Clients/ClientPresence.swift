/// Watches the clients whose intentions hold only while they are connected: the decision alone.
struct ClientPresence {
  /// How long a client may be silent; it says that it is alive each second.
  static let patience = Duration.seconds(3)

  /// Transactions of one client that are kept before those are looked for of which nothing is left: 128 KB, and a look
  /// at all intentions is paid by at least as many commits.
  static let sequencesKept = 16_384

  private struct Client {
    var lastHeard: Duration
    var sequences: [UInt64] = []
    /// How many sequences there are at the next look: twice what the last one left.
    var nextLook = ClientPresence.sequencesKept
  }

  private var clients: [UInt64: Client] = [:]

  /// A client committed something that holds while it is connected.
  ///
  /// - Parameter unfinished: those of these transactions of which something is left; asked seldom, so that what is kept
  ///   of a client that stays for days is at most twice what holds of it.
  mutating func committed(
    _ sequence: UInt64, by id: UInt64, at now: Duration, unfinished: ([UInt64]) -> [UInt64]
  ) {
    var client = clients.removeValue(forKey: id) ?? Client(lastHeard: now)
    client.sequences.append(sequence)
    client.lastHeard = now
    if client.sequences.count >= client.nextLook {
      client.sequences = unfinished(client.sequences)
      client.nextLook = max(Self.sequencesKept, 2 * client.sequences.count)
    }
    clients[id] = client
  }

  /// How many transactions are kept of a client.
  func sequenceCount(of client: UInt64) -> Int { clients[client]?.sequences.count ?? 0 }

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
