public import MotionModel
public import MotionWire
import ZeroMQ

/// A connection to a daemon: commit, query, control time, subscribe to values.
///
/// Every call waits for its answer, at most for its timeout. A client belongs to the thread that made it, because its
/// sockets do; a program with several threads makes several clients.
///
/// An unanswered request is resent until the timeout, also to a daemon that was restarted meanwhile. A commit is
/// recognised by its id, so it is applied once. A request that was refused because the daemon is stopping is resent as
/// well.
///
///     let client = try MotionClient(connectingTo: RuntimePaths.candidates(environment: environment), name: "show")
///     var transaction = Transaction()
///     transaction.add(.springTo("position", [100, 50]), to: "ball")
///     let receipt = try client.commit(transaction)
public final class MotionClient {
  /// The default name of a client: the name of its program, without the path.
  public static var processName: String {
    let path = CommandLine.arguments.first ?? ""
    return path.split(separator: "/").last.map(String.init) ?? ""
  }

  /// The default timeout of a call: longer than a restart of the daemon takes.
  public static let defaultTimeout = Duration.seconds(5)

  /// The identity of this client at the daemon: random, never 0.
  public var incarnation: UInt64 { channel.conversation.incarnation }
  /// The epoch of the daemon that this client is connected to: the number of its start.
  public var epoch: UInt64 { channel.conversation.epoch }
  /// The daemon's clocks when it gave the last answer to a call, a refusal included; `nil` from a daemon that does not
  /// send them.
  public var moment: Moment? { channel.conversation.moment }
  /// Why a restart of the daemon before it can write its journal again would undo the last stop or clock command, and the
  /// remedy; empty if that is kept.
  public private(set) var unkept = ""
  /// The daemon's description of itself in its last answer to a greeting.
  public private(set) var service: Service
  /// The directory in which the daemon was found; `nil` for one on another machine.
  public let paths: RuntimePaths?
  /// The timeout of calls that are given none.
  public var timeout: Duration

  private let name: String
  private let context: ZeroMQContext
  private let channel: ControlChannel
  private let control: Door
  /// The address for values, if the one that the daemon reports cannot be used from here.
  private let values: Door?
  private var keeper: PresenceKeeper?
  private let interruption: Interruptor?

  /// Finds a daemon and greets it.
  ///
  /// - Parameters:
  ///   - places: the directories to search; the first one in which a daemon listens is taken. See
  ///     `RuntimePaths.candidates(flag:environment:)`.
  ///   - name: the name of this program, which the daemon keeps with its commits.
  ///   - timeout: how long to wait for the greeting's answer, and later for every other one.
  ///   - interruption: a descriptor that interrupts every call while it is readable: an event counter, or signals. The
  ///     call then throws `interrupted`, and whether the request is carried out is unknown. Keep it open as long as the
  ///     client.
  /// - Throws: `unreachable` at once if no daemon listens, `refused` if the versions do not fit.
  public convenience init(
    connectingTo places: [RuntimePaths], name: String = MotionClient.processName,
    timeout: Duration = MotionClient.defaultTimeout, interruptedBy interruption: Int32? = nil
  ) throws(MotionClientError) {
    let paths = try Reachability.firstReachable(of: places)
    let control = Door(endpoint: RuntimePaths.endpoint(of: paths.controlSocket))
    try self.init(control, values: nil, paths, name: name, timeout: timeout, interruption.map(Interruptor.init))
  }

  /// Connects to a daemon on another machine and greets it.
  ///
  /// - Throws: `timeout` if no daemon answers. libzmq reports neither why a key was refused, nor whether a daemon is
  ///   there.
  public convenience init(
    connectingTo daemon: RemoteDaemon, name: String = MotionClient.processName,
    timeout: Duration = MotionClient.defaultTimeout, interruptedBy interruption: Int32? = nil
  ) throws(MotionClientError) {
    do {
      try self.init(
        daemon.control, values: daemon.values, nil, name: name, timeout: timeout, interruption.map(Interruptor.init))
    } catch  where error.code == .timeout {
      let key = daemon.control.credentials?.publicKey.z85 ?? ""
      throw MotionClientError(
        .timeout, "no motiond at \(daemon.address) answered the greeting in time",
        remedy: """
          Check that it runs with --listen, that the server key is its own, and that its log does not report that the \
          key \(key) was refused (its file of authorized keys needs the line: client \(key) NAME)
          """)
    }
  }

  private init(
    _ control: Door, values: Door?, _ paths: RuntimePaths?, name: String, timeout: Duration,
    _ interruption: Interruptor?
  ) throws(MotionClientError) {
    let context = try socketErrors { () throws(ZeroMQError) in try ZeroMQContext() }
    let incarnation = UInt64.random(in: 1 ... .max)
    let channel = try ControlChannel(
      control, context: context, incarnation: incarnation, name: name, interruptedBy: interruption)
    self.paths = paths
    self.name = name
    self.timeout = timeout
    self.context = context
    self.channel = channel
    self.control = control
    self.values = values
    self.interruption = interruption
    service = try channel.greet(timeout: timeout)
  }

