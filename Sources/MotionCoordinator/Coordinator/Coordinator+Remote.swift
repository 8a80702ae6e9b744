import Glibc
import Logging
import MotionModel
import ZeroMQ

extension Coordinator {
  /// The path of the file of authorized keys.
  var authorizedKeysPath: String { settings.authorizedKeys ?? "\(settings.stateDirectory)/authorized-keys" }

  /// The keys and listeners for other machines, read and checked before anything is bound; `nil` if no listener is
  /// configured.
  static func remoteDoors(_ settings: CoordinatorSettings) throws -> RemoteDoors? {
    guard settings.clientListener != nil || settings.workerListener != nil else { return nil }
    let path = settings.authorizedKeys ?? "\(settings.stateDirectory)/authorized-keys"
    guard settings.authorizedKeys != nil || access(path, F_OK) == 0 else {
      throw StartError(
        "listen to other machines", "there is no file of authorized keys (\(path))",
        remedy: "Make keys with motionctl key new NAME, and put the line that it prints into this file")
    }
    return RemoteDoors(
      pair: try ServerKey.pair(at: settings.key, stateDirectory: settings.stateDirectory),
      keys: try AuthorizedKeys(reading: path), clients: settings.clientListener, workers: settings.workerListener)
  }

  /// Reads the authorized keys again. A removed key is revoked at once: connections from other machines are closed, and
  /// every peer has to show a key that is authorized now. libzmq reconnects them by itself.
  ///
  /// A file that cannot be read changes nothing.
  func reloadKeys() {
    guard sockets.doors != nil else { return }
    let keys: AuthorizedKeys
    do {
      keys = try AuthorizedKeys(reading: authorizedKeysPath)
    } catch {
      return logger.error("the keys that were authorized stay so: \(error)")
    }
    let gone = authorized.entries.filter { !keys.has($0.key, as: $0.role) }
    authorized = keys
    // Before the listeners are reopened: a peer that connects to a new listener is checked against these keys. A peer
    // admitted through an old listener, at any time, is closed with it.
    sockets.admission?.post(.authorize(keys))
    logger.info("\(keys.entries.count) keys are authorized, \(gone.count) are so no longer")
    let now = machine.now
    perform(workers.authorize(keys, revoking: gone.filter { $0.role == .worker }.map(\.key)), at: now)
    guard !gone.isEmpty else { return }
    for entry in gone { logger.notice("the \(entry.role.rawValue) \(entry.name) is not authorized any more") }
    sockets.closeRemote()
    listenToOtherMachines(at: now)
  }

  /// Listens at the addresses for other machines; retries an address that is in use at the moment.
  func listenToOtherMachines(at now: Duration) {
    do {
      try sockets.openRemote()
      remoteRetry = nil
      reportListener()
    } catch {
      if remoteRetry == nil { logger.error("nobody from another machine can connect for now: \(error)") }
      remoteRetry = now + Self.remoteRetryTime
    }
  }

  /// Logs the address at which clients of other machines connect, and the server's public key.
  func reportListener() {
    guard let doors = sockets.doors, let clients = doors.clients else { return }
    logger.info("listening to clients at \(clients.endpoint)", metadata: ["key": "\(doors.pair.publicKey.z85)"])
  }

  /// The retry interval for an address that is in use: the coordinator's own old listener is gone within milliseconds.
  static let remoteRetryTime = Duration.milliseconds(20)

  /// Whether the sender of a message is still authorized: a message sent with a revoked key before its connection ended
  /// may still lie in a queue.
  func isStillAuthorized(_ message: Message, as role: AuthorizedKeys.Role) -> Bool {
    // Not checked where no peer can connect with a key: it costs a microsecond for each message.
    guard sockets.doors != nil, let key = machine.sender(of: message)?.key, !authorized.has(key, as: role) else {
      return true
    }
    clients.counters.foreignMessages += 1
    return false
  }

  /// Logs, at most once in ten seconds, that connections were closed because there were too many.
  func reportRefusedConnections(at now: Duration) {
    let refused = DescriptorLimit.refusedConnections
    guard refused > reportedRefusedConnections, now >= nextRefusedConnectionsReport else { return }
    logger.warning(
      "closed \(refused - reportedRefusedConnections) connections: too many are open; raise the limit of descriptors (LimitNOFILE)"
    )
    (reportedRefusedConnections, nextRefusedConnectionsReport) = (refused, now + RefusalLog.interval)
  }

  /// The counters of admitted and refused connections, for the status.
  var admissionRows: [Status.Counter] {
    let tally = sockets.admission?.tally ?? AdmissionThread.Tally()
    return [
      .init("admitted-peers", tally.admitted), .init("refused-connections", DescriptorLimit.refusedConnections),
    ]
      + Admission.Reason.allCases.map { .init("refused-peers-\($0.rawValue)", tally.refused[$0] ?? 0) }
  }
}
