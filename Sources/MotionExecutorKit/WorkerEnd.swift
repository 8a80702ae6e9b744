public import MotionLink

/// Why a worker's process ends, with its exit code.
public enum WorkerEnd: Hashable, Sendable, CustomStringConvertible {
  /// The link ended with this reason, for example because motiond shut the worker down, refused it, or did not answer.
  case told(WorkerExit)
  /// motiond has exited: the lifeline has ended.
  case abandoned
  /// A signal stopped the worker.
  case stopped

  /// 0 after a normal end, 3 when motiond did not answer, 4 when motiond refused the worker, 1 when they are out of
  /// step. A program that was not started as a worker exits with 2.
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
    case .abandoned: "motiond has ended"
    case .stopped: "it was asked to stop"
    }
  }
}
