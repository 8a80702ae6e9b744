import Glibc
import MotionCore
import MotionLink
import MotionModel
import MotionWire
import ZeroMQ

/// Runs a worker on the calling thread: hears, obeys, runs frames, and says what there is to say, until it has to end.
///
/// The decisions are those of ``WorkerLink`` and ``WorkerSession``; here are the effects. Heartbeats come from this
/// thread, which also runs the executors: a worker whose executors hang is silent, and replaced.
final class WorkerLoop {
  /// Messages heard before the clock is looked at: so many take less than a heartbeat's interval.
  static let messagesPerTurn = 4096
  /// A turn that takes longer than this was busy, not waiting: what arrived meanwhile is heard before silence is judged.
  static let busyTurn = Duration.milliseconds(50)

  private let environment: WorkerEnvironment
  private let session: WorkerSession
  private let sockets: WorkerSockets
  private let lifeline: Int32?
  private let lifelineRegistration: Poller.Registration?
  private let stop: EventCounter
  private let stopRegistration: Poller.Registration
  private let rest: () -> Void
  private let say: (String) -> Void
  private var link: WorkerLink
  private var ending: WorkerEnd?

  /// A worker that is ready to greet.
  ///
  /// - Parameters:
  ///   - lifeline: the descriptor whose end of file says that motiond is gone.
  ///   - stop: signalled to end the worker (TERM).
  ///   - rest: puts the plugin's outputs to rest, if the manifest says so.
  ///   - lease: what came with its seat, if it claimed one.
  ///   - security: how it shows who it is, over a network.
  init(
    _ environment: WorkerEnvironment, session: WorkerSession, context: ZeroMQContext, lifeline: Int32?,
    stop: EventCounter, rest: @escaping () -> Void, say: @escaping (String) -> Void, lease: Lease? = nil,
    security: [SocketOption] = []
  ) throws(ZeroMQError) {
    self.environment = environment
    self.session = session
    self.lifeline = lifeline
    self.stop = stop
    self.rest = rest
    self.say = say
    sockets = try WorkerSockets(environment, context: context, security: security)
    if let lifeline {
      lifelineRegistration = sockets.poller.add(descriptor: lifeline)
    } else {
      lifelineRegistration = nil
    }
    stopRegistration = sockets.poller.add(descriptor: stop.descriptor)
    let hello = Hello(address: environment.address, processID: getpid(), executors: session.types)
    link = WorkerLink(
      epoch: environment.epoch, incarnation: environment.incarnation, hello: hello, lease: lease,
      timing: lease == nil ? .local : .network, at: BootClock.now)
  }

  /// When its lease ends, if it has one: until then it may go on, though the link has ended.
  var leaseEnd: Duration? { link.leaseEnd }

  /// Runs until the worker has to end, and says why.
  func run() throws -> WorkerEnd {
    try perform(link.start(at: BootClock.now))
    while ending == nil { try turn() }
    return ending ?? .stopped
  }

  /// Waits, hears what has come, says what is due.
  private func turn() throws {
    sockets.timer.arm(at: link.nextDeadline)
    if case .terminated = try sockets.poller.poll(timeout: nil) { ending = .stopped }
    sockets.beginTurn()
    if sockets.poller.isReadable(stopRegistration) { ending = .stopped }
    if let lifelineRegistration, sockets.poller.isReadable(lifelineRegistration), hasLifelineEnded() {
      ending = .abandoned
    }
    let began = BootClock.now
    // Whoever was stopped past its lease looks at the clock before it looks at anything else.
    if ending == nil { try perform(link.lapse(at: began)) }
    try hear()
    let now = BootClock.now
    if now - began > Self.busyTurn { link.wasStalled(at: now) }
    if ending == nil { try perform(link.deadline(at: now)) }
  }

  private func hear() throws {
    while let (topic, begins) = try sockets.nextSubscription() {
      if begins {
        try perform(link.subscribed(to: topic, at: BootClock.now))
      } else {
        try perform(link.unsubscribed(from: topic))
      }
    }
    for _ in 0..<Self.messagesPerTurn {
      guard ending == nil, let envelope = try sockets.next() else { break }
      try perform(link.received(envelope, at: BootClock.now))
    }
    // Values that were written while commands were obeyed do not wait for a tick.
    if ending == nil { try sayOutput(of: nil) }
  }

  /// Whether the other end of the lifeline is gone; what comes through it has no meaning.
  private func hasLifelineEnded() -> Bool {
    guard let lifeline else { return false }
    return withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
      let count = read(lifeline, buffer.baseAddress, buffer.count)
      return count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)
    }
  }

  private func perform(_ actions: [WorkerAction]) throws {
    for action in actions where ending == nil {
      switch action {
      case .send(let envelope): try sockets.send(envelope)
      case .publish(let envelope): try sockets.publish(envelope)
      case .subscribe(let welcome): try sockets.subscribe(welcome)
      case .provision(let snapshot): session.provision(snapshot)
      case .apply(let command): session.apply(command)
      case .run(let frame): try run(frame)
      case .inspect(let executors, let question):
        try sockets.send(link.report(session.streams(of: executors), to: question, at: BootClock.now))
      case .leaseLost: loseLease()
      case .exit(let reason): ending = .told(reason)
      }
      noteEvents()
    }
  }

  private func run(_ frame: Frame) throws {
    var failure: (any Error)?
    session.run(frame) {
      // A long frame must not look like a hanging worker.
      guard failure == nil, let heartbeat = link.heartbeatIfDue(at: BootClock.now) else { return }
      do { try sockets.publish(heartbeat) } catch { failure = error }
    }
    if let failure { throw failure }
    try sayOutput(of: frame)
  }

  /// Stops acting until motiond is back; its values stay, or the outputs are put to rest.
  private func loseLease() {
    say("motiond is silent; holding still until it is back")
    session.clear()
    if environment.onLost == .rest { rest() }
  }

  /// Hands new events to the link, which numbers them.
  private func noteEvents() {
    for event in session.takeEvents() { link.record(event) }
    link.tokens = session.tokens
    link.setActive(session.isActive, at: BootClock.now)
  }

  /// Publishes an update: always for a frame, otherwise if there are values.
  private func sayOutput(of frame: Frame?) throws {
    noteEvents()
    let writes = session.takeWrites()
    // A frame during which the lease ended has come to nothing.
    let lapse = link.lapse(at: BootClock.now)
    guard lapse.isEmpty else { return try perform(lapse) }
    guard frame != nil || !writes.isEmpty else { return }
    try sockets.publish(link.update(frame: (frame ?? session.frame).number, writes: writes, at: BootClock.now))
  }
}
