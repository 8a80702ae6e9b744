import ZeroMQ

/// Decides which peers may connect to which sockets. This type only decides; the caller passes the request and the
/// kernel's data about its sender.
///
/// Clients are the users that are allowed. Workers are the processes that were spawned, and only these: a process that
/// a worker has started is none, even if it has inherited everything. The start time of the process is compared too, so
/// that a reused process ID admits no other process.
struct Admission {
  /// Why a peer was refused.
  enum Reason: String, CaseIterable, Comparable, Sendable {
    /// A user that may not be a client.
    case user
    /// A process that is no worker.
    case process
    /// A key that is not among those that are allowed, or not in this role.
    case key
    /// No proof, or one that does not belong to this kind of connection.
    case proof
    /// Too many connections wait while workers are being started.
    case tooManyWaiting

    static func < (one: Reason, other: Reason) -> Bool { one.rawValue < other.rawValue }

    /// The reason, for the log.
    var text: String {
      switch self {
      case .user: "this user may not connect as a client; allow it with --allow-uid"
      case .process: "motiond has not started this process as a worker"
      case .key: "this key is not authorized, or not for this role"
      case .proof: "the connection lacks the authentication that its socket requires"
      case .tooManyWaiting: "too many connections wait while workers are being started"
      }
    }
  }

  /// The decision about a connection.
  enum Verdict: Equatable {
    /// Admit it, with this identity.
    case admit(PeerName.Peer)
    /// Refuse it.
    case refuse(Reason)
    /// Decide again when a worker that is being started is known: the peer may be that worker.
    case wait
  }

  /// The users that may be clients.
  let clients: AllowedClients
  /// The authorized keys.
  var keys = AuthorizedKeys()
  /// The processes that were started: when, in the kernel's ticks since boot.
  private var workers: [Int32: UInt64] = [:]
  /// The starts in progress, by their number.
  private var starting: Set<UInt64> = []

  init(clients: AllowedClients) { self.clients = clients }

  // MARK: Workers

  /// A worker will be started: from now on an unknown process may be this worker.
  mutating func willStart(_ number: UInt64) { starting.insert(number) }

  /// A worker was started as this process, or its start failed.
  ///
  /// - Parameter start: when, in the kernel's ticks since boot; `nil` if it had ended before that could be read.
  mutating func hasStarted(_ number: UInt64, as processID: Int32?, at start: UInt64?) {
    starting.remove(number)
    if let processID { workers[processID] = start }
  }

  /// A worker has ended; its process ID is about to be reusable.
  mutating func hasEnded(_ processID: Int32) { workers[processID] = nil }

  // MARK: Deciding

  /// The starts that a request may have to wait for.
  var underWay: Set<UInt64> { starting }

  /// The decision about a connection.
  ///
  /// - Parameters:
  ///   - start: when the requesting process was started, as the kernel reports it now; `nil` if there is none.
  ///   - awaited: the starts that were in progress at the request; `nil` when it is decided for the first time.
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

/// The sockets to which a peer wants to connect, as libzmq passes them to the ``Authenticator``.
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
