import MotionCore
import MotionLink
import MotionModel
import MotionWire

/// How a worker reaches the coordinator and the world: effects, which decide nothing.
protocol WorkerEffects {
  /// The time since boot.
  var now: Duration { get }
  /// Sends a request on the link.
  func send(_ envelope: Envelope) throws
  /// Publishes values, events or a heartbeat.
  func publish(_ envelope: Envelope) throws
  /// Subscribes to the worker's topics.
  func subscribe(_ welcome: Welcome) throws
  /// Puts the plugin's outputs to rest, if its manifest says so: the coordinator is silent.
  func leaseLost()
}

/// What a worker does about what it hears: its link decides what is to be done, its session does it, and what comes of
/// that is said.
///
/// Heartbeats come from the thread that calls this and that runs the executors: a worker whose executors hang is silent, and
/// replaced.
struct WorkerConduct<Effects: WorkerEffects> {
  private(set) var link: WorkerLink
  let session: WorkerSession
  let effects: Effects
  /// Why it has to end; `nil` while it has not.
  private(set) var exit: WorkerExit?

  init(_ link: WorkerLink, _ session: WorkerSession, _ effects: Effects) {
    (self.link, self.session, self.effects) = (link, session, effects)
  }

  /// Greets.
  mutating func start() throws { try perform(link.start(at: effects.now)) }

  /// Looks at the clock: whoever was stopped past its lease does so before it looks at anything else.
  mutating func begin() throws { try perform(link.lapse(at: effects.now)) }

  /// The coordinator listens to a topic of events, or does no longer.
  mutating func listened(to topic: String, begins: Bool) throws {
    if begins {
      try perform(link.subscribed(to: topic, at: effects.now))
    } else {
      try perform(link.unsubscribed(from: topic))
    }
  }

  /// Takes a message.
  mutating func hear(_ envelope: Envelope) throws { try perform(link.received(envelope, at: effects.now)) }

  /// All that has come was heard: values that were written meanwhile do not wait for a tick.
  mutating func finishHearing() throws {
    guard exit == nil else { return }
    try sayOutput(of: nil)
  }

  /// Nothing was heard for so long because this process did not run.
  mutating func wasStalled() { link.wasStalled(at: effects.now) }

  /// Does what is due.
  mutating func deadline() throws { try perform(link.deadline(at: effects.now)) }

  private mutating func perform(_ actions: [WorkerAction]) throws {
    for action in actions where exit == nil {
      switch action {
      case .send(let envelope): try effects.send(envelope)
      case .publish(let envelope): try effects.publish(envelope)
      case .subscribe(let welcome): try effects.subscribe(welcome)
      case .provision(let snapshot): session.provision(snapshot)
      case .apply(let command): session.apply(command)
      case .run(let frame): try run(frame)
      case .inspect(let executors, let question):
        try effects.send(link.report(session.streams(of: executors), to: question, at: effects.now))
      case .leaseLost:
        session.clear()
        effects.leaseLost()
      case .exit(let reason): exit = reason
      }
      noteEvents()
    }
  }

  private mutating func run(_ frame: Frame) throws {
    var failure: (any Error)?
    session.run(frame) {
      // A long frame must not look like a hanging worker.
      guard failure == nil, let heartbeat = link.heartbeatIfDue(at: effects.now) else { return }
      do { try effects.publish(heartbeat) } catch { failure = error }
    }
    if let failure { throw failure }
    try sayOutput(of: frame)
  }

  /// Hands new events to the link, which numbers them.
  private mutating func noteEvents() {
    for event in session.takeEvents() { link.record(event) }
    link.tokens = session.tokens
    link.setActive(session.isActive, at: effects.now)
  }

  /// Publishes an update: always for a frame, otherwise if there are values.
  private mutating func sayOutput(of frame: Frame?) throws {
    noteEvents()
    let writes = session.takeWrites()
    // A frame during which the lease ended has come to nothing.
    let lapse = link.lapse(at: effects.now)
    guard lapse.isEmpty else { return try perform(lapse) }
    guard frame != nil || !writes.isEmpty else { return }
    try effects.publish(link.update(frame: (frame ?? session.frame).number, writes: writes, at: effects.now))
  }
}
