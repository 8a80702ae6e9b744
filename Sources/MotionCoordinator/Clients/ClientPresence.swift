import MotionModel

/// Monitors the liveness of clients whose intentions hold only while they are connected, and of those whose pointers
/// are down, or that have sent input values. This type only decides; its owner acts.
struct ClientPresence {
  /// How long a client may be silent; it sends a heartbeat each second.
  static let timeout = Duration.seconds(3)

  /// The number of a client's transactions from which finished ones are removed: 128 KB. The cost of a search through
  /// all intentions is spread over at least as many commits.
  static let sequencesKept = 16_384

  /// The remains of clients that are gone.
  struct Remains: Equatable {
    /// The transactions that held while they were connected, in order.
    var sequences: [UInt64] = []
    /// The input that cancels their pointers.
    var inputs: [PointerInput] = []
    /// The input values that are withdrawn with them.
    var values: [InputName] = []

    /// The names of these values, for a line of the log.
    var summary: String {
      let (some, more) = (values.prefix(8).map(\.text).joined(separator: ", "), values.count - 8)
      return more > 0 ? "\(some) and \(more) more" : some
    }
  }

  private struct Client {
    var lastHeard: Duration
    var sequences: [UInt64] = []
    var pointers = PointersDown()
    /// The input values that were last sent by it, except those that are held.
    var values: Set<InputName> = []
    /// How many sequences there are at the next search: twice what the last one left.
    var nextLook = ClientPresence.sequencesKept

    /// Whether it leaves nothing behind.
    var isEmpty: Bool { pointers.isEmpty && sequences.isEmpty && values.isEmpty }
  }

  private var clients: [UInt64: Client] = [:]
  /// The client that sent an input value last, unless the value is held.
  private var senders: [InputName: UInt64] = [:]

  /// Records a commit that holds while its client is connected.
  ///
  /// - Parameter unfinished: returns those of these transactions that are not finished. It is called seldom, so that
  ///   the list of a client that stays for days is at most twice as long as needed.
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

  /// Records the pointer input of a client.
  mutating func touched(_ input: PointerInput, by id: UInt64, at now: Duration) {
    var client = clients.removeValue(forKey: id) ?? Client(lastHeard: now)
    client.pointers.take(input)
    client.lastHeard = now
    if !client.isEmpty { clients[id] = client }
  }

  /// Records the input values of a client. A value belongs to the client that sent it last.
  mutating func sent(_ input: InputValues, by id: UInt64, at now: Duration) {
    var client = clients.removeValue(forKey: id) ?? Client(lastHeard: now)
    client.lastHeard = now
    for value in input.values {
      let isLeft = value.value != nil && !value.isHeld
      let sender = senders[value.name]
      if isLeft, sender == id { continue }
      if let sender, sender != id { clients[sender]?.values.remove(value.name) }
      senders[value.name] = isLeft ? id : nil
      if isLeft { client.values.insert(value.name) } else { client.values.remove(value.name) }
    }
    if !client.isEmpty { clients[id] = client }
  }

  /// The clients whose transactions hold only while they are connected.
  var owners: [RuntimeCheckpoint.Owner] {
    clients.filter { !$0.value.sequences.isEmpty }.sorted { $0.key < $1.key }.map { .init($0.key, $0.value.sequences) }
  }

  /// Takes over transactions that another process accepted; their clients have the full timeout to connect here.
  mutating func restore(_ owners: [RuntimeCheckpoint.Owner], at now: Duration) {
    for owner in owners { clients[owner.client, default: Client(lastHeard: now)].sequences += owner.sequences }
  }

  /// How many pointers of a client are down.
  func pointerCount(of client: UInt64) -> Int { clients[client]?.pointers.count ?? 0 }

  /// What ends with a client.
  func held(by client: UInt64) -> ClientRow.Held {
    guard let client = clients[client] else { return .nothing }
    return ClientRow.Held(
      transactions: client.sequences.count, pointers: client.pointers.count, inputs: client.values.count)
  }

  /// How many transactions are kept of a client.
  func sequenceCount(of client: UInt64) -> Int { clients[client]?.sequences.count ?? 0 }

  /// Whether an input value is withdrawn when the client that sent it is gone.
  func watches(_ name: InputName) -> Bool { senders[name].map { clients[$0] != nil } ?? false }

  /// Records a message of a client. A client without such commits, pointers and values is not monitored.
  mutating func heard(_ client: UInt64, at now: Duration) {
    clients[client]?.lastHeard = now
  }

  /// When the next client may be gone.
  var nextDeadline: Duration? { clients.values.map { $0.lastHeard + Self.timeout }.min() }

  /// Removes the clients that are gone, and returns their remains.
  ///
  /// - Parameters:
  ///   - now: the time of the boot clock.
  ///   - time: the simulated time at which their pointers are cancelled.
  mutating func takeGone(at now: Duration, pointersAt time: Double) -> Remains {
    let gone = clients.filter { now >= $0.value.lastHeard + Self.timeout }.sorted { $0.key < $1.key }
    var remains = Remains()
    for (id, var client) in gone {
      clients[id] = nil
      remains.sequences += client.sequences
      remains.inputs += client.pointers.cancel(at: time)
      remains.values += client.values
    }
    for name in remains.values { senders[name] = nil }
    remains.values.sort()
    remains.sequences.sort()
    return remains
  }

  /// Cancels the pointers of all clients.
  mutating func cancelPointers(at time: Double) -> [PointerInput] {
    var inputs: [PointerInput] = []
    for (id, var client) in clients.sorted(by: { $0.key < $1.key }) where !client.pointers.isEmpty {
      inputs += client.pointers.cancel(at: time)
      client.pointers = PointersDown()
      clients[id] = client.isEmpty ? nil : client
    }
    return inputs
  }

  /// The coordinator itself was suspended: silence in that time does not count against clients.
  mutating func wasStalled(at now: Duration) {
    for client in clients.keys { clients[client]?.lastHeard = now }
  }
}