  /// Finds a daemon in one directory and greets it.
  public convenience init(
    connectingTo directory: String, name: String = MotionClient.processName,
    timeout: Duration = MotionClient.defaultTimeout
  ) throws(MotionClientError) {
    try self.init(connectingTo: [RuntimePaths(directory: directory)], name: name, timeout: timeout)
  }

  // MARK: Changes

  /// Commits a transaction: all of it, or nothing.
  ///
  /// - Parameters:
  ///   - transaction: the operations.
  ///   - id: identifies the commit. Committing the same id again returns the first receipt and does nothing.
  ///   - at: the simulated time at which to apply it, in seconds; `nil` applies it with the next frame.
  ///   - whileConnected: whether its intentions are removed 3 s after this client is gone. From the first such commit
  ///     on, a thread of this client sends the daemon a sign of life each second, independent of the calling thread.
  ///   - comment: the reason, for people: at most 256 bytes of UTF-8, kept with the results of the commit.
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

  /// Cancels a transaction that waits for its time: it will not be applied, not even after a restart.
  ///
  /// - Parameter sequence: the sequence in its receipt.
  /// - Throws: `refused` with the code "not-found" if no transaction with this sequence waits.
  @discardableResult
  public func cancel(_ sequence: UInt64, timeout: Duration? = nil) throws(MotionClientError) -> ClockState {
    try clockState(.cancel(sequence), "cancel", timeout: timeout)
  }

  /// Holds all properties of these targets, or of all if there are none, and removes their intentions. Takes effect at
  /// once.
  ///
  /// - Parameters:
  ///   - outputs: whether plans that are outputs are removed, too. They move nothing, and are otherwise kept.
  ///   - ramp: whether the properties brake, within their limits or in half a second, instead of standing at once.
  @discardableResult
  public func stop(
    _ targets: [TargetName] = [], outputs: Bool = false, ramp: Bool = false, timeout: Duration? = nil
  ) throws(MotionClientError) -> ClockState {
    try clockState(.stop(StopRequest(targets, outputs: outputs, ramp: ramp)), "stop", timeout: timeout)
  }

  /// Stops all motion on the targets for which a selector stands at that moment.
  ///
  /// - Throws: the refusal of a selector that stands for no target.
  @discardableResult
  public func stop(
    each targets: TargetSelector, outputs: Bool = false, ramp: Bool = false, timeout: Duration? = nil
  ) throws(MotionClientError) -> ClockState {
    try clockState(.stop(StopRequest(each: targets, outputs: outputs, ramp: ramp)), "stop", timeout: timeout)
  }

  /// Changes how simulated time runs.
  ///
  /// An unanswered step is not resent, because that would run two steps.
  /// - Returns: the new state of the clock.
  @discardableResult
  public func clock(_ command: ClockCommand, timeout: Duration? = nil) throws(MotionClientError) -> ClockState {
    if case .step = command { return try clockState(.clock(command), "step", isRepeatable: false, timeout: timeout) }
    return try clockState(.clock(command), "clock command", timeout: timeout)
  }

  /// Drains a plugin's workers and starts them again; lifts its quarantine.
  ///
  /// An unanswered request is not resent, because the workers would be drained twice.
  @discardableResult
  public func restart(_ plugin: PluginName, timeout: Duration? = nil) throws(MotionClientError) -> ClockState {
    try clockState(.restart(plugin), "restart", isRepeatable: false, timeout: timeout)
  }

  /// Begins a recording of the run, with the present state, into a file on the daemon's machine. A recording that is
  /// there is kept under another name.
  ///
  /// - Parameter path: the absolute path.
  /// - Throws: `refused` when the daemon records already, or the file cannot be made.
  @discardableResult
  public func startRecording(to path: String, timeout: Duration? = nil) throws(MotionClientError) -> ClockState {
    try clockState(.record(path), "record", isRepeatable: false, timeout: timeout)
  }

  /// Ends the recording. Its file is complete when this returns.
  ///
  /// - Throws: `refused` with the code "not-found" when the daemon records nothing.
  @discardableResult
  public func stopRecording(timeout: Duration? = nil) throws(MotionClientError) -> ClockState {
    try clockState(.record(nil), "record", isRepeatable: false, timeout: timeout)
  }

  /// Sends the events of a device's pointers on a target.
  ///
  /// They reach the executors that hold a manipulation on the target, with the next frame. Without any such executor
  /// they are dropped. An unanswered message is not resent, because the hand has moved on by then.
  ///
  /// From the first pointer that goes down on, a thread of this client sends the daemon a sign of life each second. The
  /// pointers of a client that is gone are cancelled after 3 s.
  ///
  /// - Parameter input: at most ``MotionModel/Limits/pointerEventsPerInput`` events, with times in seconds of the boot
  ///   clock, or 0 for now.
  @discardableResult
  public func send(_ input: PointerInput, timeout: Duration? = nil) throws(MotionClientError) -> ClockState {
    if input.events.contains(where: { $0.phase == .down }) { try keepPresent() }
    return try clockState(.input(input), "input", isRepeatable: false, timeout: timeout)
  }

