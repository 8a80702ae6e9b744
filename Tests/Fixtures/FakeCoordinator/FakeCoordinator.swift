import Glibc
import LinuxSystem
public import MotionModel
public import MotionWire
import Synchronization
import ZeroMQ

/// The coordinator's side of the client sockets, as far as tests of clients need it: the test determines its answers
/// and publications. One thread owns its sockets; ``stop()`` ends it.
public final class FakeCoordinator: Sendable {
  /// Returns the answer to a request; `nil` leaves it unanswered.
  public typealias Handler = @Sendable (Envelope) -> Envelope.Body?

  /// The runtime directory, made for this coordinator or given to it.
  public let paths: RuntimePaths
  /// The epoch of the coordinator that it plays.
  public let epoch: UInt64
  private let handler: Handler
  private let moment: Moment?
  private let wake: EventCounter
  private let shared = Mutex(Shared())

  private struct Shared {
    var isStopping = false
    var thread: pthread_t?
    var requests: [Envelope] = []
    var subscriptions: [String] = []
    var topics: [String: TopicState] = [:]
    var publications: [Publication] = []
  }

  private struct TopicState {
    var names: [NamedProperty] = []
    var last = Values(frame: 0, time: 0, dt: 0)
    var sequence: UInt64 = 0
  }

  private struct Publication {
    let topic: String
    let envelope: Envelope
  }

  /// Starts one.
  ///
  /// - Parameters:
  ///   - directory: the runtime directory; `nil` makes a new one, which ``stop()`` removes.
  ///   - moment: its clocks in each answer; `nil` plays one of a version that does not send them.
  ///   - handler: returns the answers to requests; greetings are answered anyway when it returns `nil` for them.
  public init(
    directory: String? = nil, epoch: UInt64 = 1, moment: Moment? = nil,
    handler: @escaping Handler = FakeCoordinator.obliging
  ) throws {
    let directory = try directory ?? Self.makeDirectory()
    paths = RuntimePaths(directory: directory)
    self.epoch = epoch
    self.handler = handler
    self.moment = moment
    wake = try EventCounter()
    mkdir(paths.clientDirectory, 0o700)
    let context = try ZeroMQContext()
    let control = try RouterSocket(context)
    try control.bind(.ipc(paths.controlSocket))
    let values = try PublishSocket(context, .reportsAllSubscriptions(true))
    try values.bind(.ipc(paths.valuesSocket))
    start(control, values)
  }

  /// Answers everything in the affirmative.
  public static let obliging: Handler = { envelope in
    switch envelope.body {
    case .commit(let commit): .receipt(Receipt(sequence: 1, frame: 1, at: commit.at))
    case .query(.status): .answer(.status(Status()))
    case .query(.types): .answer(.types(BuiltInIntentions.all))
    case .query(.targets): .answer(.targets([]))
    case .query(.tokens): .answer(.tokens([]))
    case .query(.snapshot):
      .refusal(Refusal(.stopping, "motiond is stopping", remedy: "Ask again when it is back"))
    case .clock, .stop, .alive, .restart: .done(ClockState())
    default: nil
    }
  }

  /// The requests received so far, in order.
  public var requests: [Envelope] { shared.withLock { $0.requests } }
  /// The topics subscribed to so far, in order, repeats included.
  public var subscriptions: [String] { shared.withLock { $0.subscriptions } }

  /// Declares the properties of a topic with their values; each subscription receives these.
  public func declare(_ topic: String, _ names: [NamedProperty], _ values: Values) {
    shared.withLock { $0.topics[topic] = TopicState(names: names, last: values) }
  }

  /// Publishes the values of a frame; `isLost` counts them without sending them.
  public func publish(_ topic: String, _ values: Values, isLost: Bool = false) {
    shared.withLock { shared in
      var state = shared.topics[topic] ?? TopicState()
      state.sequence += 1
      state.last = values
      shared.topics[topic] = state
      if !isLost {
        shared.publications.append(Publication(topic: topic, envelope: envelope(.values(values), state.sequence)))
      }
    }
    wake.signal()
  }

