import CLinux
import Glibc

/// The wish that the program ends: Ctrl-C, SIGTERM, or a terminal that went away.
///
/// The signals are blocked in this thread and looked at when it suits; nothing runs in a signal handler. The threads of
/// libzmq and of `MotionClient` take no signals, so this one gets them.
struct Interruption {
  /// The longest wait at a time, in seconds, whatever a file says: a minute, as good as any.
  private static let longestWait = 60.0

  private let signals: sigset_t

  /// Takes the signals.
  init() {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    self.signals = signals
  }

  /// Whether a signal came. Asking takes it.
  var hasCome: Bool {
    var signals = signals
    var now = timespec()
    return sigtimedwait(&signals, nil, &now) > 0
  }

  /// Whether a signal comes within some seconds, waited for; it may say no a little early. Asking takes it.
  func comes(within seconds: Double) -> Bool {
    var signals = signals
    let seconds = min(max(seconds, 0), Self.longestWait)
    var limit = timespec()
    limit.tv_sec = Int(seconds)
    limit.tv_nsec = Int((seconds - seconds.rounded(.down)) * 1e9)
    return sigtimedwait(&signals, nil, &limit) > 0
  }

  /// Opens a descriptor to poll, readable when a signal came; whoever asks for it closes it.
  ///
  /// - Throws: `Failure` when the system has none left.
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
  }
}
