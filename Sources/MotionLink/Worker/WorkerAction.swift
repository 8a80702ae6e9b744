public import MotionModel
public import MotionWire

/// What a worker has to do, in the order given.
public enum WorkerAction: Hashable, Sendable {
  /// Send this to the coordinator on the link.
  case send(Envelope)
  /// Publish this on the topic of events.
  case publish(Envelope)
  /// Subscribe to these topics, each on a socket of its own; comes once. The topic of ticks may be left if no updates
  /// are wanted.
  case subscribe(Welcome)
  /// Hold what the snapshot says and nothing else.
  case provision(WorkerSnapshot)
  /// Obey a command.
  case apply(WorkerCommand)
  /// Run a frame and answer with ``WorkerLink/update(frame:writes:at:)``.
  case run(Frame)
  /// Say by which streams these executors, or all if there are none, fulfil their plans: answer with
  /// ``WorkerLink/report(_:to:at:)``.
  case inspect([ExecutorHandle], question: UInt64)
  /// The coordinator is silent: stop acting and do what the manifest says under `onLost`.
  case leaseLost
  /// End the process.
  case exit(WorkerExit)
}

/// Why a worker ends.
public enum WorkerExit: Hashable, Sendable, CustomStringConvertible {
  /// The coordinator said so, and has everything that the worker had to say, or did not take it in time.
  case shutdown
  /// The coordinator does not want it.
  case refused(Refusal)
  /// The coordinator did not answer for so long.
  case unanswered(for: Duration)
  /// Another start of the coordinator has taken over.
  case superseded(epoch: UInt64)
  /// More events wait for an acknowledgement than can be kept.
  case outOfStep(events: Int)
  /// The lease of an assignment that it claimed is over.
  case leaseEnded
  /// The connection to the coordinator that gave it its assignment is broken.
  case disconnected

  /// Whether a worker that claimed its assignment may claim another: not if it is not wanted as it is.
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
    case .leaseEnded: "its lease is over"
    case .disconnected: "the connection to motiond is broken"
    }
  }
}
