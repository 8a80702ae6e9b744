import MotionModel

/// Transactions that wait for their `at`, the earliest first; transactions of one time are in the order of their
/// commit.
struct WaitingTransactions {
  struct Entry {
    var at: Double
    var sequence: UInt64
    var transaction: Transaction
    /// Whether it is from a journal: another process checked it, perhaps with other limits and types.
    var isStored: Bool
    /// About how many bytes it takes where it is stored, including its provenance.
    let bytes: Int

    init(
      at: Double, sequence: UInt64, transaction: Transaction, by provenance: Provenance? = nil, isStored: Bool = false
    ) {
      (self.at, self.sequence, self.transaction, self.isStored) = (at, sequence, transaction, isStored)
      bytes = Self.bytes(of: transaction, by: provenance)
    }

    /// About how many bytes a transaction takes where it is stored, including its provenance.
    static func bytes(of transaction: Transaction, by provenance: Provenance?) -> Int {
      transaction.storedBytes + (provenance?.storedBytes ?? 0)
    }
  }

  /// A place between entries: after those up to this time and, of this time, up to this sequence.
  struct Place {
    let at: Double
    let sequence: UInt64
  }

  /// Sorted. The first ``taken`` are gone already: a show is committed and taken in order of time, at either end.
  private var entries: [Entry?] = []
  private var taken = 0
  /// How many bytes the transactions take where they are stored, roughly.
  private(set) var bytes = 0
  /// How many operations are due in each tenth of a simulated second.
  private var operations: [Int64: Int] = [:]

  var count: Int { entries.count - taken }
  /// The time of the earliest transaction.
  var earliest: Double? { count > 0 ? entries[taken]?.at : nil }

  /// The waiting transactions, in order.
  var inOrder: [Entry] { entries.compactMap { $0 } }

  /// The sequences of the waiting transactions.
  var sequences: Set<UInt64> { Set(entries.lazy.compactMap { $0?.sequence }) }

  /// Whether the transaction of this sequence waits.
  func contains(_ sequence: UInt64) -> Bool { entries.contains { $0?.sequence == sequence } }

  /// Whether a waiting transaction satisfies the predicate.
  func contains(where isAsTold: (Transaction) -> Bool) -> Bool {
    entries.contains { $0.map { isAsTold($0.transaction) } ?? false }
  }

  /// Calls `body` with each waiting transaction.
  func forEach(_ body: (Transaction) -> Void) {
    for entry in entries { if let entry { body(entry.transaction) } }
  }

  /// How many operations wait for the tenth of a simulated second in which this time lies.
  func operations(dueWith time: Double) -> Int { operations[Self.tenth(of: time)] ?? 0 }

  /// The tenth of a second in which a time lies; times are within ``/MotionModel/Limits/durationSeconds``.
  private static func tenth(of time: Double) -> Int64 { Int64((max(-1e12, min(1e12, time)) * 10).rounded(.down)) }

  private mutating func count(_ entry: Entry, _ sign: Int) {
    bytes += sign * entry.bytes
    let tenth = Self.tenth(of: entry.at)
    let left = operations[tenth, default: 0] + sign * entry.transaction.log.count
    operations[tenth] = left == 0 ? nil : left
  }

  /// Keeps a transaction until its time. Costs nothing for the latest of all, else linear.
  mutating func insert(_ entry: Entry) {
    count(entry, 1)
    entries.insert(entry, at: index { ($0.at, $0.sequence) < (entry.at, entry.sequence) })
  }

  /// The entries after a place, in order, at most so many; from the first on without a place.
  func entries(behind place: Place?, atMost count: Int) -> [Entry] {
    let start = place.map { place in index { ($0.at, $0.sequence) <= (place.at, place.sequence) } } ?? taken
    return entries[start...].prefix(count).compactMap(\.self)
  }

  /// The end of the entries that come before a place.
  private func index(_ isBefore: (Entry) -> Bool) -> Int {
    var (low, high) = (taken, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].map(isBefore) ?? true { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Takes out the transactions that are due at `time`, in order.
  mutating func take(dueAt time: Double) -> [Entry] {
    var due: [Entry] = []
    while taken < entries.count, let first = entries[taken], first.at <= time {
      due.append(first)
      count(first, -1)
      entries[taken] = nil
      taken += 1
    }
    // Moving the others down costs no more than taking these did.
    if taken * 2 >= entries.count {
      entries.removeFirst(taken)
      taken = 0
    }
    return due
  }

  /// Takes out the transactions of these sequences.
  mutating func withdraw(_ sequences: Set<UInt64>) {
    for case let entry? in entries where sequences.contains(entry.sequence) { count(entry, -1) }
    entries.removeAll { $0.map { sequences.contains($0.sequence) } ?? true }
    taken = 0
  }

  /// Takes out all transactions.
  mutating func removeAll() { self = WaitingTransactions() }
}
