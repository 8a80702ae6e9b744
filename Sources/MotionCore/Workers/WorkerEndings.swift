import MotionModel

/// Events of a worker's update that take effect at the frame's end: an ending, and everything that follows it.
struct WorkerEndings {
  var worker: WorkerAddress
  /// The frame for which the update was sent.
  var frame: UInt64
  /// The last command that the worker had applied.
  var commands: UInt64
  var events: [WorkerEvent]
  var writes: [PropertyWrite]
  /// The executors whose samples came late, and by how many simulated seconds.
  var late: [ExecutorHandle: Double]

  /// Whether a token starts in it.
  var begins: Bool { events.contains { if case .started = $0 { true } else { false } } }
}

extension WorkerEvent {
  /// The executor that the event concerns.
  var executor: ExecutorHandle {
    switch self {
    case .activity(let executor, _), .started(let executor, _, _, _), .ended(let executor, _),
      .finished(let executor, _, _), .failed(let executor, _, _), .emitted(let executor, _, _, _, _):
      executor
    }
  }

  /// Whether an executor needs frames from this event on.
  var wakes: Bool {
    if case .activity(_, true) = self { true } else { false }
  }

  /// Whether the event ends something, so that the samples sent with it have to be applied before it.
  var endsSomething: Bool {
    switch self {
    case .ended, .finished, .failed: true
    case .activity(_, let isActive): !isActive
    case .started, .emitted: false
    }
  }
}
