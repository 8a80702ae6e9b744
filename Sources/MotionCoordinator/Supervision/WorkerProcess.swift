import Glibc

/// Runs one worker's process and reports its events, on the thread of ``WorkerProcesses``.
///
/// The process has a group of its own, an environment built from empty, and a pipe as standard input. The pipe closes
/// when the coordinator exits, and then every worker exits. In addition, the kernel sends a signal when the coordinator
/// exits: precisely, at the end of the thread that spawns, which lives as long as any of its processes.
///
/// A process that has ended stays a zombie, and so keeps its process ID and group ID, until ``release()``. Until then,
/// a signal to either cannot reach another process.
final class WorkerProcess: Sendable {
  /// The program to run and its surroundings.
  struct Launch: Sendable {
    var executable: String
    var arguments: [String]
    var environment: [String: String]
    var directory: String
    /// The path of its program relative to the directory, if it is a plugin's and has to be checked before it is
    /// executed.
    var program: String?
    /// Folders from which it takes code, which are checked likewise.
    var libraries: [String] = []
    /// The signal that the kernel sends when the coordinator exits: KILL, or TERM for plugins that put outputs to rest.
    var parentDeathSignal = SIGKILL
    /// Its limits on the machine's resources.
    var limits = ProcessLimits()
    /// The control group in which it has its share of the processors; `nil` where it is not to have one, or cannot.
    var share: ControlGroup.Share?
  }

  /// An event of the process.
  enum Event: Sendable {
    /// It runs, with this process ID.
    case spawned(Int32)
    /// It printed these lines. No more are read before ``heard()``, so that a worker that floods is held back.
    case printed([String])
    /// It ended, or could not be started.
    case ended(ProcessEnd)
  }

  private let number: UInt64
  private let processes: any ProcessTable

  /// Starts the process. `hear` is called for each event, in order; the last one is always `ended`. The calling thread
  /// must not be held up.
  ///
  /// `ended` comes only after ``release()`` if `spawned` came before it.
  init(_ launch: Launch, on processes: any ProcessTable, hear: @escaping @Sendable (Event) -> Void) {
    self.processes = processes
    number = processes.start(launch, hear: hear)
  }

  /// The last output was handled: more may be read.
  func heard() { processes.heard(number) }

  /// The owner has handled the end of the process, and sends it no more signals.
  func release() { processes.release(number) }
}
