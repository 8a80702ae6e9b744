import Logging
import ZeroMQ

extension Gateway {
  /// Handles the pending signals.
  ///
  /// - Returns: whether to continue.
  func obey(_ signals: GatewaySignals) -> Bool {
    while let request = signals.next() {
      guard case .reload = request else { return false }
      reload()
    }
    return true
  }

  /// Reads the key files again, and closes the connections of revoked keys. If one of the files cannot be used, all
  /// keys stay as they are: half of a list would revoke the other half.
  private func reload() {
    guard let network = settings.network else { return logger.info("reloaded: this gateway has no keys to read again") }
    do {
      let (added, revoked) = admitted.replace(with: try network.readAdmitted())
      logger.info("reloaded: \(admitted.count) keys may connect, \(added) of them new; \(revoked) revoked")
    } catch {
      return logger.warning("not reloaded, \(admitted.count) keys may connect as before: \(error)")
    }
    for caller in callers.all where !admitted.allows(caller.name.peer) { hangUp(on: caller, "its key was revoked") }
  }
}
