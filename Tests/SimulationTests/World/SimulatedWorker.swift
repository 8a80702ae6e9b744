import Glibc
import MotionCore
import MotionExecutors
import MotionLink
import MotionModel
import MotionTestKit
import MotionWire
import ZeroMQ

@testable import MotionCoordinator
@testable import MotionExecutorKit

/// A process that runs as a worker: the real conduct, link, session and executors, on sockets within this process.
final class SimulatedWorker {
  /// A message between the worker and the coordinator.
  enum Packet {
    case request([UInt8])
    case event([UInt8])
    case subscribe(Welcome)
    case answer([UInt8])
    case command([UInt8])
    case tick([UInt8])
    case listened(String, begins: Bool)
  }

  /// The event on which its program crashes.
  enum Flaw {
    /// Its start: it crashes soon after it.
    case start
    /// Each plan whose transaction has a number of this parity: it crashes soon after it has received the plan.
    case plans(parity: UInt64)

    init(_ random: inout SeededRandom) {
      self = random.chance(0.3) ? .start : .plans(parity: UInt64.random(in: 0..<2, using: &random))
    }

    /// The delay until it crashes.
    static let delay = Duration.milliseconds(30)

    func concerns(_ planned: PlannedIntention) -> Bool {
      if case .plans(let parity) = self { planned.identity.sequence % 2 == parity } else { false }
    }
  }

  let entry: SimulatedTable.Entry
  let processID: Int32
  let address: WorkerAddress
  let epoch: UInt64
  /// Its number among all workers of the scenario.
  let serial: UInt64
  let session: WorkerSession
  private(set) var conduct: WorkerConduct<Effects>
  private let effects: Effects
  private let link: DealerSocket
  private let commands: SubscribeSocket
  private let ticks: SubscribeSocket
  private let events: PublishSocket
  private let eventTopic: String
  private var topics: [(SubscribeSocket, [UInt8])] = []

  /// The start of the coordinator to which it belongs.
  var start = 0
  /// Until when it is suspended.
  var stoppedUntil = Duration.zero
  /// When and how it ends, if it was asked to, or its coordinator has ended.
  var dies: (at: Duration, how: ProcessEnd)?
  var flaw: Flaw?
  /// Whether the scenario killed it, and not its coordinator.
  var isVictim = false
  /// The messages in its sockets while it is suspended.
  var mail: [Packet] = []
  var isGone = false
  var hasStarted = false

  /// Its output: messages that the network delivers.
  final class Effects: WorkerEffects {
    let machine: SimulatedMachine
    var outgoing: [Packet] = []
    let eventTopic: String

    init(_ machine: SimulatedMachine, _ eventTopic: String) { (self.machine, self.eventTopic) = (machine, eventTopic) }

    var now: Duration { machine.now }
    var census = Census()
    func send(_ envelope: Envelope) {
      census.note(envelope.body)
      if case .resync = envelope.body { census.note(.workerResynced) }
      outgoing.append(.request(envelope.encoded()))
    }
    func publish(_ envelope: Envelope) {
      census.note(envelope.body)
      outgoing.append(.event(Topic.frame(eventTopic, envelope)))
    }
    func subscribe(_ welcome: Welcome) { outgoing.append(.subscribe(welcome)) }
    func leaseLost() { census.note(.workerLeaseLost) }
  }

  init(
    _ entry: SimulatedTable.Entry, processID: Int32, serial: UInt64, on machine: SimulatedMachine,
    _ context: ZeroMQContext
  ) throws {
    let environment = try WorkerEnvironment { entry.launch.environment[$0] }
    (self.entry, self.processID, self.serial) = (entry, processID, serial)
    (address, epoch) = (environment.address, environment.epoch)
    eventTopic = WorkerTopic(.events, of: environment.address, incarnation: environment.incarnation).topic
    effects = Effects(machine, eventTopic)
    session = WorkerSession(PluginFolder.executors(of: environment.address.plugin))
    let hello = Hello(address: environment.address, processID: processID, executors: session.types)
    let link = WorkerLink(
      epoch: environment.epoch, incarnation: environment.incarnation, hello: hello, at: machine.now)
    conduct = WorkerConduct(link, session, effects)
    self.link = try DealerSocket(
      context, .linger(.zero), .routingID(Array("\(environment.address)/\(environment.incarnation)".utf8)))
    commands = try SubscribeSocket(context, .linger(.zero))
    ticks = try SubscribeSocket(context, .linger(.zero))
    events = try PublishSocket(context, .linger(.zero), .reportsAllSubscriptions(true))
    try events.connect(environment.events)
    try commands.connect(environment.commands)
    try ticks.connect(environment.ticks)
    try self.link.connect(environment.link)
  }

