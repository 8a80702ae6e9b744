import CLinux
import Glibc
import MotionClient
import MotionModel

/// What commands need to know of the shell that runs them: its daemon, its standard input, and how they are interrupted.
///
/// Ctrl-C ends a command and not the shell. The signals are therefore blocked while the shell runs, and every wait of a
/// command ends when one arrives: those of its client through ``descriptor``, and its own through ``Interruption``.
final class ShellSession {
  /// The shell that runs in this process, if one does. The main thread alone uses it.
  nonisolated(unsafe) static var current: ShellSession?

  /// The options with which the shell finds its daemon; those of a command come before them.
  let connection: ConnectionOptions
  /// The name of the text that the shell reads, for errors.
  let source: String
  /// A descriptor that is readable while a signal is pending.
  let descriptor: Int32
  /// The text that a command reads as its standard input.
  var input: [UInt8]?
  /// Whether the shell itself reads standard input, so that no command can.
  let readsInput: Bool
  /// The moment of a recording at which the shell stands; `nil` for the present of its daemon.
  var past: ShellPast?
  /// The signal that is to end the shell.
  private(set) var endSignal: Int32?

  private let interruption: Interruption

  /// Blocks the signals.
  init(_ connection: ConnectionOptions, source: String, readsInput: Bool) throws(Failure) {
    self.connection = connection
    self.source = source
    self.readsInput = readsInput
    interruption = Interruption()
    descriptor = try interruption.openDescriptor()
  }

  deinit { close(descriptor) }

  /// Whether a signal is pending.
  var isInterrupted: Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) > 0
  }

  /// Consumes the pending signals, and returns whether there were any.
  func takeSignals() -> Bool {
    var hasCome = false
    while interruption.hasCome { hasCome = true }
    return hasCome
  }

  /// Takes note of a signal: Ctrl-C ends a command, the others end the shell.
  func received(_ signal: Int32) {
    if signal != SIGINT { endSignal = signal }
  }

  /// Waits until a descriptor is readable.
  ///
  /// - Parameter other: another descriptor that ends the wait; -1 for none.
  /// - Returns: `readable`, `interrupted` when a signal is pending, `signalled` when the other descriptor is readable, or
  ///   `timedOut` after `timeout`.
  func wait(for input: Int32, or other: Int32 = -1, timeout: Duration? = nil) -> Wait {
    var entries = [input, descriptor, other].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while true {
      let limit = timeout.map { Int32(clamping: $0.components.seconds * 1000) } ?? -1
      let count = poll(&entries, nfds_t(entries.count), limit)
      if count < 0, errno == EINTR { continue }
      if entries[1].revents != 0 { return .interrupted }
      if entries[2].revents != 0 { return .signalled }
      return count == 0 ? .timedOut : .readable
    }
  }

  /// The end of a wait.
  enum Wait {
    case readable
    case interrupted
    case signalled
    case timedOut
  }

  /// Throws if a signal is pending: for loops of commands that wait for nothing, or for a file.
  static func checkInterruption() throws(Failure) {
    guard let current, current.isInterrupted else { return }
    throw .interrupted
  }

  /// Waits until a descriptor can be read, as far as a shell has to interrupt that.
  static func awaitReadable(_ descriptor: Int32) throws(Failure) {
    guard let current, current.wait(for: descriptor) == .interrupted else { return }
    throw .interrupted
  }
}

extension Failure {
  /// The failure of a command that Ctrl-C ended.
  static let interrupted = Failure(.failure, "interrupted")
}
