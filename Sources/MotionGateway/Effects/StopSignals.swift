import CLinux
import Glibc

/// The signals that end a gateway, as something that a poll can wait for.
enum StopSignals {
  /// Blocks TERM and INT for this thread and all that it starts, and makes a descriptor of them.
  static func take() throws -> Int32 {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGTERM, SIGINT] { sigaddset(&signals, signal) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let descriptor = motion_signal_descriptor(&signals)
    guard descriptor >= 0 else { throw GatewayError("there is no descriptor for signals", remedy: "Raise LimitNOFILE") }
    return descriptor
  }
}
