import Glibc
import LinuxSystem
import MotionCore
import MotionExecutorKit
import MotionLink
import MotionModel
import MotionWire
import Testing
import ZeroMQ

/// A worker on a thread of its own, and a coordinator's end of its link on the test's thread, over ipc.
final class SocketTransport: WorkerTransport {
  /// How long the test waits for a condition: far more than any working step takes.
  static let timeout = Duration.seconds(30)

  private(set) var link: CoordinatorLink
  private(set) var provisionedTimes = 0
  /// The intervals of the worker's heartbeats and the numbers of the frames that it answered, in the order of arrival.
  private(set) var heard: [Heard] = []
  private(set) var fenced: FenceReason?
  /// The snapshot that the worker receives on request.
  var snapshot = WorkerSnapshot(frame: Frame(number: 0, time: 0, dt: 0), executors: [])

  /// Whether the coordinator receives, but sends nothing.
  var isSilent = false

  enum Heard: Equatable {
    case hello
    case heartbeat
    case frame(UInt64)
  }

  let environment: WorkerEnvironment
  private let directory: String
  private let router: RouterSocket
  private let commands: PublishSocket
  private let ticks: PublishSocket
  private let events: SubscribeSocket
  private let poller = Poller()
  private let thread: WorkerThread
  private var peer: RoutingID?
  private var output: Output = ([], [])
  private var answered: UInt64 = 0

  init(_ makeWorker: @escaping @Sendable () -> Worker, executors: [ExecutorType] = []) throws {
    var template = Array("/tmp/motion-kit-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw ZeroMQError(code: errno, operation: "mkdtemp") }
    let directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    self.directory = directory
    let address = WorkerAddress("kit-test", 0)
    environment = WorkerEnvironment(
      address: address, incarnation: 2, epoch: 5, link: try .ipc(directory + "/link"),
      commands: try .ipc(directory + "/commands"), ticks: try .ipc(directory + "/ticks"),
      events: try .ipc(directory + "/events"))
    link = CoordinatorLink(
      epoch: 5, address: address, incarnation: 2, executors: executors, at: BootClock.now)
    let context = try ZeroMQContext()
    router = try RouterSocket(context)
    commands = try PublishSocket(context, .reportsAllSubscriptions(true))
    ticks = try PublishSocket(context, .reportsAllSubscriptions(true))
    events = try SubscribeSocket(context)
    try router.bind(environment.link)
    try commands.bind(environment.commands)
    try ticks.bind(environment.ticks)
    try events.bind(environment.events)
    try events.subscribe(Topic.subscription(link.topics.events))
    _ = poller.add(router)
    _ = poller.add(commands)
    _ = poller.add(ticks)
    _ = poller.add(events)
    thread = try WorkerThread(environment, makeWorker)
  }

  /// A transport whose worker holds executors of one declaration and is ready.
  convenience init(_ makeDeclaration: @escaping @Sendable () -> ExecutorDeclaration) throws {
    try self.init({ Worker(declarations: [makeDeclaration()]) })
    waitUntil { link.state == .ready }
  }

  deinit {
    thread.endLifeline()
    thread.join()
    for name in ["link", "commands", "ticks", "events"] { unlink(directory + "/" + name) }
    rmdir(directory)
  }

  // MARK: The actions of the coordinator

  func obey(_ command: WorkerCommand) -> Output {
    let (number, envelope) = link.send(command, at: BootClock.now)
    if let envelope { publish(envelope, on: commands, link.topics.commands) }
    waitUntil { link.acknowledgedCommand >= number }
    return takeOutput()
  }

  func run(_ frame: Frame) -> Output {
    tick(frame)
    waitUntil { answered >= frame.number }
    return takeOutput()
  }

  func tick(_ frame: Frame) {
    if let envelope = link.tick(frame, at: BootClock.now) { publish(envelope, on: ticks, link.topics.ticks) }
  }

  func drain() {
    if let envelope = link.drain(at: BootClock.now) { publish(envelope, on: commands, link.topics.commands) }
  }

  func setActive() { perform(link.setActive(true, at: BootClock.now)) }

  /// Receives and sends all pending messages until the condition holds.
  func waitUntil(_ isTrue: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation) {
    let deadline = BootClock.now + Self.timeout
    while !isTrue() {
      guard BootClock.now < deadline, fenced == nil else {
        Issue.record("waited in vain: \(link.state), \(String(describing: fenced))", sourceLocation: sourceLocation)
        return
      }
      turn()
    }
  }

  /// Ends the lifeline, signals the worker, or waits for its own end; then returns the reason for its end.
  func end(_ how: (WorkerThread) -> Void = { _ in }) -> WorkerEnd? {
    how(thread)
    waitUntil { thread.end != nil }
    return thread.end
  }

  // MARK: Effects

  private func turn() {
    do {
      _ = try poller.poll(timeout: .milliseconds(10))
      while let event = try commands.receiveSubscription().message { note(event) }
      while let event = try ticks.receiveSubscription().message { note(event) }
      while let (peer, message) = try router.receiveRouted().message {
        self.peer = peer
        receive(try Envelope(decoding: message.bytes))
      }
      while let message = try events.receiveOne().message {
        receive(try Envelope(decoding: Array(Topic.split(message.bytes).message)))
      }
      if !isSilent { perform(link.deadline(at: BootClock.now)) }
    } catch {
      Issue.record("the test's coordinator failed: \(error)")
    }
  }

  private func note(_ event: SubscriptionEvent) {
    guard case .subscribed(let bytes) = event, let topic = try? Topic.topic(ofSubscription: bytes) else { return }
    perform(link.subscribed(to: topic, at: BootClock.now))
  }

  private func receive(_ envelope: Envelope) {
    if case .hello = envelope.body { heard.append(.hello) }
    if case .workerHeartbeat = envelope.body { heard.append(.heartbeat) }
    if case .update(let update) = envelope.body { heard.append(.frame(update.frame)) }
    if !isSilent { perform(link.received(envelope, at: BootClock.now)) }
  }

  private func perform(_ actions: [CoordinatorAction]) {
    for action in actions {
      switch action {
      case .send(let envelope): send(envelope)
      case .publish(let envelope): publish(envelope, on: commands, link.topics.commands)
      case .provideSnapshot:
        if let envelope = link.provide(snapshot, at: BootClock.now) { send(envelope) }
      case .apply(let update):
        output.writes += update.writes
        output.events += update.events.map(\.event)
        answered = max(answered, update.frame)
      case .provisioned: provisionedTimes += 1
      case .log, .reported: break
      case .report(let text): Issue.record("\(text)")
      case .fence(let reason): fenced = reason
      }
    }
  }

  private func send(_ envelope: Envelope) {
    guard let peer else { return }
    do { _ = try router.send(envelope.encoded(), to: peer) } catch { Issue.record("\(error)") }
  }

  private func publish(_ envelope: Envelope, on socket: PublishSocket, _ topic: String) {
    do { _ = try socket.send(Topic.frame(topic, envelope)) } catch { Issue.record("\(error)") }
  }

  var lastEventApplied: UInt64 { link.lastEventApplied }

  func takeOutput() -> Output {
    defer { output = ([], []) }
    return output
  }
}
