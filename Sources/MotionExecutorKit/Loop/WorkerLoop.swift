import Glibc
import LinuxSystem
import MotionLink
import MotionModel
import MotionWire
import ZeroMQ

/// Runs a worker on the calling thread: waits, hears, and looks at the clock, until it has to end.
///
/// What it does about what it hears is ``WorkerConduct``'s.
final class WorkerLoop {
  /// Messages heard before the clock is looked at: so many take less than a heartbeat's interval.
  static let messagesPerTurn = 4096
  /// A turn that takes longer than this was busy, not waiting: what arrived meanwhile is heard before silence is judged.
  static let busyTurn = Duration.milliseconds(50)

  /// What a worker does to the world.
  private struct Effects: WorkerEffects {
    let sockets: WorkerSockets
    let say: (String) -> Void
    let rest: (() -> Void)?

    var now: Duration { BootClock.now }
    func send(_ envelope: Envelope) throws { try sockets.send(envelope) }
    func publish(_ envelope: Envelope) throws { try sockets.publish(envelope) }
    func subscribe(_ welcome: Welcome) throws { try sockets.subscribe(welcome) }

    func leaseLost() {
      say("motiond is silent; holding still until it is back")
      rest?()
    }
  }

  private let sockets: WorkerSockets
  private let lifeline: Int32?
  private let lifelineRegistration: Poller.Registration?
  private let stop: EventCounter
  private let stopRegistration: Poller.Registration
  private var conduct: WorkerConduct<Effects>
  /// Why it ends, if the coordinator has not said so.
  private var ending: WorkerEnd?

  /// A worker that is ready to greet.
  ///
  /// - Parameters:
  ///   - lifeline: the descriptor whose end of file says that motiond is gone.
  ///   - stop: signalled to end the worker (TERM).
  ///   - rest: puts the plugin's outputs to rest, if the manifest says so.
  ///   - lease: what came with its assignment, if it claimed one.
  ///   - security: how it shows who it is, over a network.
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

  /// When its lease ends, if it has one: until then it may go on, though the link has ended.
  var leaseEnd: Duration? { conduct.link.leaseEnd }

  /// Runs until the worker has to end, and says why.
  func run() throws -> WorkerEnd {
    try conduct.start()
    while ending == nil, conduct.exit == nil { try turn() }
    return ending ?? conduct.exit.map(WorkerEnd.told) ?? .stopped
  }

  /// Waits, hears what has come, says what is due.
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

  /// Whether the other end of the lifeline is gone; what comes through it has no meaning.
  private func hasLifelineEnded() -> Bool {
    guard let lifeline else { return false }
    return withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
      let count = read(lifeline, buffer.baseAddress, buffer.count)
      return count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)
    }
  }
}
