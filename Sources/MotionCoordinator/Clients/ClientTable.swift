import LinuxSystem
import MotionModel
import ZeroMQ

/// The clients that have sent a request, for lists and for lines of the log.
struct ClientTable {
  /// How many are kept: of more, those are dropped whose connection is closed, then those that were silent longest.
  static let most = Limits.clients

  private struct Entry {
    var client: Committer
    /// When its first request came, in nanoseconds since 1970.
    let since: Int64
    var lastHeard: Duration
    /// The connection, and its number: the descriptor may belong to another connection by now.
    var connection: Int32?
    var serial: UInt64?
  }

  private var entries: [UInt64: Entry] = [:]
  /// The number of the connection that last used a descriptor.
  private var serials: [Int32: UInt64] = [:]

  /// Whether a client is known, so that nothing but the time has to be noted.
  func knows(_ client: UInt64) -> Bool { entries[client] != nil }

  /// What is known about a client, for the log.
  func client(_ id: UInt64) -> Committer? { entries[id]?.client }

  /// A known client has sent a request.
  mutating func heard(_ id: UInt64, at now: Duration) { entries[id]?.lastHeard = now }

  /// A client has greeted, or has sent its first request.
  ///
  /// - Parameters:
  ///   - name: the name that it gives itself; `nil` keeps the known one.
  ///   - connection: the descriptor of its connection, if it is known.
  mutating func note(
    _ id: UInt64, named name: String?, _ sender: PeerName?, on connection: Int32?, at now: Duration, wallTime: Int64,
    isConnected: (Int32) -> Bool
  ) {
    let known = entries[id]
    entries[id] = Entry(
      client: Committer(sender?.peer, name: name ?? known?.client.name ?? ""), since: known?.since ?? wallTime,
      lastHeard: now, connection: connection, serial: sender?.serial)
    if let connection { serials[connection] = sender?.serial }
    if entries.count > Self.most { makeRoom(isConnected) }
  }

  private mutating func makeRoom(_ isConnected: (Int32) -> Bool) {
    entries = entries.filter { self.isConnected($0.value, isConnected) }
    for entry in entries.sorted(by: { $0.value.lastHeard < $1.value.lastHeard }).prefix(entries.count - Self.most / 2) {
      entries[entry.key] = nil
    }
    let used = Set(entries.values.compactMap(\.connection))
    serials = serials.filter { used.contains($0.key) }
  }

  private func isConnected(_ entry: Entry, _ isConnected: (Int32) -> Bool) -> Bool {
    guard let connection = entry.connection else { return true }
    return serials[connection] == entry.serial && isConnected(connection)
  }

  /// The clients, in the order of their first requests. Those whose connection is closed are left out unless they hold
  /// something.
  func rows(_ presence: ClientPresence, at now: Duration, isConnected: (Int32) -> Bool) -> [ClientRow] {
    entries.compactMap { id, entry -> (UInt64, ClientRow)? in
      let held = presence.held(by: id)
      guard held != .nothing || self.isConnected(entry, isConnected) else { return nil }
      return (id, ClientRow(entry.client, since: entry.since, silent: (now - entry.lastHeard).inSeconds, held))
    }.sorted { ($0.1.since, $0.0) < ($1.1.since, $1.0) }.map { $0.1 }
  }
}
