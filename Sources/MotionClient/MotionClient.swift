public import MotionModel
public import MotionWire
import ZeroMQ

/// A connection to a daemon: commit, ask, steer time, subscribe to values.
///
/// Every call waits for its answer, at most for its timeout. A client belongs to the thread that made it, because its
/// sockets do; a program that talks from several threads makes several clients. What was not answered is sent again
/// until the time is up, also to a daemon that was restarted meanwhile: a commit is recognised by its id, so it is
/// applied once. So is what is refused because the daemon is stopping.
///
///     let client = try MotionClient(connectingTo: RuntimePaths.candidates(environment: environment), name: "show")
///     var transaction = Transaction()
///     transaction.add(.springTo("position", [100, 50]), to: "ball")
///     let receipt = try client.commit(transaction)
public final class MotionClient {
  /// What a client calls itself unless it says otherwise: the name of its program, without the path.
  public static var processName: String {
    let path = CommandLine.arguments.first ?? ""
    return path.split(separator: "/").last.map(String.init) ?? ""
  }

  /// How long a call waits unless it says otherwise: longer than a restart of the daemon takes.
  public static let defaultTimeout = Duration.seconds(5)

  /// Who this client is to the daemon: random, never 0.
  public var incarnation: UInt64 { channel.conversation.incarnation }
  /// Which start of the daemon this client talks to.
  public var epoch: UInt64 { channel.conversation.epoch }
  /// The daemon's clocks when it gave the last answer to a call, a refusal included; `nil` from a daemon that does not send them.
  public var moment: Moment? { channel.conversation.moment }
  /// What the daemon said of itself when it was greeted last.
  public private(set) var service: Service
  /// The directory in which the daemon was found; `nil` for one on another machine.
  public let paths: RuntimePaths?
  /// How long a call waits unless it says otherwise.
  public var timeout: Duration

  private let name: String
  private let context: ZeroMQContext
  private let channel: ControlChannel
  private let control: Door
  /// Where values come from, if the daemon's own name for that is of no use here.
  private let values: Door?
  private var keeper: PresenceKeeper?

  /// Finds a daemon and greets it.
  ///
  /// - Parameters:
  ///   - places: where to look; the first one in which somebody listens is taken. See
  ///     `RuntimePaths.candidates(flag:environment:)`.
  ///   - name: what this program calls itself: kept by the daemon with what it commits.
  ///   - timeout: how long to wait for the greeting's answer, and later for every other one.
  /// - Throws: `unreachable` at once if nobody listens, `refused` if the versions do not fit.
  public convenience init(
    connectingTo places: [RuntimePaths], name: String = MotionClient.processName,
    timeout: Duration = MotionClient.defaultTimeout
  ) throws(MotionClientError) {
    let paths = try Reachability.firstReachable(of: places)
    let control = Door(endpoint: RuntimePaths.endpoint(of: paths.controlSocket))
    try self.init(control, values: nil, paths, name: name, timeout: timeout)
  }

  /// Connects to a daemon on another machine and greets it.
  ///
  /// - Throws: `timeout` if nobody answers: libzmq tells nobody why a key was refused, or whether anybody is there.
  public convenience init(
    connectingTo daemon: RemoteDaemon, name: String = MotionClient.processName,
    timeout: Duration = MotionClient.defaultTimeout
  ) throws(MotionClientError) {
    do {
      try self.init(daemon.control, values: daemon.values, nil, name: name, timeout: timeout)
    } catch  where error.code == .timeout {
      let key = daemon.control.credentials?.publicKey.z85 ?? ""
      throw MotionClientError(
        .timeout, "no motiond at \(daemon.address) answered the greeting in time",
        remedy: """
          Look whether it runs with --listen, whether its log says that our key \(key) was refused (its file of \
          authorized keys needs the line: client \(key) NAME), and whether the server key is its own
          """)
    }
  }

  private init(
    _ control: Door, values: Door?, _ paths: RuntimePaths?, name: String, timeout: Duration
  ) throws(MotionClientError) {
    let context = try socketErrors { () throws(ZeroMQError) in try ZeroMQContext() }
    let incarnation = UInt64.random(in: 1 ... .max)
    let channel = try ControlChannel(control, context: context, incarnation: incarnation, name: name)
    self.paths = paths
    self.name = name
    self.timeout = timeout
    self.context = context
    self.channel = channel
    self.control = control
    self.values = values
    service = try channel.greet(timeout: timeout)
  }

  /// Finds a daemon in one directory and greets it.
  public convenience init(
    connectingTo directory: String, name: String = MotionClient.processName,
    timeout: Duration = MotionClient.defaultTimeout
  ) throws(MotionClientError) {
    try self.init(connectingTo: [RuntimePaths(directory: directory)], name: name, timeout: timeout)
  }

  // MARK: Changing

  /// Commits a transaction: all of it, or nothing.
  ///
  /// - Parameters:
  ///   - transaction: what is asked.
  ///   - id: recognises the commit: saying the same id again returns the first receipt and does nothing.
  ///   - at: the simulated time at which to apply it, in seconds; `nil` applies it with the next frame.
  ///   - whileConnected: whether its intentions are removed 3 s after this client is gone. From the first such commit
  ///     on, a thread of this client tells the daemon each second that it is there, whatever this thread does.
  ///   - comment: why, for people: at most 256 bytes of UTF-8, kept with what comes of it.
  ///   - timeout: how long to try; ``timeout`` if `nil`.
  /// - Returns: the receipt, which does not wait for a frame.
  @discardableResult
  public func commit(
    _ transaction: Transaction, id: TransactionID = .random(), at: Double? = nil, whileConnected: Bool = false,
    comment: String = "", timeout: Duration? = nil
  ) throws(MotionClientError) -> Receipt {
    var commit = Commit(transaction, id: id, at: at, whileConnected: whileConnected, comment: comment)
    commit.client = name
    // Before the commit, so that the daemon never waits for the first sign of life.
    if whileConnected { try keepPresent() }
    let answer = try ask(.commit(commit), timeout: timeout)
    guard case .receipt(let receipt) = answer else { throw unexpected(answer, to: "commit") }
    return receipt
  }

