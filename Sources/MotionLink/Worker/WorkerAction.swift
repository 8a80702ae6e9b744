public import MotionModel
public import MotionWire

/// The actions that a worker must perform, in the order given.
public enum WorkerAction: Hashable, Sendable {
  /// Send this to the coordinator on the link.
  case send(Envelope)
  /// Publish this on the topic of events.
  case publish(Envelope)
  /// Subscribe to these topics, each on a socket of its own; comes once. The topic of ticks may be left out if no
  /// updates are wanted.
  case subscribe(Welcome)
  /// Replace all held state by the content of the snapshot.
  case provision(WorkerSnapshot)
  /// Obey a command.
  case apply(WorkerCommand)
  /// Run a frame and answer with ``WorkerLink/update(frame:writes:at:)``.
  case run(Frame)
  /// Report which streams these executors, or all if there are none, use to fulfil their plans: answer with
  /// ``WorkerLink/report(_:to:at:)``.
  case inspect([ExecutorHandle], question: UInt64)
  /// The coordinator is silent: stop acting, and follow `onLost` of the manifest.
  case leaseLost
  /// End the process.
  case exit(WorkerExit)
}

/// Why a worker ends.
public enum WorkerExit: Hashable, Sendable, CustomStringConvertible {
  /// The coordinator requested it, and has received the worker's last events, or did not acknowledge them in time.
  case shutdown
  /// The coordinator refused the worker.
  case refused(Refusal)
  /// The coordinator did not answer for this long.
  case unanswered(for: Duration)
  /// Another start of the coordinator has taken over.
  case superseded(epoch: UInt64)
  /// More events wait for an acknowledgement than can be kept.
  case outOfStep(events: Int)
  /// The lease of a claimed assignment has expired.
  case leaseEnded
  /// The connection to the coordinator that granted the assignment is broken.
  case disconnected

  /// Whether a worker that claimed its assignment may claim another: not if the coordinator refuses this worker as
  /// such.
  public var isWorthAClaim: Bool {
    guard case .refused(let refusal) = self else { return true }
    return refusal.code == .stopping
  }

  /// The reason, for people.
  public var description: String {
    switch self {
    case .shutdown: "motiond shut it down"
    case .refused(let refusal): "motiond refused it: \(refusal)"
    case .unanswered(let time): "motiond did not answer for \(time)"
    case .superseded(let epoch): "motiond was started again (epoch \(epoch)) and starts its own workers"
    case .outOfStep(let events): "motiond has not acknowledged \(events) events"
    case .leaseEnded: "its lease has expired"
    case .disconnected: "the connection to motiond is broken"
    }
  }
}