  /// Publishes outcomes.
  public func publish(_ topic: String, _ ended: [EndedIntention]) {
    shared.withLock { shared in
      var state = shared.topics[topic] ?? TopicState()
      state.sequence += 1
      shared.topics[topic] = state
      shared.publications.append(Publication(topic: topic, envelope: envelope(.ended(ended), state.sequence)))
    }
    wake.signal()
  }

  /// Ends the thread and closes the sockets; leaves nothing in the file system.
  public func stop(keepsDirectory: Bool = false) {
    let thread = shared.withLock { shared -> pthread_t? in
      defer { shared.thread = nil }
      shared.isStopping = true
      return shared.thread
    }
    guard let thread else { return }
    wake.signal()
    pthread_join(thread, nil)
    for path in [paths.controlSocket, paths.valuesSocket] { unlink(path) }
    if !keepsDirectory {
      rmdir(paths.clientDirectory)
      rmdir(paths.directory)
    }
  }

  // MARK: The thread

  private func start(_ control: RouterSocket, _ values: PublishSocket) {
    // The sockets are passed to the thread before it starts: creating a thread is a full fence.
    nonisolated(unsafe) let control = control
    nonisolated(unsafe) let values = values
    let body = ThreadBody { [self] in
      do { try run(control, values) } catch { preconditionFailure("the fake coordinator failed: \(error)") }
    }
    var thread = pthread_t()
    let result = pthread_create(&thread, nil, runThreadBody, Unmanaged.passRetained(body).toOpaque())
    precondition(result == 0, "no thread for the fake coordinator: \(result)")
    shared.withLock { $0.thread = thread }
  }

  private func run(_ control: RouterSocket, _ values: PublishSocket) throws {
    let poller = Poller()
    _ = poller.add(control)
    _ = poller.add(values)
    _ = poller.add(descriptor: wake.descriptor)
    while !shared.withLock({ $0.isStopping }) {
      _ = try poller.poll(timeout: nil)
      wake.drain()
      while case .message((let sender, let message)) = try control.receiveRouted() {
        try answer(Envelope(decoding: message.bytes), to: sender, control)
      }
      while case .message(let event) = try values.receiveSubscription() {
        if case .subscribed(let bytes) = event { try welcome(Topic.topic(ofSubscription: bytes), values) }
      }
      let publications = shared.withLock { shared in
        defer { shared.publications = [] }
        return shared.publications
      }
      for item in publications { _ = try values.send(Topic.frame(item.topic, item.envelope)) }
    }
  }

  private func answer(_ request: Envelope, to sender: RoutingID, _ control: RouterSocket) throws {
    shared.withLock { $0.requests.append(request) }
    var body = handler(request)
    if body == nil, case .greeting = request.body { body = .service(service) }
    guard let body else { return }
    let envelope = Envelope(epoch: epoch, replyTo: request.sequence, moment: moment, body)
    _ = try control.send(envelope.encoded(), to: sender)
  }

  private func welcome(_ topic: String, _ values: PublishSocket) throws {
    let state = shared.withLock { shared in
      shared.subscriptions.append(topic)
      return shared.topics[topic] ?? TopicState()
    }
    guard !topic.hasPrefix("o/") else { return }
    var complete = state.last
    complete.isComplete = true
    for body in [Envelope.Body.names(state.names), .values(complete)] {
      _ = try values.send(Topic.frame(topic, envelope(body, state.sequence)))
    }
  }

  /// The identity of this service, as the answer to a greeting.
  public var service: Service {
    Service(
      protocolVersion: 1, valuesEndpoint: RuntimePaths.endpoint(of: paths.valuesSocket), ratePerSecond: 120,
      clock: ClockState())
  }

  private func envelope(_ body: Envelope.Body, _ sequence: UInt64) -> Envelope {
    Envelope(epoch: epoch, sequence: sequence, body)
  }

  /// A new directory with a short path, as sockets need it.
  private static func makeDirectory() throws -> String {
    var template = Array("/tmp/motion-fake-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw ZeroMQError(code: errno, operation: "mkdtemp") }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// The work of a thread.
private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func runThreadBody(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let box { Unmanaged<ThreadBody>.fromOpaque(box).takeRetainedValue().run() }
  return nil
}
