public import MotionModel

/// One message with what every message says of its sender.
public struct Envelope: Hashable, Sendable {
  /// Which start of the coordinator; a client that has not been welcomed says 0.
  public var epoch: UInt64
  /// Which start of the sender: given to a worker at each start, chosen at random by a client, 0 from the coordinator.
  public var incarnation: UInt64
  /// The number of the message from this sender on this socket or topic, without gaps, from 1.
  public var sequence: UInt64
  /// For a reply, the sequence of the request; 0 otherwise.
  public var replyTo: UInt64
  /// When it was sent, on the boot clock, in nanoseconds.
  public var sent: UInt64
  /// The coordinator's clocks when it answered a client; `nil` in every other message.
  public var moment: Moment?
  /// What it says.
  public var body: Body

  /// A message of this sender.
  public init(
    epoch: UInt64 = 0, incarnation: UInt64 = 0, sequence: UInt64 = 0, replyTo: UInt64 = 0, sent: UInt64 = 0,
    moment: Moment? = nil, _ body: Body
  ) {
    self.epoch = epoch
    self.incarnation = incarnation
    self.sequence = sequence
    self.replyTo = replyTo
    self.sent = sent
    self.moment = moment
    self.body = body
  }

  /// What messages can say.
  public enum Body: Hashable, Sendable {
    // control, client to coordinator
    /// A client introduces itself.
    case greeting(Greeting)
    /// Commit a transaction.
    case commit(Commit)
    /// Ask something.
    case query(Query)
    /// Change how time runs.
    case clock(ClockCommand)
    /// Hold everything on these targets, or on all if there are none.
    case stop(StopRequest)
    /// The client is still there.
    case alive
    /// Drain a plugin's workers and start them again; lifts its quarantine.
    case restart(PluginName)
    /// What pointers did; times in seconds of the boot clock, 0 for now.
    case input(PointerInput)
    /// Do not apply the transaction of this sequence, which waits for its time.
    case cancel(UInt64)
    // control, coordinator to client
    /// Who serves, and where values are published.
    case service(Service)
    /// The commit is accepted.
    case receipt(Receipt)
    /// The request is refused.
    case refusal(Refusal)
    /// What was asked.
    case answer(Answer)
    /// A clock command, stop, alive, restart, input or cancel was obeyed; how time runs now.
    case done(ClockState)
    // values
    /// Values of one frame.
    case values(Values)
    /// What handles stand for.
    case names([NamedProperty])
    /// Plans that ended.
    case ended([EndedIntention])
    /// Who took which property over.
    case drivers([DriverChange])
    // link
    /// A worker that the coordinator did not start asks for an assignment.
    case claim(Claim)
    /// It has one.
    case assignment(Assignment)
    /// A worker introduces itself.
    case hello(Hello)
    /// A worker is accepted.
    case welcome(Welcome)
    /// A worker is new or missed commands, and asks for a snapshot, having applied commands up to this one.
    case resync(commandsApplied: UInt64)
    /// All that a worker has to know, up to and including command `command`, as it is after the worker's event
    /// `lastEventApplied`: plans that later events have ended may still be in it.
    case snapshot(command: UInt64, lastEventApplied: UInt64 = 0, WorkerSnapshot)
    /// Somebody wants to see the streams of these executors of a worker, or, without any, of all.
    case inspect([ExecutorHandle])
    /// The streams of a worker's executors.
    case streamReport(StreamReport)
    // commands, coordinator to one worker
    /// The command number `number`.
    case command(number: UInt64, WorkerCommand)
    /// The coordinator is still there.
    case coordinatorHeartbeat(CoordinatorHeartbeat)
    // ticks
    /// A frame is next.
    case tick(Tick)
    // events, worker to coordinator
    /// Values and events.
    case update(WorkerUpdate)
    /// The worker is still there.
    case workerHeartbeat(WorkerHeartbeat)
    /// A line for the log.
    case log(LogLine)
  }
}
