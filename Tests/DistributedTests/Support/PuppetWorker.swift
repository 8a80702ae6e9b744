import CLinux
import Glibc
import LinuxSystem
import MotionClient
import MotionModel
import MotionWire
import Testing
import ZeroMQ

/// A worker that the test plays itself, with sockets and envelopes and without the kit.
final class PuppetWorker {
  let address: WorkerAddress
  let epoch: UInt64
  var incarnation: UInt64
  /// The commands received since the snapshot.
  private(set) var commands: [WorkerCommand] = []
  /// The ticks received.
  private(set) var ticks: [Tick] = []
  /// The number of heartbeats received from the coordinator.
  private(set) var heartbeats = 0
  /// The snapshot that it received on request.
  private(set) var snapshot: WorkerSnapshot?
  private(set) var commandsApplied: UInt64 = 0
  /// Answers on the link other than snapshots.
  private(set) var answers: [Envelope.Body] = []
  /// The numbers of the questions about streams that it received.
  private(set) var questions: [UInt64] = []

  private let context: ZeroMQContext
  private let link: DealerSocket
  private let commandSocket: SubscribeSocket
  private let tickSocket: SubscribeSocket
  private let events: PublishSocket
  private var linkNumber: UInt64 = 0
  private var messageNumber: UInt64 = 0
  private var eventNumber: UInt64 = 0
  private var tokens: [(ExecutorHandle, TokenName)] = []
  private var lastBeat = Duration.zero

