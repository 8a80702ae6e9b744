import Glibc
import LinuxSystem
import MotionLink
import MotionModel
import MotionWire
import ZeroMQ

/// Runs a worker on the calling thread: waits, processes messages, and checks deadlines, until the worker has to end.
///
/// ``WorkerConduct`` decides how a message is handled.
final class WorkerLoop {
  /// The most messages processed before the clock is checked. Processing that many takes less than a heartbeat's
  /// interval.
  static let messagesPerTurn = 4096
  /// A turn longer than this was busy, not waiting. Messages that arrived meanwhile are processed before the
  /// coordinator's silence is judged.
  static let busyTurn = Duration.milliseconds(50)

  /// The worker's side effects, on real sockets.
  private struct Effects: WorkerEffects {
    let sockets: WorkerSockets
    let say: (String) -> Void
    let rest: (() -> Void)?

    var now: Duration { BootClock.now }
    func send(_ envelope: Envelope) throws { try sockets.send(envelope) }
    func publish(_ envelope: Envelope) throws { try sockets.publish(envelope) }
    func subscribe(_ welcome: Welcome) throws { try sockets.subscribe(welcome) }

    func leaseLost() {
      say("no messages from motiond; holding all values until it is back")
      rest?()
    }
  }

  private let sockets: WorkerSockets
  private let lifeline: Int32?
  private let lifelineRegistration: Poller.Registration?
  private let stop: EventCounter
  private let stopRegistration: Poller.Registration
  private var conduct: WorkerConduct<Effects>
  /// The reason why the worker ends, unless the link gave one.
  private var ending: WorkerEnd?

  /// Makes a worker that is ready for the handshake.
  ///
  /// - Parameters:
  ///   - lifeline: the descriptor whose end of file means that motiond has exited.
  ///   - stop: signalled to end the worker (TERM).
  ///   - rest: puts the plugin's outputs to rest, if the manifest requires that.
  ///   - lease: the lease that came with its assignment, if it claimed one.
  ///   - security: the socket options that authenticate it over a network.
  init(
    _ environment: WorkerEnvironment, session: WorkerSession, context: ZeroMQContext, lifeline: Int32?,
    stop: EventCounter, rest: @escaping () -> Void, say: @escaping (String) -> Void, lease: Lease? = nil,
    security: [SocketOption] = []
  ) throws {
    self.lifeline = lifeline
    self.stop = stop
    sockets = try WorkerSockets(environment, context: context, security: security)
    if let lifeline {
      lifelineRegistration = sockets.poller.add(descriptor: lifeline)
    } else {
      lifelineRegistration = nil
    }
    stopRegistration = sockets.poller.add(descriptor: stop.descriptor)
    let hello = Hello(address: environment.address, processID: getpid(), executors: session.types)
    let link = WorkerLink(
      epoch: environment.epoch, incarnation: environment.incarnation, hello: hello, lease: lease,
      timing: lease == nil ? .local : .network, at: BootClock.now)
    let effects = Effects(sockets: sockets, say: say, rest: environment.onLost == .rest ? rest : nil)
    conduct = WorkerConduct(link, session, effects)
  }

  /// When its lease ends, if it has one. Until then the worker may continue, even after the link has ended.
  var leaseEnd: Duration? { conduct.link.leaseEnd }

  /// Runs until the worker has to end, and returns the reason.
  func run() throws -> WorkerEnd {
    try conduct.start()
    while ending == nil, conduct.exit == nil { try turn() }
    return ending ?? conduct.exit.map(WorkerEnd.told) ?? .stopped
  }

  /// Waits, processes the received messages, and performs the actions that are due.
  private func turn() throws {
    sockets.timer.arm(at: conduct.link.nextDeadline)
    if case .terminated = try sockets.poller.poll(timeout: nil) { ending = .stopped }
    sockets.beginTurn()
    if sockets.poller.isReadable(stopRegistration) { ending = .stopped }
    if let lifelineRegistration, sockets.poller.isReadable(lifelineRegistration), hasLifelineEnded() {
      ending = .abandoned
    }
    guard ending == nil else { return }
    let began = BootClock.now
    try conduct.begin()
    try hear()
    if BootClock.now - began > Self.busyTurn { conduct.wasStalled() }
    if conduct.exit == nil { try conduct.deadline() }
  }

  private func hear() throws {
    while let (topic, begins) = try sockets.nextSubscription() { try conduct.listened(to: topic, begins: begins) }
    for _ in 0..<Self.messagesPerTurn {
      guard conduct.exit == nil, let envelope = try sockets.next() else { break }
      try conduct.hear(envelope)
    }
    try conduct.finishHearing()
  }

  /// Whether the other end of the lifeline is closed. Data received through it is ignored.
  private func hasLifelineEnded() -> Bool {
    guard let lifeline else { return false }
    return withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
      let count = read(lifeline, buffer.baseAddress, buffer.count)
      return count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)
    }
  }
}
