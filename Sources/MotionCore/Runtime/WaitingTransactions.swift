import MotionModel

/// Transactions that wait for their `at`, the earliest first; those of one time in the order of their commit.
struct WaitingTransactions {
  struct Entry {
    var at: Double
    var sequence: UInt64
    var transaction: Transaction
  }

  /// Sorted, the earliest last, so that taking one costs nothing.
  private var entries: [Entry] = []

  var count: Int { entries.count }
  /// The time that the earliest waits for.
  var earliest: Double? { entries.last?.at }

  /// Keeps a transaction until its time; linear, for shows are committed ahead of their time.
  mutating func insert(_ entry: Entry) {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      let other = entries[middle]
      if (other.at, other.sequence) > (entry.at, entry.sequence) { low = middle + 1 } else { high = middle }
    }
    entries.insert(entry, at: low)
  }

  /// Takes out what is due at `time`, in order.
  mutating func take(dueAt time: Double) -> [Entry] {
    var due: [Entry] = []
    while let last = entries.last, last.at <= time {
      due.append(last)
      entries.removeLast()
    }
    return due
  }

  /// Takes out the transactions of these sequences.
  mutating func withdraw(_ sequences: Set<UInt64>) {
    entries.removeAll { sequences.contains($0.sequence) }
  }

  /// Takes out everything.
  mutating func removeAll() { entries = [] }
}
