import CLinux
import Glibc

/// The signals of a terminal while a line is edited: a stop of the process, and a change of the terminal's size.
///
/// They are blocked meanwhile, so that no code runs in a handler while libedit works. While a command runs they act as
/// in other programs.
final class TerminalSignals {
  /// Readable while one of the signals is pending.
  let descriptor: Int32
  private let signals: sigset_t

  init() throws(Failure) {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGTSTP, SIGWINCH] { sigaddset(&signals, signal) }
    self.signals = signals
    descriptor = motion_signal_descriptor(&signals)
    guard descriptor >= 0 else {
      throw Failure(
        .failure, "cannot wait for signals: \(String(cString: strerror(errno)))", remedy: "close some files (ulimit -n)"
      )
    }
  }

  deinit { close(descriptor) }

  /// Blocks the signals, or lets them act.
  func block(_ isBlocking: Bool) {
    var signals = signals
    pthread_sigmask(isBlocking ? SIG_BLOCK : SIG_UNBLOCK, &signals, nil)
  }

  /// Consumes a pending signal: SIGTSTP, SIGWINCH, or 0 if none is pending.
  func take() -> Int32 {
    var signals = signals
    var now = timespec()
    return max(0, sigtimedwait(&signals, nil, &now))
  }

  /// Stops the process, as the signal would have; returns when it continues.
  func stop() {
    var stop = sigset_t()
    sigemptyset(&stop)
    sigaddset(&stop, SIGTSTP)
    raise(SIGTSTP)
    // The pending signal acts while it is not blocked.
    pthread_sigmask(SIG_UNBLOCK, &stop, nil)
    pthread_sigmask(SIG_BLOCK, &stop, nil)
  }
}
