import LinuxSystem
import MotionModel
import MotionWire
import ZeroMQ

/// The four sockets of a worker, its timer and its poller; all belong to one thread.
final class WorkerSockets {
  /// The limit of queued requests while motiond does not receive them. Each request is resent, so a longer queue is of
  /// no use.
  static let requestsWaiting = 64
  /// The limit of queued commands: a transaction's 100,000 operations may arrive as one command each. Lost commands are
  /// repaired.
  static let commandsWaiting = Limits.operationsPerTransaction
  /// The limit of queued ticks while the worker is busy: one second at 1 kHz, of which the worker takes the last. After
  /// a longer busy period it takes an old tick first, and a newer one when that arrives.
  static let ticksWaiting = 1000
  /// The limit of queued updates while motiond does not receive them: one second at 1 kHz. Older values are out of
  /// date.
  static let updatesWaiting = 1000
  /// How long a closed socket continues to send (linger): the last events of a worker that was shut down, over a local
  /// socket.
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
  /// The sockets that may have messages in this turn. Reading an empty one costs a system call.
  private var isOpen = (link: false, commands: false, ticks: false, events: false)
  /// The number of messages that could not be decoded.
  private(set) var malformed = 0

  /// - Parameter security: the socket options that authenticate it over a network.
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
    // Only the newest tick counts, and this side finds it. libzmq's own ZMQ_CONFLATE withholds a message that arrives
    // in the moment in which the previous one is taken, until another one arrives.
    ticks = try SubscribeSocket(
      context, .maxMessageSize(bytes: 4096), .receiveHighWaterMark(Self.ticksWaiting))
    // Immediate, so that a broken connection ends motiond's subscription and reports the end. Otherwise libzmq keeps
    // connection and subscription for the next motiond that it connects to, and the worker cannot detect that it is
    // another one.
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

  // MARK: Sending

  /// Sends a request. One that does not fit into the queue is dropped, because it is resent.
  func send(_ envelope: Envelope) throws(ZeroMQError) { _ = try link.send(envelope.encoded()) }

  /// Publishes values, events or a heartbeat. One that does not fit into the queue is dropped; all but values are
  /// resent.
  func publish(_ envelope: Envelope) throws(ZeroMQError) { _ = try events.send(Topic.frame(eventTopic, envelope)) }

  /// Subscribes to the worker's topics.
  func subscribe(_ welcome: Welcome) throws(ZeroMQError) {
    try commands.subscribe(Topic.subscription(welcome.commandTopic))
    if welcome.wantsUpdates { try ticks.subscribe(Topic.subscription(welcome.tickTopic)) }
  }

  // MARK: Receiving

  /// Records the result of the poll: which sockets are read in this turn, and whether the timer has fired.
  func beginTurn() {
    isOpen = (
      poller.isReadable(links), poller.isReadable(orders), poller.isReadable(beats), poller.isReadable(listeners)
    )
    if poller.isReadable(time) { timer.acknowledge() }
  }

  /// The next answer, or the next command, or else the newest tick; `nil` when nothing is left.
  ///
  /// Commands come before ticks, so that the commands that a tick announces were applied before it.
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

  /// The next topic on the event socket that motiond subscribed to or unsubscribed from; `nil` when nothing is left.
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

  /// The last of the messages that have arrived.
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
