import Glibc
import Logging
import ZeroMQ

extension Coordinator {
  /// Where the keys are that may connect.
  var authorizedKeysPath: String { settings.authorizedKeys ?? "\(settings.stateDirectory)/authorized-keys" }

  /// What listening to other machines takes, read and checked before anything is bound; `nil` if nobody is.
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

  /// Reads the authorized keys again. Whose key is gone is out at once: connections from other machines are ended, and
  /// everybody has to show a key that counts now; libzmq connects those again by itself.
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
    // Before the listeners are new: whoever comes by a new one is asked for a key of these. Whoever came by an old one,
    // whenever that was decided, goes with it.
    sockets.admission?.post(.authorize(keys))
    logger.info("\(keys.entries.count) keys are authorized, \(gone.count) are so no longer")
    guard !gone.isEmpty else { return }
    for entry in gone {
      logger.notice("the \(entry.role.rawValue) \(entry.name) is not authorized any more")
      if entry.role == .worker { revokeRemote(entry.key) }
    }
    sockets.closeRemote()
    listenToOtherMachines(at: machine.now)
  }

  /// Listens at the addresses for other machines; what is taken by somebody else for the moment is tried again.
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

  /// Says where other machines are listened to, and by which key they know us.
  func reportListener() {
    guard let doors = sockets.doors, let clients = doors.clients else { return }
    logger.info("listening to clients at \(clients.endpoint)", metadata: ["key": "\(doors.pair.publicKey.z85)"])
  }

  /// How soon an address that is taken is tried again: the old listener of ours is gone within milliseconds.
  static let remoteRetryTime = Duration.milliseconds(20)

  /// Whether a message comes from somebody who may still say something: what a revoked key has said before its
  /// connection ended may still lie in a queue.
  func isStillAuthorized(_ message: Message, as role: AuthorizedKeys.Role) -> Bool {
    // Not looked at where nobody can come with a key: it costs a microsecond for each message.
    guard sockets.doors != nil, let key = machine.sender(of: message)?.key, !authorized.has(key, as: role) else {
      return true
    }
    counters.foreignMessages += 1
    return false
  }
}