  /// Sends values of an input device, such as a fader's, for the plans that follow them.
  ///
  /// Of each name the newest value counts, whichever client sends it. An unanswered message is resent, as others are:
  /// this client has sent nothing newer meanwhile.
  ///
  /// From the first value that is not held on, a thread of this client sends the daemon a sign of life each second. The
  /// values of a client that is gone are withdrawn after 3 s.
  ///
  /// - Parameter input: at most ``MotionModel/Limits/inputValues`` values, with times in seconds of the boot clock, or 0
  ///   for now.
  @discardableResult
  public func send(_ input: InputValues, timeout: Duration? = nil) throws(MotionClientError) -> ClockState {
    try keepPresent(for: input)
    return try clockState(.inputValues(input), "input", timeout: timeout)
  }

  /// Sends values like ``send(_:timeout:)-(InputValues,_)``, and waits for an answer seldom: once a second, and to each 33rd
  /// message. For streams of which each message replaces the one before.
  ///
  /// End a stream with a last value by `send`: a client that ends drops messages that are under way.
  ///
  /// - Throws: as `send`. What the daemon refused is thrown up to a second later, if it is still refused then. When the
  ///   daemon restarts, up to two seconds of values are lost.
  public func stream(_ input: InputValues, timeout: Duration? = nil) throws(MotionClientError) {
    try keepPresent(for: input)
    guard try !channel.tell(.inputValues(input)) else { return }
    try send(input, timeout: timeout)
  }

  // MARK: History

  /// The segments of the history: recordings of the last minutes, the oldest first. Each begins with a snapshot.
  ///
  /// - Throws: `refused` when the daemon keeps no history.
  public func history(timeout: Duration? = nil) throws(MotionClientError) -> HistoryListing {
    guard case .segments(let listing) = try history(.segments, timeout: timeout) else { return HistoryListing([]) }
    return listing
  }

  /// Bytes of a segment's file from a place on, at most a mebibyte; none at its end.
  ///
  /// - Throws: `refused` with the code "not-found" when the segment was dropped meanwhile.
  public func history(
    segment: UInt64, from offset: UInt64, timeout: Duration? = nil
  ) throws(MotionClientError) -> [UInt8] {
    guard case .part(let bytes) = try history(.part(segment: segment, offset: offset), timeout: timeout) else {
      return []
    }
    return bytes
  }

  /// Erases the history up to now.
  @discardableResult
  public func eraseHistory(timeout: Duration? = nil) throws(MotionClientError) -> ClockState {
    try clockState(.historyRequest(.erase), "request to erase the history", timeout: timeout)
  }

  private func history(_ request: HistoryRequest, timeout: Duration?) throws(MotionClientError) -> HistoryReply {
    let answer = try ask(.historyRequest(request), timeout: timeout)
    guard case .history(let reply) = answer else { throw unexpected(answer, to: "look back") }
    return reply
  }

  // MARK: Queries

  /// Sends a query, and returns its answer.
  public func query(_ query: Query, timeout: Duration? = nil) throws(MotionClientError) -> Answer {
    let answer = try ask(.query(query), timeout: timeout)
    guard case .answer(let rows) = answer else { throw unexpected(answer, to: "query") }
    return rows
  }

  /// Queries a whole list, and leaves its rows as they came: as bytes, from which each is decoded when it is read.
  package func rows<Row: EncodedRow>(_ type: Row.Type) throws(MotionClientError) -> EncodedRows<Row> {
    let rows = try channel.rows(type, timeout: timeout)
    if let service = channel.conversation.service { self.service = service }
    guard let rows else { throw .unexpected("something else", to: "query of a list") }
    return rows
  }

  /// Subscribes to values, outcomes or changes of drivers.
  ///
  /// - Returns: a subscription with a socket of its own, for the calling thread.
  public func subscribe(to interests: [Interest]) throws(MotionClientError) -> ValueSubscription {
    try ValueSubscription(
      values ?? Door(endpoint: service.valuesEndpoint), interests: interests, context: context,
      interruptedBy: interruption)
  }

  /// Whether a daemon listens at its address: false once it has exited, true again after a restart.
  ///
  /// A daemon that is suspended or hangs still listens. The check connects to the socket file and sends nothing, so the
  /// daemon is not woken. It costs microseconds; check once a second at the most. A daemon on another machine always
  /// counts as reachable: only a request can detect that it is not.
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
    guard case .done(let state, let unkept) = answer else { throw unexpected(answer, to: request) }
    self.unkept = unkept
    return state
  }

  private func keepPresent(for input: InputValues) throws(MotionClientError) {
    if input.values.contains(where: { $0.value != nil && !$0.isHeld }) { try keepPresent() }
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
