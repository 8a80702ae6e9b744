import CLinux
import Glibc

/// Starts a program in a process and a group of its own, with nothing inherited but three pipes.
enum Spawn {
  /// Starts it, and returns its number.
  static func run(
    _ launch: WorkerProcess.Launch, input: Pipe.End, output: Pipe.End, errors: Pipe.End
  ) throws(SpawnError) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, end) in [input, output, errors].enumerated() {
      posix_spawn_file_actions_adddup2(&actions, end.descriptor, Int32(number))
    }
    motion_spawn_close_from(&actions, 3)
    motion_spawn_in_directory(&actions, launch.directory)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    set(&attributes)
    let command = launch.command
    let environment = launch.environment.map { "\($0.key)=\($0.value)" }.sorted()
    var processID: pid_t = 0
    let status = withCStrings(command) { arguments in
      withCStrings(environment) { posix_spawn(&processID, command[0], &actions, &attributes, arguments, $0) }
    }
    guard status == 0 else { throw SpawnError("\(command[0]) in \(launch.directory)", code: status) }
    return processID
  }

  /// A group of its own, and signals as a program expects them: none blocked, none ignored.
  private static func set(_ attributes: inout posix_spawnattr_t) {
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    for signal in [SIGKILL, SIGSTOP] { sigdelset(&all, signal) }
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP) | Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
  }

  /// Calls `body` with C's array of these texts, null at its end.
  private static func withCStrings<Result>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }
}

/// Why a process could not be started.
struct SpawnError: Error, CustomStringConvertible {
  let description: String

  init(_ what: String, code: Int32) { description = "\(what): \(String(cString: strerror(code)))" }
}

/// A pipe that no other process inherits; each end closes when it is let go.
struct Pipe {
  let reading: End
  let writing: End

  init() throws(SpawnError) {
    var ends: [Int32] = [-1, -1]
    guard motion_pipe(&ends) == 0 else { throw SpawnError("no pipe", code: errno) }
    (reading, writing) = (End(ends[0]), End(ends[1]))
  }

  /// One end of a pipe.
  final class End {
    let descriptor: Int32
    private var isOpen = true

    /// Takes a descriptor over; one that stands for a standard stream, because ours is closed, is moved out of the way.
    fileprivate init(_ descriptor: Int32) {
      let moved = descriptor < 3 ? fcntl(descriptor, F_DUPFD_CLOEXEC, 3) : descriptor
      if moved != descriptor { Glibc.close(descriptor) }
      self.descriptor = moved
    }

    deinit { close() }

    func close() {
      if isOpen { Glibc.close(descriptor) }
      isOpen = false
    }

    func doNotBlock() { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
  }
}
