import Glibc
import LinuxSystem
import MotionLink
import MotionModel
import MotionWire
import ZeroMQ

/// Requests an assignment from motiond, on the calling thread, until it is granted or refused: the effects of
/// ``ClaimLink``.
///
/// Each run uses a socket of its own, so that messages for an earlier run cannot be received any more.
final class ClaimLoop {
  /// The result of a run.
  enum Outcome {
    /// motiond granted an assignment.
    case assigned(WorkerEnvironment, Lease)
    /// motiond will never grant an assignment.
    case refused(Refusal)
    /// The process has to stop.
    case stopped
  }

  /// The limit of queued claims. Each claim is resent.
  static let claimsWaiting = 4
  /// The timeout of a connection attempt, after which another one is made. Over a cut line the kernel would wait for
  /// minutes.
  static let connectTime = Duration.seconds(2)
  /// The shortest and the longest wait before a reconnection.
  static let reconnectTimes = (Duration.milliseconds(100), Duration.seconds(1))

  private let connection: RemoteConnection
  private let context: ZeroMQContext
  private let stop: EventCounter
  private let say: (String) -> Void
  private var link: ClaimLink
  private var lastRefusal: Refusal?

  /// Makes a loop for a process that needs an assignment. The reason why motiond grants none goes to `say`.
  init(
    _ connection: RemoteConnection, context: ZeroMQContext, stop: EventCounter, say: @escaping (String) -> Void
  ) {
    self.connection = connection
    self.context = context
    self.stop = stop
    self.say = say
    let claim = Claim(
      address: connection.address, claimant: UInt64.random(in: 1...UInt64.max), attempt: 1, processID: getpid(),
      host: Self.host)
    link = ClaimLink(claim, at: BootClock.now)
  }

  /// Claims an assignment for the next life of the worker, and waits for it.
  ///
  /// - Parameters:
  ///   - lapse: when the lease of the previous life ends, if it has not ended yet.
  ///   - lapsed: called once at that time, if there is no assignment by then.
  func run(until lapse: Duration?, lapsed: () -> Void) throws -> Outcome {
    let socket = try DealerSocket(
      context, .maxMessageSize(bytes: 65_536), .sendHighWaterMark(Self.claimsWaiting),
      .receiveHighWaterMark(Self.claimsWaiting), .linger(.zero), .reconnectInterval(Self.reconnectTimes.0),
      .reconnectIntervalMax(Self.reconnectTimes.1), .connectTimeout(Self.connectTime))
    for option in connection.security { try socket.set(option) }
    let (poller, timer) = (Poller(), try BootTimer())
    let answers = poller.add(socket)
    let stops = poller.add(descriptor: stop.descriptor)
    let times = poller.add(descriptor: timer.descriptor)
    try poller.connect(socket, to: connection.link)
    var lapse = lapse
    if let outcome = try perform(link.begin(at: BootClock.now), on: socket) { return outcome }
    while true {
      timer.arm(at: [link.nextDeadline, lapse].compactMap { $0 }.min())
      if case .terminated = try poller.poll(timeout: nil) { return .stopped }
      if poller.isReadable(stops) { return .stopped }
      if poller.isReadable(times) { timer.acknowledge() }
      let now = BootClock.now
      if let end = lapse, now >= end {
        lapse = nil
        lapsed()
      }
      while poller.isReadable(answers), let message = try socket.receiveOne().message {
        let envelope = message.withUnsafeBytes { try? Envelope(decoding: $0, limit: 65_536) }
        guard let envelope else { continue }
        if let outcome = try perform(link.received(envelope, at: now), on: socket) { return outcome }
      }
      if let outcome = try perform(link.deadline(at: now), on: socket) { return outcome }
    }
  }

  private func perform(_ actions: [ClaimLink.Action], on socket: DealerSocket) throws -> Outcome? {
    for action in actions {
      switch action {
      case .send(let envelope): _ = try socket.send(envelope.encoded())
      case .wait(let refusal):
        if refusal != lastRefusal { say("\(connection.address) has no assignment yet: \(refusal)") }
        lastRefusal = refusal
      case .refused(let refusal): return .refused(refusal)
      case .assigned(let epoch, let assignment, let lease):
        lastRefusal = nil
        let environment = WorkerEnvironment(
          address: connection.address, incarnation: assignment.incarnation, epoch: epoch, link: connection.link,
          commands: try connection.endpoint(port: assignment.commandsPort),
          ticks: try connection.endpoint(port: assignment.ticksPort),
          events: try connection.endpoint(port: assignment.eventsPort), onLost: assignment.onLost)
        return .assigned(environment, lease)
      }
    }
    return nil
  }

  /// The name of this machine, cut to the available length.
  private static var host: String {
    var name = [CChar](repeating: 0, count: 65)
    guard gethostname(&name, 64) == 0 else { return "" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
