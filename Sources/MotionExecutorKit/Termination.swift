import Glibc
import LinuxSystem
import Synchronization
import ZeroMQ

/// Turns TERM and INT into a wake-up of the worker's thread.
enum Termination {
  /// How long the process may take once it is to end, in seconds: then it ends whatever it does.
  static let limit: UInt32 = 1

  /// The descriptor to write to; −1 before there is one.
  private static let descriptor = Atomic<Int32>(-1)

  /// From now on the process has no longer than that, whatever it does.
  static func limitTime() { alarm(limit) }

  /// From now on the signals signal `counter`, which has to stay as long as the process.
  static func forward(to counter: EventCounter) {
    descriptor.store(counter.descriptor, ordering: .releasing)
    // A handler may only do what is safe in the middle of anything: an atomic load, alarm and write are.
    let handler: @convention(c) (Int32) -> Void = { _ in
      alarm(Termination.limit)
      var one: UInt64 = 1
      _ = write(Termination.descriptor.load(ordering: .acquiring), &one, MemoryLayout<UInt64>.size)
    }
    signal(SIGTERM, handler)
    signal(SIGINT, handler)
  }
}
