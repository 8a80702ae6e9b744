package import LinuxSystem
import MotionCore
import MotionLink
import MotionModel
import ZeroMQ

extension Worker {
  /// Runs the worker on the calling thread for a motiond that did not start it, through any number of assignments.
  /// Returns the reason why it stopped or was refused.
  ///
  /// Its executors run while its lease lasts. If the lease ends before the next assignment, all executors are removed,
  /// and ``rest`` is called if the manifest requires that.
  ///
  /// - Parameter stop: signalled to end the worker.
  /// - Throws: errors of libzmq or of the system.
  package func serve(_ connection: RemoteConnection, stop: EventCounter, willEnd: () -> Void = {}) throws -> WorkerEnd {
    let session = WorkerSession(declarations, report: Self.say)
    let context = try ZeroMQContext()
    let claims = ClaimLoop(connection, context: context, stop: stop, say: Self.say)
    var onLost = PluginManifest.OnLost.hold
    var leaseEnd: Duration?
    func letGo() {
      session.clear()
      if onLost == .rest { rest() }
    }
    while true {
      let assignment = try claims.run(until: leaseEnd) {
        Self.say("\(connection.address) has lost its lease; holding all values until motiond is back")
        letGo()
      }
      guard case .assigned(let environment, let lease) = assignment else {
        willEnd()
        letGo()
        if case .refused(let refusal) = assignment { return .told(.refused(refusal)) }
        return .stopped
      }
      Self.say(
        "\(connection.address) has an assignment: epoch \(environment.epoch), incarnation \(environment.incarnation)")
      onLost = environment.onLost
      // The coordinator sends everything that an earlier life held again. That life's unsent events and values are
      // discarded.
      session.beginLife()
      let loop = try WorkerLoop(
        environment, session: session, context: context, lifeline: nil, stop: stop, rest: rest, say: Self.say,
        lease: lease, security: connection.security)
      let end = try loop.run()
      if session.endsForGood { finish() }
      guard case .told(let reason) = end, reason.isWorthAClaim else {
        willEnd()
        letGo()
        return end
      }
      Self.say("\(connection.address) claims its assignment again: \(end)")
      leaseEnd = reason.endsLease ? nil : loop.leaseEnd
      if reason == .shutdown { letGo() }
    }
  }
}

extension WorkerExit {
  /// Whether nothing remains of the lease: it has ended, or was given back.
  fileprivate var endsLease: Bool { self == .leaseEnded || self == .shutdown }
}
