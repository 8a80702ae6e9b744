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

/// A thread for what may wait, which nobody waits for.
enum DetachedThread {
  /// Runs `run` on a new thread; returns 0, or an `errno` if there is none.
  static func start(_ run: @escaping @Sendable () -> Void) -> Int32 {
    let body = Unmanaged.passRetained(Body(run))
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil,
      { passed in
        guard let passed else { return nil }
        Unmanaged<Body>.fromOpaque(passed).takeRetainedValue().run()
        return nil
      }, body.toOpaque())
    if status == 0 { pthread_detach(thread) } else { body.release() }
    return status
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
