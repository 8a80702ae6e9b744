import ZeroMQ

/// Decides who may connect to which sockets: the decision alone, told who asks and what the kernel knows of it.
///
/// Clients are the users that are allowed. Workers are the processes that were spawned, and only these: a process that
/// a worker has started is none, even if it has inherited everything. The start of the process is compared too, so that
/// a number that was given away again admits nobody.
struct Admission {
  /// Why somebody was not let in.
  enum Reason: String, CaseIterable, Comparable, Sendable {
    /// A user that may be no client.
    case user
    /// A process that is no worker.
    case process
    /// A key that is not among those that are allowed, or not in this role.
    case key
    /// No proof, or one that does not belong to this kind of connection.
    case proof
    /// Too many processes ask while workers are being started.
    case tooManyWaiting

    static func < (one: Reason, other: Reason) -> Bool { one.rawValue < other.rawValue }

    /// What was wrong, for the log.
    var text: String {
      switch self {
      case .user: "this user may not be a client; --allow-uid lets it in"
      case .process: "this process is no worker that motiond has started"
      case .key: "this key is not among the authorized keys, or not in this role"
      case .proof: "the connection does not prove who it is in the way that its socket asks for"
      case .tooManyWaiting: "too many processes ask at the same time as workers are started"
      }
    }
  }

  /// What is said of a connection.
  enum Verdict: Equatable {
    /// Let it in: this is who it is.
    case admit(PeerName.Peer)
    /// Do not.
    case refuse(Reason)
    /// Ask again when a worker that is being started is known: it may be the one.
    case wait
  }

  /// Who may be a client.
  let clients: AllowedClients
  /// Whose keys are known.
  var keys = AuthorizedKeys()
  /// The processes that were started: when, in the kernel's ticks since boot.
  private var workers: [Int32: UInt64] = [:]
  /// The starts that are under way, by their number.
  private var starting: Set<UInt64> = []

  init(clients: AllowedClients) { self.clients = clients }

  // MARK: Workers

  /// A worker will be started: from now on a process that is not known may be it.
  mutating func willStart(_ number: UInt64) { starting.insert(number) }

  /// It was started as this process, or not at all.
  ///
  /// - Parameter start: when, in the kernel's ticks since boot; `nil` if it had ended before that could be asked.
  mutating func hasStarted(_ number: UInt64, as processID: Int32?, at start: UInt64?) {
    starting.remove(number)
    if let processID { workers[processID] = start }
  }

  /// A worker has ended; its number is about to be given away.
  mutating func hasEnded(_ processID: Int32) { workers[processID] = nil }

  // MARK: Deciding

  /// The starts that a request may have to wait for.
  var underWay: Set<UInt64> { starting }

  /// Whether a connection is let in.
  ///
  /// - Parameters:
  ///   - start: when the process that asks was started, as the kernel says now; `nil` if there is none.
  ///   - awaited: the starts that were under way when it asked; `nil` when it asks for the first time.
  func verdict(on request: AuthenticationRequest, start: UInt64?, awaiting awaited: Set<UInt64>? = nil) -> Verdict {
    switch (AdmissionDomain(rawValue: request.domain), request.proof) {
    case (.clients, .none):
      guard let peer = request.localPeer else { return .refuse(.proof) }
      return clients.contains(peer) ? .admit(.process(peer)) : .refuse(.user)
    case (.workers, .none):
      guard let peer = request.localPeer else { return .refuse(.proof) }
      if let began = workers[peer.processID], began == start { return .admit(.process(peer)) }
      return (awaited ?? starting).isDisjoint(with: starting) ? .refuse(.process) : .wait
    case (.remoteClients, .curve(let key)):
      return keys.has(key, as: .client) ? .admit(.key(key)) : .refuse(.key)
    case (.remoteWorkers, .curve(let key)):
      return keys.has(key, as: .worker) ? .admit(.key(key)) : .refuse(.key)
    default:
      return .refuse(.proof)
    }
  }
}

/// Which sockets somebody wants to connect to: what libzmq tells the ``Authenticator``.
enum AdmissionDomain: String, Sendable {
  /// Control and values, over ipc.
  case clients
  /// Link, commands, ticks and events, over ipc.
  case workers
  /// Control and values, over tcp.
  case remoteClients = "clients-tcp"
  /// Link, commands, ticks and events, over tcp.
  case remoteWorkers = "workers-tcp"
}