  /// Connects as the worker that was started with this environment.
  convenience init(_ environment: [String: String]) throws {
    func variable(_ name: String) throws -> String {
      try #require(environment[name], "\(name) is not in the worker's environment")
    }
    try self.init(
      WorkerAddress(PluginName(variable("MOTION_PLUGIN")), #require(Int(variable("MOTION_INSTANCE")))),
      epoch: #require(UInt64(variable("MOTION_EPOCH"))),
      incarnation: #require(UInt64(variable("MOTION_INCARNATION"))), link: Endpoint(variable("MOTION_LINK")),
      commands: Endpoint(variable("MOTION_COMMANDS")), ticks: Endpoint(variable("MOTION_TICKS")),
      events: Endpoint(variable("MOTION_EVENTS")))
  }

  /// Connects as a worker that motiond recognizes by other means.
  init(
    _ address: WorkerAddress, epoch: UInt64, incarnation: UInt64, link: Endpoint, commands: Endpoint, ticks: Endpoint,
    events: Endpoint, security: [SocketOption] = []
  ) throws {
    (self.address, self.epoch, self.incarnation) = (address, epoch, incarnation)
    context = try ZeroMQContext()
    self.link = try DealerSocket(context)
    commandSocket = try SubscribeSocket(context)
    tickSocket = try SubscribeSocket(context)
    self.events = try PublishSocket(context)
    for option in security {
      try self.link.set(option)
      try commandSocket.set(option)
      try tickSocket.set(option)
      try self.events.set(option)
    }
    try self.link.connect(link)
    try commandSocket.connect(commands)
    try tickSocket.connect(ticks)
    try self.events.connect(events)
  }

  /// Sends its hello and waits for the welcome.
  func greet(executors: [ExecutorType] = ScriptedPlugin.types) throws {
    try sayOnLink(.hello(Hello(address: address, processID: getpid(), executors: executors)))
    try awaitTruth("the welcome of \(address)") {
      try hear()
      return answers.contains { if case .welcome = $0 { true } else { false } }
    }
    try commandSocket.subscribe(Topic.subscription(topic(.commands)))
    try tickSocket.subscribe(Topic.subscription(topic(.ticks)))
    let wanted = Topic.subscription(topic(.events))
    try awaitTruth("the daemon's subscription to \(address)") {
      guard case .message(.subscribed(let bytes)) = try events.receiveSubscription() else { return false }
      return bytes == wanted
    }
  }

  /// Requests the snapshot and waits for it.
  func askForSnapshot() throws -> WorkerSnapshot {
    snapshot = nil
    try sayOnLink(.resync(commandsApplied: commandsApplied))
    let snapshot = try awaitFact("the snapshot of \(address)") {
      try hear()
      return self.snapshot
    }
    return snapshot
  }

  /// Performs all steps that make it ready, and acknowledges the snapshot.
  func serve(executors: [ExecutorType] = ScriptedPlugin.types) throws -> WorkerSnapshot {
    try greet(executors: executors)
    let snapshot = try askForSnapshot()
    try say(.update(WorkerUpdate(frame: snapshot.frame.number, commandsApplied: commandsApplied)))
    return snapshot
  }

  /// Discards the answers received so far.
  func forgetAnswers() { answers = [] }

  /// Receives all messages that have arrived.
  func hear() throws {
    while let message = try link.receiveOne().message {
      let envelope = try Envelope(decoding: message.bytes)
      if case .snapshot(let command, _, let snapshot) = envelope.body {
        (self.snapshot, commandsApplied) = (snapshot, command)
      } else {
        if case .inspect = envelope.body { questions.append(envelope.sequence) }
        answers.append(envelope.body)
      }
    }
    while let message = try commandSocket.receiveOne().message {
      switch try envelope(in: message).body {
      case .command(let number, let command):
        commands.append(command)
        commandsApplied = number
      case .coordinatorHeartbeat: heartbeats += 1
      default: break
      }
    }
    while let message = try tickSocket.receiveOne().message {
      if case .tick(let tick) = try envelope(in: message).body { ticks.append(tick) }
    }
  }

  /// Publishes on its topic of events, or on that of another incarnation, under its own address or another.
  func say(
    _ body: Envelope.Body, as incarnation: UInt64? = nil, inEpoch epoch: UInt64? = nil, onTopicOf start: UInt64? = nil
  ) throws {
    messageNumber += 1
    let envelope = Envelope(
      epoch: epoch ?? self.epoch, incarnation: incarnation ?? self.incarnation, sequence: messageNumber,
      sent: UInt64(BootClock.nanoseconds), body)
    _ = try events.send(Topic.frame(topic(.events, of: start), envelope))
  }

  /// Sends a message on the link, under its own incarnation or another.
  func sayOnLink(
    _ body: Envelope.Body, replyTo question: UInt64 = 0, as incarnation: UInt64? = nil, inEpoch epoch: UInt64? = nil
  ) throws {
    linkNumber += 1
    let envelope = Envelope(
      epoch: epoch ?? self.epoch, incarnation: incarnation ?? self.incarnation, sequence: linkNumber, replyTo: question,
      body)
    _ = try link.send(envelope.encoded())
  }

  /// Sends an event of an executor.
  func tell(_ event: WorkerEvent) throws {
    eventNumber += 1
    switch event {
    case .started(let executor, let token, _, _) where !tokens.contains(where: { $0 == (executor, token) }):
      tokens.append((executor, token))
    case .ended(let executor, let token): tokens.removeAll { $0 == (executor, token) }
    default: break
    }
    let numbered = WorkerUpdate.NumberedEvent(eventNumber, event)
    try say(.update(WorkerUpdate(frame: lastFrame, events: [numbered], commandsApplied: commandsApplied)))
  }

  /// Sends the value of a property in the last announced frame.
  func write(
    _ property: PropertyHandle, _ value: Lanes, by executor: ExecutorHandle, as incarnation: UInt64? = nil,
    inEpoch epoch: UInt64? = nil
  ) throws {
    let write = PropertyWrite(executor: executor, property: property, state: PropertyState(value))
    try say(
      .update(WorkerUpdate(frame: lastFrame, writes: [write], commandsApplied: commandsApplied)), as: incarnation,
      inEpoch: epoch)
  }

  /// The number of the last frame that was announced to it.
  var lastFrame: UInt64 { ticks.last?.frame.number ?? snapshot?.frame.number ?? 0 }

  /// Sends a heartbeat, with the time of the next one.
  func beat() throws {
    lastBeat = BootClock.now
    let heartbeat = WorkerHeartbeat(
      commandsApplied: commandsApplied, lastEvent: eventNumber, tokens: TokenSetHash.hash(tokens), interval: 0.2)
    try say(.workerHeartbeat(heartbeat))
  }

  /// Runs as a worker does, receiving and sending heartbeats, until a condition holds.
  func goOn(until name: String, within limit: Duration = factTimeout, _ isTrue: () throws -> Bool) throws {
    try awaitTruth(name, within: limit) {
      try hear()
      if BootClock.now - lastBeat > .milliseconds(100) { try beat() }
      return try isTrue()
    }
  }

  private func topic(_ kind: WorkerTopic.Kind, of start: UInt64? = nil) -> String {
    WorkerTopic(kind, of: address, incarnation: start ?? incarnation).topic
  }

  private func envelope(in message: Message) throws -> Envelope {
    let (_, bytes) = try Topic.split(message.bytes)
    return try Envelope(decoding: Array(bytes))
  }
}

extension PuppetWorker {
  /// Runs until the runtime is active, or idle.
  func goOn(until client: MotionClient, isActive: Bool) throws {
    try goOn(until: isActive ? "the runtime is active" : "the runtime is idle") {
      try client.status().isActive == isActive
    }
  }
}
