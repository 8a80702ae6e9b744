import Synchronization

/// Messages from some threads to one, which polls a descriptor or waits for it.
///
/// The mailbox has no limit of its own: the senders limit the number of items in it. The lock is held for an append or
/// a swap.
package final class Mailbox<Item: Sendable>: Sendable {
  private let items = Mutex<[Item]>([])
  private let arrivals: EventCounter

  /// An empty mailbox.
  package init() throws(SystemError) {
    arrivals = try EventCounter()
  }

  /// The descriptor that becomes readable when there are items.
  package var descriptor: Int32 { arrivals.descriptor }

  /// Adds an item. Any thread may call it.
  package func post(_ item: Item) {
    items.withLock { $0.append(item) }
    arrivals.signal()
  }

  /// Takes all items, in order. Only the receiver may call it.
  package func take() -> [Item] {
    arrivals.drain()
    return items.withLock { items in
      defer { items = [] }
      return items
    }
  }

  /// Waits until there are items, at most for `limit`. Only the receiver may call it.
  ///
  /// - Returns: whether there are any.
  @discardableResult
  package func wait(upTo limit: Duration? = nil) -> Bool { arrivals.wait(upTo: limit) }
}
