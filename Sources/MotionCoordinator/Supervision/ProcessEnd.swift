import Glibc

/// How the process of a worker ended.
enum ProcessEnd: Sendable, Equatable, CustomStringConvertible {
  /// It exited by itself, with this code.
  case exited(Int32)
  /// A signal ended it.
  case signalled(Int32)
  /// It never ran, for this reason.
  case notStarted(String)
  /// It never ran, since the machine had no process, descriptor or memory left for it; that may pass.
  case noRoom(String)
  /// The kernel did not report it.
  case unknown(String)

  /// The signals that result from a fault of the program; all others are sent to it.
  private static let crashes: Set<Int32> = [
    SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS, SIGXCPU, SIGXFSZ,
  ]

  /// Whether the worker's own work may have been the reason. KILL comes from outside: from an administrator, or from a
  /// kernel that is out of memory. TERM and an exit with code 0 follow from a request.
  var isFailure: Bool {
    switch self {
    case .exited(let code): code != 0
    case .signalled(let signal): Self.crashes.contains(signal)
    case .notStarted, .noRoom, .unknown: false
    }
  }

  /// A description of the end.
  ///
  /// - Parameter asked: whether the coordinator had requested its end.
  func description(asked: Bool) -> String {
    switch self {
    case .exited(0) where asked: "it exited as requested (code 0)"
    // Workers that are to end set an alarm (`Termination`), which ends them while they are busy or hang.
    case .signalled(SIGALRM) where asked: "it took longer than a second to exit, and its own alarm ended it (signal 14)"
    default: description
    }
  }

  /// A description of the end, if it was not requested.
  var description: String {
    switch self {
    case .exited(0): "it exited by itself (code 0)"
    case .exited(let code): "it exited with code \(code)"
    case .signalled(let signal): "it was ended by signal \(signal)"
    case .notStarted(let reason), .noRoom(let reason): "it could not be started: \(reason)"
    case .unknown(let reason): "its end status is unknown\(reason.isEmpty ? "" : ": \(reason)")"
    }
  }
}
