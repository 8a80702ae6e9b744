import CLinux
import Glibc
import Synchronization

/// The socket for entries to journald: one datagram each. Any thread may send; no call waits.
final class JournaldSocket: Sendable {
  /// The path at which journald listens, on every machine.
  static let usualPath = "/run/systemd/journal/socket"

  /// The result of sending an entry.
  enum Outcome: Equatable {
    case sent
    /// journald has too much to read: the entry is lost, and counted.
    case full
    /// journald is not running.
    case absent
  }

  private let descriptor: Int32
  private let address: UnixAddress
  /// How many entries were lost since one was sent.
  private let lost = Mutex<UInt64>(0)

  /// `nil` if no socket can be made, or `path` is no valid address.
  init?(_ path: String = JournaldSocket.usualPath) {
    guard let address = UnixAddress(Array(path.utf8)) else { return nil }
    self.address = address
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
  }

  deinit { close(descriptor) }

  /// How many entries were lost since the last call.
  func takeLost() -> UInt64 {
    lost.withLock { lost in
      defer { lost = 0 }
      return lost
    }
  }

  /// Sends an entry. One that is too long for a datagram (some 200 KB by Linux's defaults) goes as sealed memory.
  func send(_ entry: JournaldEntry) -> Outcome {
    let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    var count = address.withSocketAddress { sendto(descriptor, entry.bytes, entry.bytes.count, flags, $0, $1) }
    if count < 0, errno == EMSGSIZE || errno == ENOBUFS {
      let memory = motion_sealed_memory(entry.bytes, entry.bytes.count)
      guard memory >= 0 else { return lose() }
      defer { close(memory) }
      count = address.withSocketAddress { motion_send_descriptor(descriptor, $0, $1, memory, flags) }
    }
    guard count < 0 else { return .sent }
    return errno == EAGAIN || errno == ENOBUFS ? lose() : .absent
  }

  private func lose() -> Outcome {
    lost.withLock { $0 += 1 }
    return .full
  }
}
