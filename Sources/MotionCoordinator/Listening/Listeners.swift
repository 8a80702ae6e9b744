import LinuxSystem
import Logging
import MotionModel
import ZeroMQ

/// The addresses at which peers connect, and who may: the sockets and their files, the listeners for other machines,
/// and the file of authorized keys.
struct Listeners {
  /// The retry interval for an address that is in use: the coordinator's own old listener is gone within milliseconds.
  static let retryTime = Duration.milliseconds(20)

  let sockets: Sockets
  let directory: RuntimeDirectory
  /// When the directory has to be checked, and what follows from a check.
  private var watch = RuntimeWatch()
  /// The path of the file of authorized keys.
  private let keysPath: String
  /// When listening to other machines is tried again, if it failed.
  private(set) var retryDeadline: Duration?
  /// The count of connections closed because there were too many, at the last report; and when the next report may be
  /// made.
  private var countedRefusals = DescriptorLimit.refusedConnections
  private var refusals = ReportLimit(per: RefusalLog.interval)
  private let logger: Logger

  init(_ sockets: Sockets, _ directory: RuntimeDirectory, keysAt path: String, logger: Logger) {
    (self.sockets, self.directory, keysPath, self.logger) = (sockets, directory, path, logger)
  }

  // MARK: The directory

  /// When the runtime directory has to be checked; `nil` while nothing points to a change.
  var directoryDeadline: Duration? { watch.due }

  /// Something in the directory may have been removed or replaced.
  mutating func directoryChanged(at now: Duration) { watch.changed(at: now) }

  /// The system has notified of a change in the directory.
  mutating func receiveNotices(at now: Duration) {
    directory.notices?.drain()
    directoryChanged(at: now)
  }

  /// Checks the runtime directory, if that is due, and restores what was removed. Without these files no new client or
  /// worker can connect; existing connections continue.
  ///
  /// - Returns: why the coordinator cannot continue; `nil` if it can.
  mutating func checkDirectory(at now: Duration) -> String? {
    guard let due = watch.due, now >= due else { return nil }
    let loss = directory.loss
    switch watch.looked(isWhole: loss.isEmpty) {
    case .nothing: return nil
    case .giveUp:
      return
        "\(directory.path) was removed \(RuntimeWatch.mostRestorations) times. Find the program that removes it, and start motiond again"
    case .restore: break
    }
    do {
      try directory.restore(loss)
      try sockets.listen(at: loss.sockets, of: directory)
      watch.restored(at: now)
      logger.warning(
        """
        \(loss) was removed from \(directory.path), and is restored: new clients and workers can connect. \
        Exclude the directory from cleanups: see the x lines of tmpfiles.d(5)
        """)
    } catch let error as StartError where error.isTaken {
      return "\(directory.path) was removed, and another motiond uses it now. Give one of the two another --runtime-dir"
    } catch {
      watch.failed(at: now)
      logger.error(
        "\(loss) was removed from \(directory.path), and no new client or worker can connect until it is restored: \(error)"
      )
    }
    return nil
  }

  // MARK: Other machines

  /// Reads the authorized keys again. A file that cannot be read changes nothing.
  ///
  /// - Returns: the entries that are authorized no longer; `nil` if nothing has changed. ``reopen(at:)`` follows if
  ///   there are any, once their peers are refused.
  mutating func reloadKeys() -> [AuthorizedKeys.Entry]? {
    guard sockets.doors != nil else { return nil }
    let read: AuthorizedKeys
    do {
      read = try AuthorizedKeys(reading: keysPath)
    } catch {
      logger.error("the authorized keys could not be read again, and the previous ones stay in effect: \(error)")
      return nil
    }
    let gone = sockets.authorizedKeys.entries.filter { !read.has($0.key, as: $0.role) }
    // Before the listeners are reopened: a peer that connects to a new listener is checked against these keys. A peer
    // admitted through an old listener, at any time, is closed with it.
    sockets.authorize(read)
    logger.info("\(read.entries.count) keys are authorized, \(gone.count) were revoked")
    for entry in gone { logger.notice("the \(entry.role.rawValue) \(entry.name) is no longer authorized") }
    return gone
  }

  /// Closes every connection from another machine, and listens again. Every peer then has to show a key that is
  /// authorized now; libzmq reconnects them by itself.
  mutating func reopen(at now: Duration) {
    sockets.closeRemote()
    listenToOtherMachines(at: now)
  }

  /// Listens at the addresses for other machines; retries an address that is in use at the moment.
  mutating func listenToOtherMachines(at now: Duration) {
    do {
      try sockets.openRemote()
      retryDeadline = nil
      report()
    } catch {
      if retryDeadline == nil {
        logger.error(
          "peers on other machines cannot connect, because motiond cannot listen (it retries by itself): \(error)")
      }
      retryDeadline = now + Self.retryTime
    }
  }

  /// Logs the address at which clients of other machines connect, and the server's public key.
  func report() {
    guard let doors = sockets.doors, let clients = doors.clients else { return }
    logger.info("listening to clients at \(clients.endpoint)", metadata: ["key": "\(doors.pair.publicKey.z85)"])
  }

  /// Whether the sender of a message is still authorized: a message sent with a revoked key before its connection ended
  /// may still lie in a queue.
  ///
  /// - Parameter sender: the sender; looked up only where peers can connect with a key, as it costs a microsecond for
  ///   each message.
  func allows(_ sender: @autoclosure () -> PeerName?, as role: AuthorizedKeys.Role) -> Bool {
    guard let doors = sockets.doors, let key = sender()?.key else { return true }
    return doors.keys.has(key, as: role)
  }

  // MARK: Connections

  /// Logs, at most once in ten seconds, that connections were closed because there were too many.
  mutating func reportRefusals(at now: Duration) {
    let refused = DescriptorLimit.refusedConnections
    defer { countedRefusals = refused }
    guard let count = refusals.report(refused - countedRefusals, at: now) else { return }
    logger.warning(
      "closed \(count) connections: too many are open; raise the limit of descriptors (LimitNOFILE)")
  }

  /// The counters of admitted and refused connections, for the status.
  var counterRows: [Status.Counter] {
    let tally = sockets.admission?.tally ?? AdmissionThread.Tally()
    return [
      .init("admitted-peers", tally.admitted), .init("refused-connections", DescriptorLimit.refusedConnections),
    ]
      + Admission.Reason.allCases.map { .init("refused-peers-\($0.rawValue)", tally.refused[$0] ?? 0) }
  }

  /// The coordinator has stopped: no peer can connect any more.
  func end() {
    sockets.admission?.end()
    directory.removeSockets()
  }
}
