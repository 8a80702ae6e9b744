import MotionCore
import MotionLink
import MotionModel
import MotionWire

/// The side effects of a worker: the link to the coordinator and the plugin's outputs. Contains no decisions.
protocol WorkerEffects {
  /// The time since boot.
  var now: Duration { get }
  /// Sends a request on the link.
  func send(_ envelope: Envelope) throws
  /// Publishes values, events or a heartbeat.
  func publish(_ envelope: Envelope) throws
  /// Subscribes to the worker's topics.
  func subscribe(_ welcome: Welcome) throws
  /// Puts the plugin's outputs to rest, if its manifest requires that. Called when the coordinator is silent.
  func leaseLost()
}

/// Processes what a worker receives: the link decides on actions, the session carries them out, and the results are
/// published.
///
/// Heartbeats are sent by the thread that calls this type and runs the executors. A worker whose executors hang
/// therefore sends none, and is replaced.
struct WorkerConduct<Effects: WorkerEffects> {
  private(set) var link: WorkerLink
  let session: WorkerSession
  let effects: Effects
  /// The reason why the worker has to end; `nil` while it runs.
  private(set) var exit: WorkerExit?

  init(_ link: WorkerLink, _ session: WorkerSession, _ effects: Effects) {
    (self.link, self.session, self.effects) = (link, session, effects)
  }

  /// Starts the handshake.
  mutating func start() throws { try perform(link.start(at: effects.now)) }

  /// Checks the lease. A worker that was suspended past its lease detects that before it processes anything else.
  mutating func begin() throws { try perform(link.lapse(at: effects.now)) }

  /// Handles a change of the coordinator's subscription to a topic of events.
  mutating func listened(to topic: String, begins: Bool) throws {
    if begins {
      try perform(link.subscribed(to: topic, at: effects.now))
    } else {
      try perform(link.unsubscribed(from: topic))
    }
  }

  /// Processes a message.
  mutating func hear(_ envelope: Envelope) throws { try perform(link.received(envelope, at: effects.now)) }

  /// Call after all received messages were processed. Publishes values that were written meanwhile, without waiting for
  /// a tick.
  mutating func finishHearing() throws {
    guard exit == nil else { return }
    try sayOutput(of: nil)
  }

  /// Call when a long silence was caused by this process not running, so that the link does not count it.
  mutating func wasStalled() { link.wasStalled(at: effects.now) }

  /// Performs the actions that are due.
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

  /// Passes new events to the link, which numbers them.
  private mutating func noteEvents() {
    for event in session.takeEvents() { link.record(event) }
    link.tokens = session.tokens
    link.setActive(session.isActive, at: effects.now)
  }

  /// Publishes an update: always for a frame, otherwise if there are values.
  private mutating func sayOutput(of frame: Frame?) throws {
    noteEvents()
    let writes = session.takeWrites()
    // If the lease ended during the frame, the frame's result is discarded.
    let lapse = link.lapse(at: effects.now)
    guard lapse.isEmpty else { return try perform(lapse) }
    guard frame != nil || !writes.isEmpty else { return }
    try effects.publish(link.update(frame: (frame ?? session.frame).number, writes: writes, at: effects.now))
  }
}
