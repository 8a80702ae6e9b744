import Glibc
import Synchronization

/// Letters from some threads to one, which polls a descriptor or waits for it.
///
/// It holds what it is given: who posts keeps a bound on what is under way. The lock is held for an append or a swap.
package final class Mailbox<Item: Sendable>: Sendable {
  private let items = Mutex<[Item]>([])
  private let arrivals: EventCounter

  /// An empty box.
  package init() throws(SystemError) {
    arrivals = try EventCounter()
  }

  /// The descriptor that becomes readable when there are items.
  package var descriptor: Int32 { arrivals.descriptor }

  /// Adds an item; any thread may.
  package func post(_ item: Item) {
    items.withLock { $0.append(item) }
    arrivals.signal()
  }

  /// Takes out all items, in order; the receiver's call.
  package func take() -> [Item] {
    arrivals.drain()
    return items.withLock { items in
      defer { items = [] }
      return items
    }
  }

  /// Waits until there are items, at most for `limit`; the receiver's call.
  ///
  /// - Returns: whether there are any.
  @discardableResult
  package func wait(upTo limit: Duration? = nil) -> Bool {
    let deadline = limit.map { BootClock.now + $0 }
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      // Rounded up, so that it is not asked again and again for the last part of a millisecond.
      let rest = deadline.map { Int32(clamping: max(0, ($0 - BootClock.now).wholeMilliseconds)) }
      let count = poll(&entry, 1, rest ?? -1)
      if count > 0 { return true }
      if let deadline, BootClock.now >= deadline { return false }
    }
  }
}
