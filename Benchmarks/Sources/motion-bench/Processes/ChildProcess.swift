import Foundation

/// A process that a benchmark started: it is ended, by its number, when it is let go, and by the kernel if this process
/// dies before.
///
/// Start them on the main thread alone: the kernel takes the end of the thread that started a process for its parent's.
final class ChildProcess {
  let processID: Int32
  private var isEnded = false

  /// Starts a program with these arguments.
  ///
  /// - Parameter log: the file that its output is added to; nowhere if `nil`.
  init(_ program: String, _ arguments: [String], log: String? = nil) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(
        &actions, descriptor, log ?? "/dev/null", O_WRONLY | O_CREAT | O_APPEND, 0o600)
    }
    let words = ["/usr/bin/setpriv", "--pdeathsig", "KILL", "--", program] + arguments
    var processID: pid_t = 0
    let status = words.withCStrings { posix_spawn(&processID, "/usr/bin/setpriv", &actions, nil, $0, environ) }
    guard status == 0 else {
      throw BenchFailure("\(program) could not be started: \(String(cString: strerror(status)))")
    }
    self.processID = processID
  }

  /// Another process of this program, which does one thing for a benchmark.
  convenience init(peer arguments: [String]) throws {
    try self.init("/proc/\(getpid())/exe", ["peer"] + arguments)
  }

  deinit { kill() }

  /// Whether it runs.
  var isRunning: Bool { !isEnded && ProcessFacts(processID).isAlive }

  /// Asks it to end, and waits; one that does not within five seconds is killed.
  func terminate() {
    guard !isEnded else { return }
    Foundation.kill(processID, SIGTERM)
    let limit = Date().addingTimeInterval(5)
    while Date() < limit, ProcessFacts(processID).isAlive { usleep(5_000) }
    kill()
  }

  /// Ends it now.
  func kill() {
    guard !isEnded else { return }
    isEnded = true
    Foundation.kill(processID, SIGKILL)
    var status: Int32 = 0
    waitpid(processID, &status, 0)
  }
}

/// What keeps a benchmark from measuring.
struct BenchFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

extension [String] {
  /// Calls `body` with C's array of these texts, null at its end.
  fileprivate func withCStrings<Result>(_ body: ([UnsafeMutablePointer<CChar>?]) -> Result) -> Result {
    let copies = map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }
}