  /// Cancels a transaction that waits for its time: it will not be applied, also after a restart.
  ///
  /// - Parameter sequence: the one of its receipt.
  /// - Throws: `refused` with the code "not-found" if no transaction of this sequence waits.
  @discardableResult
  public func cancel(_ sequence: UInt64, timeout: Duration? = nil) throws(MotionClientError) -> ClockState {
    try clockState(.cancel(sequence), "cancel", timeout: timeout)
  }

  /// Holds everything on these targets, or on all if there are none, and removes their intentions. Acts at once.
  ///
  /// - Parameter outputs: whether plans that are outputs end, too; they move nothing, and stay without it.
  @discardableResult
  public func stop(
    _ targets: [TargetName] = [], outputs: Bool = false, timeout: Duration? = nil
  ) throws(MotionClientError) -> ClockState {
    try clockState(.stop(StopRequest(targets, outputs: outputs)), "stop", timeout: timeout)
  }

  /// Changes how time runs.
  ///
  /// A step is not sent again when it is not answered, because two steps are not one.
  /// - Returns: how time runs now.
  @discardableResult
  public func clock(_ command: ClockCommand, timeout: Duration? = nil) throws(MotionClientError) -> ClockState {
    if case .step = command { return try clockState(.clock(command), "step", isRepeatable: false, timeout: timeout) }
    return try clockState(.clock(command), "clock command", timeout: timeout)
  }

  /// Drains a plugin's workers and starts them again; lifts its quarantine.
  ///
  /// Not sent again when it is not answered: the workers would be drained twice.
  @discardableResult
  public func restart(_ plugin: PluginName, timeout: Duration? = nil) throws(MotionClientError) -> ClockState {
    try clockState(.restart(plugin), "restart", isRepeatable: false, timeout: timeout)
  }

  /// Says what the pointers of a device did to a target.
  ///
  /// It reaches the executors that hold a manipulation on the target, with the next frame; without any it is dropped.
  /// Not sent again when it is not answered: a hand has moved on by then. From the first pointer that goes down on, a
  /// thread of this client tells the daemon each second that it is there: the pointers of a client that is gone are
  /// cancelled after 3 s.
  ///
  /// - Parameter input: at most ``MotionModel/Limits/pointerEventsPerInput`` events, with times in seconds of the boot
  ///   clock, or 0 for now.
  @discardableResult
  public func send(_ input: PointerInput, timeout: Duration? = nil) throws(MotionClientError) -> ClockState {
    if input.events.contains(where: { $0.phase == .down }) { try keepPresent() }
    return try clockState(.input(input), "input", isRepeatable: false, timeout: timeout)
  }

  // MARK: Asking

  /// Asks something.
  public func query(_ query: Query, timeout: Duration? = nil) throws(MotionClientError) -> Answer {
    let answer = try ask(.query(query), timeout: timeout)
    guard case .answer(let rows) = answer else { throw unexpected(answer, to: "query") }
    return rows
  }

  /// Subscribes to values or outcomes.
  ///
  /// - Returns: a subscription with a socket of its own, for the thread that asks for it.
  public func subscribe(to interests: [Interest]) throws(MotionClientError) -> ValueSubscription {
    try ValueSubscription(
      values ?? Door(endpoint: service.valuesEndpoint), interests: interests, context: context)
  }

  /// Whether somebody listens where the daemon was found: false once it has ended, true again when it is back.
  ///
  /// A daemon that is stopped or hangs still listens. It looks at the socket file and says nothing to the daemon, which
  /// goes on sleeping; it costs microseconds, so ask once a second at the most. A daemon on another machine always counts
  /// as reachable: only asking it something tells.
  public var isReachable: Bool { paths.map { Reachability.refusal(of: $0.controlSocket) == nil } ?? true }

  // MARK: Steps

  private func ask(
    _ body: Envelope.Body, isRepeatable: Bool = true, timeout: Duration?
  ) throws(MotionClientError) -> Envelope.Body {
    let answer = try channel.ask(body, isRepeatable: isRepeatable, timeout: timeout ?? self.timeout)
    if let service = channel.conversation.service { self.service = service }
    return answer
  }

  private func clockState(
    _ body: Envelope.Body, _ request: String, isRepeatable: Bool = true, timeout: Duration?
  ) throws(MotionClientError) -> ClockState {
    let answer = try ask(body, isRepeatable: isRepeatable, timeout: timeout)
    guard case .done(let state) = answer else { throw unexpected(answer, to: request) }
    return state
  }

  private func keepPresent() throws(MotionClientError) {
    guard keeper == nil else { return }
    keeper = try PresenceKeeper(
      control, context: context, incarnation: incarnation, name: name)
  }

  private func unexpected(_ answer: Envelope.Body, to request: String) -> MotionClientError {
    .unexpected(answer.noun, to: request)
  }
}
