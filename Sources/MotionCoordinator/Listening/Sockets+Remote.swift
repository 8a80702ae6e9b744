import Glibc
import ZeroMQ

/// The keys and listeners that listening to other machines takes.
struct RemoteDoors: Sendable {
  /// The coordinator's own keys.
  let pair: CurveKeyFile
  /// The keys by which peers on other machines may connect, as they were last read.
  var keys: AuthorizedKeys
  /// The listener for clients.
  let clients: RemoteListener?
  /// The listener for workers.
  let workers: RemoteListener?

  /// The path of the file of authorized keys.
  static func keysPath(_ settings: CoordinatorSettings) -> String {
    settings.authorizedKeys ?? "\(settings.stateDirectory)/authorized-keys"
  }

  /// The keys and listeners for other machines, read and checked before anything is bound; `nil` if no listener is
  /// configured.
  static func read(_ settings: CoordinatorSettings) throws -> RemoteDoors? {
    guard settings.clientListener != nil || settings.workerListener != nil else { return nil }
    let path = keysPath(settings)
    guard settings.authorizedKeys != nil || access(path, F_OK) == 0 else {
      throw StartError(
        "listen to other machines", "the file of authorized keys, \(path), does not exist",
        remedy: "Create keys with motionctl key new NAME, and add the line that it prints to this file")
    }
    return RemoteDoors(
      pair: try ServerKey.pair(at: settings.key, stateDirectory: settings.stateDirectory),
      keys: try AuthorizedKeys(reading: path), clients: settings.clientListener, workers: settings.workerListener)
  }
}

extension Sockets {
  /// The keys by which peers on other machines may connect; none if no listener is configured.
  var authorizedKeys: AuthorizedKeys { doors?.keys ?? AuthorizedKeys() }

  /// Other keys are authorized from now on. Connections that exist stay.
  func authorize(_ keys: AuthorizedKeys) {
    doors?.keys = keys
    admission?.post(.authorize(keys))
  }

  /// The heartbeat interval and timeout of a peer on another machine. Without them a machine that was switched off
  /// would hold its descriptors and queues for a quarter of an hour.
  private static var heartbeat: (every: Duration, timeout: Duration) { (.seconds(10), .seconds(30)) }

  /// Listens to other machines, besides the addresses bound already: the same sockets, with CURVE for peers that
  /// connect by tcp. Does nothing at addresses where it listens.
  ///
  /// - Throws: ``ZeroMQError`` when an address cannot be bound.
  func openRemote() throws {
    guard let doors else { return }
    if let clients = doors.clients {
      try open(control, clients.endpoints[0], for: .remoteClients, doors.pair.secretKey)
      try open(values, clients.endpoints[1], for: .remoteClients, doors.pair.secretKey, Self.ofClients)
    }
    if let workers = doors.workers {
      try open(link, workers.endpoints[0], for: .remoteWorkers, doors.pair.secretKey)
      try open(commands, workers.endpoints[1], for: .remoteWorkers, doors.pair.secretKey, Self.ofWorkers)
      try open(ticks, workers.endpoints[2], for: .remoteWorkers, doors.pair.secretKey, Self.ofWorkers)
      try open(events, workers.endpoints[3], for: .remoteWorkers, doors.pair.secretKey)
    }
  }

  /// Stops listening to other machines, and closes every connection from one.
  func closeRemote() {
    if let clients = doors?.clients {
      close(control, clients.endpoints[0])
      close(values, clients.endpoints[1])
    }
    if let workers = doors?.workers {
      close(link, workers.endpoints[0])
      close(commands, workers.endpoints[1])
      close(ticks, workers.endpoints[2])
      close(events, workers.endpoints[3])
    }
  }

  private func open<Kind>(
    _ socket: Socket<Kind>, _ endpoint: Endpoint, for domain: AdmissionDomain, _ secret: CurveKey,
    _ limit: SubscriptionLimit? = nil
  ) throws(ZeroMQError) {
    guard bound[endpoint] == nil else { return }
    // These options apply to addresses bound from now on: a peer over ipc is still identified by its process.
    try socket.set(.zapDomain(domain.rawValue))
    try socket.set(.curveServer(secretKey: secret))
    try socket.set(.ipv6(true))
    try socket.set(.heartbeatInterval(Self.heartbeat.every))
    try socket.set(.heartbeatTimeout(Self.heartbeat.timeout))
    try limit?.apply(to: socket, boundNextAt: endpoint)
    try socket.bind(endpoint)
    bound[endpoint] = (try? socket.lastEndpoint()) ?? endpoint
  }

  /// Closes the connections of an address: in libzmq, connections belong to the listener that accepted them.
  private func close<Kind>(_ socket: Socket<Kind>, _ endpoint: Endpoint) {
    guard let actual = bound.removeValue(forKey: endpoint) else { return }
    try? socket.unbind(actual)
  }
}
