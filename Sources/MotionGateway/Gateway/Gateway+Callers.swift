import LinuxSystem
import Logging
import ZeroMQ

extension Gateway {
  /// The sender of a message; `nil` if its connection has no name, has closed, or has a revoked key.
  func caller(of message: Message, at now: Duration) -> Caller? {
    guard let name = message.sender, let descriptor = message.descriptor else { return nil }
    let caller = Caller(name: name)
    guard callers.heard(caller, on: descriptor, at: now) else { return nil }
    guard admitted.allows(name.peer) else {
      // The first message of the connection, or one that was in transit when the key was revoked.
      hangUp(on: caller, "its key was revoked")
      return nil
    }
    return caller
  }

  /// Closes a connection.
  func hangUp(on caller: Caller, _ reason: String) {
    if let line = reports.line("closed the connection of \(caller.name.peer): \(reason)", at: BootClock.now) {
      logger.warning("\(line)")
    }
    if let descriptor = callers.descriptor(of: caller) { caller.name.hangUp(on: descriptor) }
  }
}
