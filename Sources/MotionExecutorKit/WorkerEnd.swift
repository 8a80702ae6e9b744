public import MotionLink

/// Why a worker's process ends, and what it says by its exit code.
public enum WorkerEnd: Hashable, Sendable, CustomStringConvertible {
  /// motiond said so, or does not want it, or did not answer.
  case told(WorkerExit)
  /// motiond is gone: the lifeline has ended.
  case abandoned
  /// It was told to stop by a signal.
  case stopped

  /// 0 when it ended as it should, 3 when motiond did not answer, 4 when motiond refused it, 1 when they are out of step.
  /// A program that was not started as a worker ends with 2.
  public var exitCode: Int32 {
    switch self {
    case .told(.shutdown), .abandoned, .stopped: 0
    case .told(.unanswered), .told(.leaseEnded), .told(.disconnected): 3
    case .told(.refused), .told(.superseded): 4
    case .told(.outOfStep): 1
    }
  }

  /// The reason, for people.
  public var description: String {
    switch self {
    case .told(let reason): reason.description
    case .abandoned: "motiond is gone"
    case .stopped: "it was told to stop"
    }
  }
}
