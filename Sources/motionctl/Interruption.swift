import CLinux
import Glibc

/// A request to end the program: Ctrl-C, SIGTERM, or a closed terminal.
///
/// The signals are blocked in this thread and polled at suitable times; no code runs in a signal handler. The threads
/// of libzmq and of `MotionClient` block all signals, so this thread receives them.
struct Interruption {
  /// The longest single wait in seconds, whatever times a file contains: a minute, an arbitrary choice.
  private static let longestWait = 60.0

  private let signals: sigset_t

  /// Blocks the signals, and receives them from now on.
  init() {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    self.signals = signals
  }

  /// Whether a signal arrived. The check consumes it.
  var hasCome: Bool {
    var signals = signals
    var now = timespec()
    return Self.received(sigtimedwait(&signals, nil, &now))
  }

  /// Waits up to some seconds for a signal, and returns whether one arrived. It may return false a little early. The
  /// check consumes the signal.
  func comes(within seconds: Double) -> Bool {
    var signals = signals
    let seconds = min(max(seconds, 0), Self.longestWait)
    var limit = timespec()
    limit.tv_sec = Int(seconds)
    limit.tv_nsec = Int((seconds - seconds.rounded(.down)) * 1e9)
    return Self.received(sigtimedwait(&signals, nil, &limit))
  }

  /// Opens a descriptor to poll, readable when a signal arrived; the caller closes it.
  ///
  /// - Throws: `Failure` when the system has no descriptor left.
  func openDescriptor() throws(Failure) -> Int32 {
    var signals = signals
    let descriptor = motion_signal_descriptor(&signals)
    guard descriptor >= 0 else {
      throw Failure(
        .failure, "cannot wait for signals: \(String(cString: strerror(errno)))", remedy: "close some files (ulimit -n)"
      )
    }
    return descriptor
  }

  /// Waits for a signal.
  func wait() {
    var signals = signals
    var signal: Int32 = 0
    sigwait(&signals, &signal)
    _ = Self.received(signal)
  }

  /// Reports a signal to the shell that runs this command, because some signals end the shell, too.
  private static func received(_ signal: Int32) -> Bool {
    guard signal > 0 else { return false }
    ShellSession.current?.received(signal)
    return true
  }
}
