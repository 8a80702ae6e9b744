public import MotionModel

/// One message, with the fields that identify its sender and the message.
public struct Envelope: Hashable, Sendable {
  /// The start of the coordinator that the message belongs to. A client that has not been welcomed sends 0.
  public var epoch: UInt64
  /// The start of the sender: assigned to a worker at each start, chosen at random by a client, 0 from the coordinator.
  public var incarnation: UInt64
  /// The number of the message from this sender on this socket or topic, without gaps, from 1.
  public var sequence: UInt64
  /// For a reply, the sequence of the request; 0 otherwise.
  public var replyTo: UInt64
  /// The time of sending on the boot clock, in nanoseconds.
  public var sent: UInt64
  /// The coordinator's clocks at the time of its answer to a client; `nil` in every other message.
  public var moment: Moment?
  /// The content.
  public var body: Body

  /// Creates a message of this sender.
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

  /// The content of a message.
  public enum Body: Hashable, Sendable {
    // control: a client to the coordinator
    /// A client introduces itself.
    case greeting(Greeting)
    /// Commit a transaction.
    case commit(Commit)
    /// Query the state of the coordinator.
    case query(Query)
    /// Change the state of the clock.
    case clock(ClockCommand)
    /// Hold everything on these targets, or on all if there are none.
    case stop(StopRequest)
    /// A heartbeat of the client.
    case alive
    /// Drain a plugin's workers and start them again; lifts its quarantine.
    case restart(PluginName)
    /// Pointer events; times in seconds of the boot clock, 0 for now.
    case input(PointerInput)
    /// Values of faders, sensors or trackers; times in seconds of the boot clock, 0 for now.
    case inputValues(InputValues)
    /// Cancel the transaction of this sequence, which waits for its time.
    case cancel(UInt64)
    /// Begin a recording at an absolute path or, without one, end it.
    case record(String?)
    /// Look back.
    case historyRequest(HistoryRequest)
    // control: the coordinator to a client
    /// The answer to a greeting, with the address at which values are published.
    case service(Service)
    /// The commit is accepted.
    case receipt(Receipt)
    /// The request is refused.
    case refusal(Refusal)
    /// The answer to a query.
    case answer(Answer)
    /// A clock command, stop, alive, restart, input or cancel was executed. It contains the present state of the clock and,
    /// while the journal cannot be written, why a restart would undo the command or the stop.
    case done(ClockState, unkept: String = "")
    /// The answer to a look back.
    case history(HistoryReply)
    // values
    /// Values of one frame.
    case values(Values)
    /// The properties that handles stand for.
    case names([NamedProperty])
    /// Plans that ended.
    case ended([EndedIntention])
    /// Changes of the drivers of properties.
    case drivers([DriverChange])
    // link
    /// A worker that the coordinator did not start claims an assignment.
    case claim(Claim)
    /// The claimed assignment is granted.
    case assignment(Assignment)
    /// A worker introduces itself.
    case hello(Hello)
    /// A worker is accepted.
    case welcome(Welcome)
    /// A worker requests a snapshot, because it is new or missed commands. It has applied the commands up to this one.
    case resync(commandsApplied: UInt64)
    /// The complete state for a worker. It includes the effect of command `command` and of the worker's event
    /// `lastEventApplied`. Plans that later events have ended may still be in it.
    case snapshot(command: UInt64, lastEventApplied: UInt64 = 0, WorkerSnapshot)
    /// The coordinator requests the streams of these executors of a worker; of all executors if there are none here.
    case inspect([ExecutorHandle])
    /// The streams of a worker's executors.
    case streamReport(StreamReport)
    // commands: the coordinator to one worker
    /// The command number `number`.
    case command(number: UInt64, WorkerCommand)
    /// A heartbeat of the coordinator.
    case coordinatorHeartbeat(CoordinatorHeartbeat)
    // ticks
    /// The announcement of the next frame.
    case tick(Tick)
    // events: a worker to the coordinator
    /// Values and events.
    case update(WorkerUpdate)
    /// A heartbeat of the worker.
    case workerHeartbeat(WorkerHeartbeat)
    /// A line for the log.
    case log(LogLine)

    /// Whether it may be sent without a number, and then has no answer: a newer value follows anyway.
    public var mayGoUnanswered: Bool { if case .inputValues = self { true } else { false } }
  }
}
