import CLinux
import Glibc

/// The signals that a gateway hears, as something that a poll can wait for.
final class GatewaySignals {
  /// What one of them asks for.
  enum Request {
    /// TERM or INT: to end.
    case stop
    /// HUP: to read again whose keys count.
    case reload
  }

  /// Readable when there are some.
  let descriptor: Int32

  private static let all: [Int32: Request] = [SIGTERM: .stop, SIGINT: .stop, SIGHUP: .reload]

  /// Makes a descriptor of them; to be made once they are blocked everywhere.
  init() throws {
    var signals = Self.set
    descriptor = motion_signal_descriptor(&signals)
    guard descriptor >= 0 else { throw GatewayError("there is no descriptor for signals", remedy: "Raise LimitNOFILE") }
  }

  deinit { close(descriptor) }

  /// Keeps them from this thread and all that it starts.
  static func block() {
    var signals = set
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// The next one that has come, if any.
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
