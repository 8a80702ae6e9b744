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

  /// Waits until the descriptor is readable, at most for `limit`.
  ///
  /// - Returns: whether it is.
  @discardableResult
  package func wait(upTo limit: Duration? = nil) -> Bool {
    let deadline = limit.map { BootClock.now + $0 }
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      // Rounded up, or the loop would spin during the last part of a millisecond.
      let rest = deadline.map { Int32(clamping: max(0, ($0 - BootClock.now).wholeMilliseconds)) }
      let count = poll(&entry, 1, rest ?? -1)
      if count > 0 { return true }
      if let deadline, BootClock.now >= deadline { return false }
    }
  }
}
