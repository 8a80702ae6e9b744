import Glibc

/// Wakes a thread that waits in `poll`.
final class Doorbell: Sendable {
  /// Readable after a ring; −1 if the system has no descriptors left, and nobody is woken.
  let descriptor: Int32
  private let button: Int32

  /// A bell that was not rung.
  init() {
    var ends: [Int32] = [-1, -1]
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let isMade = socketpair(AF_UNIX, Int32(kind), 0, &ends) == 0
    (descriptor, button) = isMade ? (ends[0], ends[1]) : (-1, -1)
  }

  deinit {
    guard descriptor >= 0 else { return }
    close(descriptor)
    close(button)
  }

  /// Rings; a bell that rings already goes on ringing.
  func ring() {
    var byte: UInt8 = 1
    _ = send(button, &byte, 1, Int32(MSG_NOSIGNAL))
  }

  /// Makes it silent.
  func silence() {
    var bytes: (UInt64, UInt64) = (0, 0)
    // Who rang more often wakes the thread once more, and for nothing.
    _ = read(descriptor, &bytes, MemoryLayout.size(ofValue: bytes))
  }
}
