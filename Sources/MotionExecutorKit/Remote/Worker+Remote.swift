package import LinuxSystem
import MotionCore
import MotionLink
import MotionModel
package import ZeroMQ

extension Worker {
  /// Runs the worker on the calling thread for a motiond that did not start it, life after life, until it is stopped or
  /// not wanted, and says why.
  ///
  /// Its executors act while its lease lasts. When that ends before there is another assignment, they let everything be, and
  /// ``rest`` is called if the manifest says so.
  ///
  /// - Parameter stop: signalled to end the worker.
  /// - Throws: what libzmq or the system refuses.
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
        Self.say("\(connection.address) has lost its lease; holding still until motiond is back")
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
      // What another life held, it is told anew; what that had to say belongs to that life.
      session.beginLife()
      let loop = try WorkerLoop(
        environment, session: session, context: context, lifeline: nil, stop: stop, rest: rest, say: Self.say,
        lease: lease, security: connection.security)
      let end = try loop.run()
      guard case .told(let reason) = end, reason.isWorthAClaim else {
        willEnd()
        letGo()
        return end
      }
      Self.say("\(connection.address) claims its assignment anew: \(end)")
      leaseEnd = reason.endsLease ? nil : loop.leaseEnd
      if reason == .shutdown { letGo() }
    }
  }
}

extension WorkerExit {
  /// Whether nothing is left of the lease: it is over, or was given back.
  fileprivate var endsLease: Bool { self == .leaseEnded || self == .shutdown }
}
