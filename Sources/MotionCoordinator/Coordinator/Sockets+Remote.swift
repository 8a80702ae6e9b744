import ZeroMQ

/// What it takes to listen to other machines.
struct RemoteDoors: Sendable {
  /// Our own keys.
  let pair: CurveKeyFile
  /// Whose keys count at the start.
  let keys: AuthorizedKeys
  /// Where clients are listened to.
  let clients: RemoteListener?
  /// Where workers are.
  let workers: RemoteListener?
}

extension Sockets {
  /// How often a peer on another machine is asked whether it is there, and how long it may be silent: a machine that was
  /// switched off would hold its descriptors and queues for a quarter of an hour otherwise.
  private static var heartbeat: (every: Duration, timeout: Duration) { (.seconds(10), .seconds(30)) }

  /// Listens to other machines, besides what is bound already: the same sockets, with CURVE for whoever comes by tcp.
  /// Does nothing at addresses where it listens.
  ///
  /// - Throws: ``ZeroMQError`` when an address cannot be taken.
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

  /// Listens to other machines no longer, and ends every connection from one.
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
    // These count for what is bound from now on: who comes over ipc still proves itself by its process.
    try socket.set(.zapDomain(domain.rawValue))
    try socket.set(.curveServer(secretKey: secret))
    try socket.set(.ipv6(true))
    try socket.set(.heartbeatInterval(Self.heartbeat.every))
    try socket.set(.heartbeatTimeout(Self.heartbeat.timeout))
    try limit?.apply(to: socket, boundNextAt: endpoint)
    try socket.bind(endpoint)
    bound[endpoint] = (try? socket.lastEndpoint()) ?? endpoint
  }

  /// Ends what came by an address: in libzmq, connections belong to the listener that accepted them.
  private func close<Kind>(_ socket: Socket<Kind>, _ endpoint: Endpoint) {
    guard let actual = bound.removeValue(forKey: endpoint) else { return }
    try? socket.unbind(actual)
  }
}
