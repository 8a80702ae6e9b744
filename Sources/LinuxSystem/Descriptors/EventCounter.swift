import CLinux
import Glibc

/// Wakes the owner of a poll from any thread: an eventfd.
public final class EventCounter: Sendable {
  /// The descriptor to poll; readable if it was signalled since the last drain.
  public let descriptor: Int32

  /// A counter without signals.
  public init() throws(SystemError) {
    descriptor = motion_eventfd()
    guard descriptor >= 0 else { throw SystemError(code: errno, operation: "eventfd") }
  }

  deinit { close(descriptor) }

  /// Makes the descriptor readable. Any thread may call it.
  public func signal() {
    var one: UInt64 = 1
    // A full counter (2⁶⁴ − 2 signals) would refuse; it is readable then anyway.
    _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
  }

  /// Makes the descriptor unreadable until the next signal. Only the owner may call it.
  public func drain() {
    var count: UInt64 = 0
    _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
  }
}
