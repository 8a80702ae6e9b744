import Glibc
import LinuxSystem
import Synchronization
import ZeroMQ

/// Turns TERM and INT into a wake-up of the worker's thread.
enum Termination {
  /// The most time that the process may take to end, in seconds. After that it is killed.
  static let limit: UInt32 = 1

  /// The descriptor to write to; −1 before there is one.
  private static let descriptor = Atomic<Int32>(-1)

  /// Starts the limit: from now on the process has no longer than that, even if it hangs.
  static func limitTime() { alarm(limit) }

  /// Makes TERM and INT signal `counter`, which has to exist as long as the process.
  static func forward(to counter: EventCounter) {
    descriptor.store(counter.descriptor, ordering: .releasing)
    // A handler may use only async-signal-safe operations: an atomic load, alarm and write are.
    let handler: @convention(c) (Int32) -> Void = { _ in
      alarm(Termination.limit)
      var one: UInt64 = 1
      _ = write(Termination.descriptor.load(ordering: .acquiring), &one, MemoryLayout<UInt64>.size)
    }
    signal(SIGTERM, handler)
    signal(SIGINT, handler)
  }
}
