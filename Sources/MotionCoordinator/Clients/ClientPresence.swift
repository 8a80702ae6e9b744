import MotionModel

/// Watches the clients whose intentions hold only while they are connected, and those whose pointers are down: the decision
/// alone.
struct ClientPresence {
  /// How long a client may be silent; it says that it is alive each second.
  static let timeout = Duration.seconds(3)

  /// Transactions of one client that are kept before those are looked for of which nothing is left: 128 KB, and a look
  /// at all intentions is paid by at least as many commits.
  static let sequencesKept = 16_384

  /// What clients that are gone have left.
  struct Remains: Equatable {
    /// The transactions that held while they were connected, in order.
    var sequences: [UInt64] = []
    /// What takes their pointers away.
    var inputs: [PointerInput] = []
  }

  private struct Client {
    var lastHeard: Duration
    var sequences: [UInt64] = []
    var pointers = PointersDown()
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

  /// A client said what pointers did.
  mutating func touched(_ input: PointerInput, by id: UInt64, at now: Duration) {
    var client = clients.removeValue(forKey: id) ?? Client(lastHeard: now)
    client.pointers.take(input)
    client.lastHeard = now
    if !client.pointers.isEmpty || !client.sequences.isEmpty { clients[id] = client }
  }

  /// Whose transactions hold only while they are connected.
  var owners: [RuntimeCheckpoint.Owner] {
    clients.filter { !$0.value.sequences.isEmpty }.sorted { $0.key < $1.key }.map { .init($0.key, $0.value.sequences) }
  }

  /// Another process accepted these; their clients have their full time to be heard here.
  mutating func restore(_ owners: [RuntimeCheckpoint.Owner], at now: Duration) {
    for owner in owners { clients[owner.client, default: Client(lastHeard: now)].sequences += owner.sequences }
  }

  /// How many pointers of a client are down.
  func pointerCount(of client: UInt64) -> Int { clients[client]?.pointers.count ?? 0 }

  /// How many transactions are kept of a client.
  func sequenceCount(of client: UInt64) -> Int { clients[client]?.sequences.count ?? 0 }

  /// A client was heard; one that has committed nothing of the kind, and has no pointer down, is not watched.
  mutating func heard(_ client: UInt64, at now: Duration) {
    clients[client]?.lastHeard = now
  }

  /// When the next client may be gone.
  var nextDeadline: Duration? { clients.values.map { $0.lastHeard + Self.timeout }.min() }

  /// What is left of clients that are gone; they are forgotten.
  ///
  /// - Parameters:
  ///   - now: the time of the boot clock.
  ///   - time: the simulated time at which their pointers are taken away.
  mutating func takeGone(at now: Duration, pointersAt time: Double) -> Remains {
    let gone = clients.filter { now >= $0.value.lastHeard + Self.timeout }.sorted { $0.key < $1.key }
    var remains = Remains()
    for (id, var client) in gone {
      clients[id] = nil
      remains.sequences += client.sequences
      remains.inputs += client.pointers.cancel(at: time)
    }
    remains.sequences.sort()
    return remains
  }

  /// The coordinator itself was stopped: nobody's silence in that time counts.
  mutating func wasStalled(at now: Duration) {
    for client in clients.keys { clients[client]?.lastHeard = now }
  }
}
