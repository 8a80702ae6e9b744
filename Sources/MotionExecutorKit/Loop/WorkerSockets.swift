import LinuxSystem
import MotionModel
import MotionWire
import ZeroMQ

/// A worker's four sockets and what it waits for, all of one thread.
final class WorkerSockets {
  /// Requests that may wait while motiond does not take them: each is sent again, so that more are of no use.
  static let requestsWaiting = 64
  /// Commands that may wait: a transaction's 100,000 operations may arrive as one each. What is lost is repaired.
  static let commandsWaiting = Limits.operationsPerTransaction
  /// Ticks that may wait while the worker is busy: one second at 1 kHz, of which it takes the last. After a longer one it
  /// takes an old one first, and the next when that comes.
  static let ticksWaiting = 1000
  /// Updates that may wait while motiond does not take them: one second at 1 kHz. Values of more are out of date.
  static let updatesWaiting = 1000
  /// How long closing goes on sending: the last events of a worker that was shut down, over a local socket.
  static let farewell = Duration.milliseconds(200)

  let poller = Poller()
  let timer: BootTimer
  private let link: DealerSocket
  private let commands: SubscribeSocket
  private let ticks: SubscribeSocket
  private let events: PublishSocket
  private let eventTopic: String
  private let links: Poller.Registration
  private let orders: Poller.Registration
  private let beats: Poller.Registration
  private let listeners: Poller.Registration
  private let time: Poller.Registration
  /// Which of the sockets may have something to be heard in this turn: asking one that has nothing is a system call.
  private var isOpen = (link: false, commands: false, ticks: false, events: false)
  /// Messages that made no sense.
  private(set) var malformed = 0

  /// - Parameter security: how it shows who it is, over a network.
  init(
    _ environment: WorkerEnvironment, context: ZeroMQContext, security: [SocketOption] = []
  ) throws {
    let topic = WorkerTopic(.events, of: environment.address, incarnation: environment.incarnation)
    let size = SocketOption.maxMessageSize(bytes: Limits.workerMessageBytes + Topic.longestBytes)
    eventTopic = topic.topic
    timer = try BootTimer()
    link = try DealerSocket(
      context, size, .sendHighWaterMark(Self.requestsWaiting), .receiveHighWaterMark(Self.requestsWaiting),
      .linger(Self.farewell), .routingID(Array("\(environment.address)/\(environment.incarnation)".utf8)))
    commands = try SubscribeSocket(context, size, .receiveHighWaterMark(Self.commandsWaiting))
    // Only the newest tick counts, and it is this side that finds it: libzmq's own ZMQ_CONFLATE withholds a message that
    // comes in the moment in which the one before is taken, until yet another comes.
    ticks = try SubscribeSocket(
      context, .maxMessageSize(bytes: 4096), .receiveHighWaterMark(Self.ticksWaiting))
    // Immediate, so that a connection that breaks ends motiond's subscription and says so. Otherwise libzmq keeps both
    // for the next motiond that it connects to, and nothing tells that it is another one.
    events = try PublishSocket(
      context, .sendHighWaterMark(Self.updatesWaiting), .linger(Self.farewell), .reportsAllSubscriptions(true),
      .immediate(true))
    links = poller.add(link)
    orders = poller.add(commands)
    beats = poller.add(ticks)
    listeners = poller.add(events)
    time = poller.add(descriptor: timer.descriptor)
    for option in security {
      try link.set(option)
      try commands.set(option)
      try ticks.set(option)
      try events.set(option)
    }
    try poller.connect(events, to: environment.events)
    try poller.connect(commands, to: environment.commands)
    try poller.connect(ticks, to: environment.ticks)
    try poller.connect(link, to: environment.link)
  }

  // MARK: Out

  /// Sends a request; one that finds no room is dropped, as it is sent again.
  func send(_ envelope: Envelope) throws(ZeroMQError) { _ = try link.send(envelope.encoded()) }

  /// Publishes values, events or a heartbeat; what finds no room is dropped, as all but values is sent again.
  func publish(_ envelope: Envelope) throws(ZeroMQError) { _ = try events.send(Topic.frame(eventTopic, envelope)) }

  /// Subscribes to the worker's topics.
  func subscribe(_ welcome: Welcome) throws(ZeroMQError) {
    try commands.subscribe(Topic.subscription(welcome.commandTopic))
    if welcome.wantsUpdates { try ticks.subscribe(Topic.subscription(welcome.tickTopic)) }
  }

  // MARK: In

  /// Takes note of what the poll has found: which sockets are heard in this turn, and whether the timer has fired.
  func beginTurn() {
    isOpen = (
      poller.isReadable(links), poller.isReadable(orders), poller.isReadable(beats), poller.isReadable(listeners)
    )
    if poller.isReadable(time) { timer.acknowledge() }
  }

  /// The next answer, or the next command, or else the newest tick; `nil` when all is heard.
  ///
  /// Commands before ticks, so that a tick finds those that it announces obeyed.
  func next() throws -> Envelope? {
    while true {
      if isOpen.link, let message = try message(of: link, &isOpen.link) {
        if let envelope = decoded(message, topic: false) { return envelope }
      } else if isOpen.commands, let message = try message(of: commands, &isOpen.commands) {
        if let envelope = decoded(message, topic: true) { return envelope }
      } else if isOpen.ticks, let message = try newest(of: ticks, &isOpen.ticks) {
        if let envelope = decoded(message, topic: true) { return envelope }
      } else {
        return nil
      }
    }
  }

  /// What motiond subscribed to, or ended, on the socket of events; `nil` when all is heard.
  func nextSubscription() throws -> (topic: String, begins: Bool)? {
    guard isOpen.events else { return nil }
    while let event = try events.receiveSubscription().message {
      switch event {
      case .subscribed(let bytes): if let topic = try? Topic.topic(ofSubscription: bytes) { return (topic, true) }
      case .unsubscribed(let bytes): if let topic = try? Topic.topic(ofSubscription: bytes) { return (topic, false) }
      }
      malformed += 1
    }
    return nil
  }

  private func message<Kind: ReceivingKind>(of socket: Socket<Kind>, _ isOpen: inout Bool) throws -> Message? {
    while true {
      do {
        switch try socket.receiveOne() {
        case .message(let message): return message
        case .wouldBlock, .terminated:
          isOpen = false
          return nil
        case .interrupted: continue
        }
      } catch is TooManyParts {
        malformed += 1
      }
    }
  }

  /// The last of the messages that are there.
  private func newest<Kind: ReceivingKind>(of socket: Socket<Kind>, _ isOpen: inout Bool) throws -> Message? {
    var newest: Message?
    while let message = try message(of: socket, &isOpen) { newest = message }
    return newest
  }

  private func decoded(_ message: Message, topic: Bool) -> Envelope? {
    message.withUnsafeBytes { bytes in
      let start = topic ? (try? Topic.split(bytes).message) : 0
      let envelope = start.flatMap { start in
        try? Envelope(
          decoding: UnsafeRawBufferPointer(rebasing: bytes[start...]), limit: Limits.workerMessageBytes)
      }
      if envelope == nil { malformed += 1 }
      return envelope
    }
  }
}
