import Glibc
import LinuxSystem
import Testing
import ZeroMQ

/// A process that a test started: it is killed by its number, and reaped, when the test releases it.
final class ChildProcess {
  /// How a process ended.
  enum End: Equatable {
    case exited(Int32)
    case signalled(Int32)
  }

  let name: String
  let processID: Int32
  private let handle: ProcessHandle
  private var end: End?

  /// Starts a program with these arguments, and with nothing of this process but the given environment and files.
  ///
  /// - Parameters:
  ///   - output: the file that standard output is added to.
  ///   - errors: the file that standard error is added to.
  ///   - terminal: the terminal that it runs at, instead of these files.
  init(
    _ program: String, _ arguments: [String], environment: [String: String], output: String, errors: String,
    terminal: String? = nil
  ) throws {
    name = "\(program) \(arguments.joined(separator: " "))"
    let words = ["/usr/bin/setpriv", "--pdeathsig", "KILL", "--", program] + arguments
    let variables = environment.map { "\($0.key)=\($0.value)" }
    let started = SpawningThread.shared.perform {
      Self.spawn(words, variables, output: output, errors: errors, terminal: terminal)
    }
    guard case .success(let processID) = started else { throw Problem("\(name) could not be started: \(started)") }
    guard let handle = try ProcessHandle(processID: processID) else { throw Problem("\(name) is gone at once") }
    self.processID = processID
    self.handle = handle
  }

  deinit { kill() }

  /// Sends a signal.
  func send(_ signal: Int32) { handle.send(signal: signal) }

  /// Kills it, and waits for its end.
  func kill() {
    guard end == nil else { return }
    handle.send(signal: SIGKILL)
    _ = try? awaitEnd()
  }

  /// Waits until it has ended.
  @discardableResult
  func awaitEnd(within limit: Duration = factTimeout) throws -> End {
    if let end { return end }
    let poller = Poller()
    _ = poller.add(descriptor: handle.descriptor)
    let deadline = BootClock.now + limit
    while case .interrupted = try poller.poll(timeout: max(.zero, deadline - BootClock.now)) {}
    var status: Int32 = 0
    guard waitpid(processID, &status, WNOHANG) == processID else {
      throw WaitTimeout("the end of \(name)", after: limit)
    }
    let signal = status & 0x7F
    let end = signal == 0 ? End.exited((status >> 8) & 0xFF) : .signalled(signal)
    self.end = end
    return end
  }

  /// Whether it runs.
  var isRunning: Bool { end == nil && ProcessFacts(processID).isAlive }

  private static func spawn(
    _ words: [String], _ variables: [String], output: String, errors: String, terminal: String?
  ) -> Result<Int32, Failure> {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // Descriptors of the tests close in the child by themselves: libzmq and this code open all of theirs so.
    if let terminal {
      // The first terminal that the leader of a session opens becomes the terminal of the session.
      for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
        posix_spawn_file_actions_addopen(&actions, descriptor, terminal, O_RDWR, 0)
      }
    } else {
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
      for (path, descriptor) in [(output, STDOUT_FILENO), (errors, STDERR_FILENO)] {
        posix_spawn_file_actions_addopen(&actions, descriptor, path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
      }
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Signals that this process ignores or blocks must not be ignored or blocked in the child.
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    let group = terminal == nil ? POSIX_SPAWN_SETPGROUP : newSession
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group))
    var processID: pid_t = 0
    let status = withCStrings(words) { words in
      withCStrings(variables) { posix_spawn(&processID, "/usr/bin/setpriv", &actions, &attributes, words, $0) }
    }
    return status == 0 ? .success(processID) : .failure(Failure(code: status))
  }

  /// The reason why a process could not be started.
  struct Failure: Error {
    let code: Int32
  }
}

/// `POSIX_SPAWN_SETSID` of spawn.h, which Swift does not import.
private let newSession: Int32 = 0x80

/// Calls `body` with C's array of these texts, null at its end.
private func withCStrings<Result>(
  _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
  let copies = texts.map { strdup($0) }
  defer { for copy in copies { free(copy) } }
  return body(copies + [nil])
}
