import CLinux
import Glibc

/// The wish that the program ends: Ctrl-C, SIGTERM, or a terminal that went away.
///
/// The signals are blocked in this thread and looked at when it suits; nothing runs in a signal handler. The threads of
/// libzmq and of `MotionClient` take no signals, so this one gets them.
struct Interruption {
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

  /// Waits for a signal.
  func wait() {
    var signals = signals
    var signal: Int32 = 0
    sigwait(&signals, &signal)
  }
}