  /// Its name for the authenticator.
  var name: PeerName {
    PeerName(.process(LocalPeer(userID: 0, groupID: 0, processID: processID)), serial: serial)
  }

  // MARK: Its sockets

  /// Passes a message from the network into the coordinator's sockets.
  func deliver(_ packet: Packet) throws {
    switch packet {
    case .request(let bytes): _ = try link.send(bytes)
    case .event(let bytes): _ = try events.send(bytes)
    case .subscribe(let welcome):
      try subscribe(commands, Topic.subscription(welcome.commandTopic))
      if welcome.wantsUpdates { try subscribe(ticks, Topic.subscription(welcome.tickTopic)) }
    case .answer, .command, .tick, .listened: break
    }
  }

  private func subscribe(_ socket: SubscribeSocket, _ topic: [UInt8]) throws {
    try socket.subscribe(topic)
    topics.append((socket, topic))
  }

  /// Takes the messages that the coordinator has sent, for the network to deliver.
  func collect() throws -> [Packet] {
    var packets: [Packet] = []
    while let listened = try nextListened() { packets.append(listened) }
    while let message = try link.receiveOne().message { packets.append(.answer(message.withUnsafeBytes(Array.init))) }
    while let message = try commands.receiveOne().message {
      packets.append(.command(message.withUnsafeBytes(Array.init)))
    }
    while let message = try ticks.receiveOne().message { packets.append(.tick(message.withUnsafeBytes(Array.init))) }
    return packets
  }

  private func nextListened() throws -> Packet? {
    guard let event = try events.receiveSubscription().message else { return nil }
    switch event {
    case .subscribed(let bytes): return .listened(try Topic.topic(ofSubscription: bytes), begins: true)
    case .unsubscribed(let bytes): return .listened(try Topic.topic(ofSubscription: bytes), begins: false)
    }
  }

  /// Ends all its subscriptions, as the end of its process does.
  func hangUp() throws {
    for (socket, topic) in topics { try socket.unsubscribe(topic) }
    topics = []
  }

  // MARK: Its turns

  /// Stores a message from the network until the worker's next turn.
  func bring(_ packet: Packet) {
    // Only the newest tick is kept.
    if case .tick = packet { mail.removeAll { if case .tick = $0 { true } else { false } } }
    mail.append(packet)
  }

  /// Handles the received messages and the deadlines.
  ///
  /// - Returns: the messages that it sends.
  func turn() throws -> [Packet] {
    if !hasStarted {
      hasStarted = true
      if case .start? = flaw { crash() }
      try conduct.start()
    }
    try conduct.begin()
    let mail = mail
    self.mail = []
    for packet in mail where conduct.exit == nil { try hear(packet) }
    try conduct.finishHearing()
    if conduct.exit == nil { try conduct.deadline() }
    defer { effects.outgoing = [] }
    return effects.outgoing
  }

  private func hear(_ packet: Packet) throws {
    switch packet {
    case .answer(let bytes): try hear(Envelope(decoding: bytes, limit: Limits.workerMessageBytes))
    case .command(let bytes), .tick(let bytes):
      try hear(Envelope(decoding: Array(Topic.split(bytes).message), limit: Limits.workerMessageBytes))
    case .listened(let topic, let begins): try conduct.listened(to: topic, begins: begins)
    case .request, .event, .subscribe: break
    }
  }

  private func hear(_ envelope: Envelope) throws {
    effects.census.note(envelope.body)
    switch envelope.body {
    case .command(_, .add(_, _, let planned)) where flaw?.concerns(planned) == true: crash()
    case .snapshot(_, _, let snapshot):
      if snapshot.executors.contains(where: { $0.intentions.contains { flaw?.concerns($0) == true } }) { crash() }
    default: break
    }
    try conduct.hear(envelope)
  }

  private func crash() {
    if dies == nil { dies = (effects.now + Flaw.delay, .signalled(SIGSEGV)) }
  }

  /// The kinds of messages that it has sent and received.
  var census: Census { effects.census }
}
