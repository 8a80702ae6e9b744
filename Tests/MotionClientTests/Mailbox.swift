import Glibc
import LinuxSystem
import Synchronization
import ZeroMQ

/// Passes numbers from one thread to another that waits for them.
final class Mailbox: Sendable {
  private let items = Mutex<[UInt64]>([])
  private let counter: EventCounter

  init() {
    do { counter = try EventCounter() } catch { preconditionFailure("no eventfd: \(error)") }
  }

  func put(_ item: UInt64) {
    items.withLock { $0.append(item) }
    counter.signal()
  }

  /// An item may take twenty times as long as it should, so that a busy machine causes no failure.
  private static let timeoutMilliseconds: Int32 = 20_000

  /// The next item, when it arrives; `nil` if it does not.
  func take() -> UInt64? {
    while true {
      let item = items.withLock { items in
        counter.drain()
        return items.isEmpty ? nil : items.removeFirst()
      }
      if let item { return item }
      var entry = pollfd(fd: counter.descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&entry, 1, Self.timeoutMilliseconds) == 0 { return nil }
    }
  }
}
