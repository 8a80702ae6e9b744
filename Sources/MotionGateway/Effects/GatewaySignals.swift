import CLinux
import Glibc

/// The signals that a gateway handles, as a descriptor for a poller.
final class GatewaySignals {
  /// The action that a signal requests.
  enum Request {
    /// TERM or INT: stop.
    case stop
    /// HUP: read the admitted keys again.
    case reload
  }

  /// Readable when a signal is pending.
  let descriptor: Int32

  private static let all: [Int32: Request] = [SIGTERM: .stop, SIGINT: .stop, SIGHUP: .reload]

  /// Makes the descriptor. Block the signals in all threads first.
  init() throws {
    var signals = Self.set
    descriptor = motion_signal_descriptor(&signals)
    guard descriptor >= 0 else { throw GatewayError("there is no descriptor for signals", remedy: "Raise LimitNOFILE") }
  }

  deinit { close(descriptor) }

  /// Blocks the signals in this thread and in all threads that it starts.
  static func block() {
    var signals = set
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Takes the next pending signal, if any.
  func next() -> Request? {
    var information = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    guard read(descriptor, &information, size) == size else { return nil }
    return Self.all[Int32(information.ssi_signo)]
  }

  private static var set: sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in all.keys { sigaddset(&signals, signal) }
    return signals
  }
}
