import Glibc

/// Runs one worker's process and tells of it: an effect, on the thread of ``WorkerProcesses``.
///
/// The process has a group of its own, an environment built from empty, and a pipe as standard input that closes when
/// the coordinator dies, on which every worker exits. The kernel sends it a signal at the coordinator's death on top of
/// that; to be exact, at the end of the thread that spawns, which lives as long as any of its processes.
///
/// A process that has ended stays a zombie, and so keeps its number and that of its group, until ``release()``: until
/// then both may be signalled without fear of meeting somebody else.
final class WorkerProcess: Sendable {
  /// What is run.
  struct Launch: Sendable {
    var executable: String
    var arguments: [String]
    var environment: [String: String]
    var directory: String
    /// Its program, from the directory on, if it is a plugin's and has to be checked before it is executed.
    var program: String?
    /// The signal that the kernel sends when the coordinator dies: KILL, or TERM for plugins that put outputs to rest.
    var parentDeathSignal = SIGKILL
    /// What it may take of the machine.
    var limits = ProcessLimits()
    /// The control group in which it has its share of the processors; `nil` where it is not to have one, or cannot.
    var share: ControlGroup.Share?
  }

  /// What is heard of it.
  enum Event: Sendable {
    /// It runs, with this process id.
    case spawned(Int32)
    /// It printed these lines. No more are read before ``heard()``, so that a worker that floods waits for us.
    case printed([String])
    /// It ended, or could not be started.
    case ended(ProcessEnd)
  }

  private let number: UInt64
  private let processes: any ProcessTable

  /// Starts the process; `hear` is called for each event, in order, the last one is always `ended`, on a thread that
  /// must not be held up.
  ///
  /// `ended` comes only after ``release()`` if `spawned` came before it.
  init(_ launch: Launch, on processes: any ProcessTable, hear: @escaping @Sendable (Event) -> Void) {
    self.processes = processes
    number = processes.start(launch, hear: hear)
  }

  /// What it printed was taken note of: the next may be read.
  func heard() { processes.heard(number) }

  /// Its owner knows that it has ended, and signals it no more.
  func release() { processes.release(number) }
}
