import DequeModule
import MotionModel

/// Stores which transactions were committed, so that a resent commit is applied once.
///
/// Ids are kept for 24 hours of the boot clock and at most 100,000 of them; the oldest are dropped first.
struct CommitMemory {
  /// The result of looking up an id.
  enum Recall: Equatable {
    /// It is new.
    case new
    /// It was committed with the same body; this was the receipt.
    case same(Receipt)
    /// It was committed with another body.
    case other
  }

  private struct Entry {
    var digest: TransactionDigest
    var receipt: Receipt
  }

  private var entries: [TransactionID: Entry] = [:]
  private var order: Deque<(id: TransactionID, time: Duration)> = []

  /// Looks up `id`, and compares its body's digest.
  mutating func recall(_ id: TransactionID, _ digest: TransactionDigest, at now: Duration) -> Recall {
    forget(at: now)
    guard let entry = entries[id] else { return .new }
    guard entry.digest == digest else { return .other }
    var receipt = entry.receipt
    receipt.isRepeat = true
    return .same(receipt)
  }

  /// Stores a commit.
  mutating func remember(_ id: TransactionID, _ digest: TransactionDigest, _ receipt: Receipt, at now: Duration) {
    entries[id] = Entry(digest: digest, receipt: receipt)
    order.append((id, now))
    forget(at: now)
  }

  private mutating func forget(at now: Duration) {
    let lifetime = Duration.seconds(Limits.rememberedTransactionSeconds)
    while let oldest = order.first, entries.count > Limits.rememberedTransactions || now - oldest.time > lifetime {
      entries[oldest.id] = nil
      order.removeFirst()
    }
  }
}
