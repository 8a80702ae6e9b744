import MotionModel

/// Transactions that wait for their `at`, the earliest first; those of one time in the order of their commit.
struct WaitingTransactions {
  struct Entry {
    var at: Double
    var sequence: UInt64
    var transaction: Transaction
    /// Whether it is from a journal: it was checked by another process, with other limits and types perhaps.
    var isStored: Bool
    /// About how many bytes it takes where it is stored, with who committed it.
    let bytes: Int

    init(
      at: Double, sequence: UInt64, transaction: Transaction, by provenance: Provenance? = nil, isStored: Bool = false
    ) {
      (self.at, self.sequence, self.transaction, self.isStored) = (at, sequence, transaction, isStored)
      bytes = Self.bytes(of: transaction, by: provenance)
    }

    /// About how many bytes a transaction takes where it is stored, with who committed it.
    static func bytes(of transaction: Transaction, by provenance: Provenance?) -> Int {
      transaction.storedBytes + (provenance?.storedBytes ?? 0)
    }
  }

  /// A place between entries: behind those up to this time, and of this time up to this sequence.
  struct Place {
    let at: Double
    let sequence: UInt64
  }

  /// Sorted. The first ``taken`` are gone already: a show is committed and taken in order of time, at either end.
  private var entries: [Entry?] = []
  private var taken = 0
  /// How many bytes they take where they are stored, roughly.
  private(set) var bytes = 0

  var count: Int { entries.count - taken }
  /// The time that the earliest waits for.
  var earliest: Double? { count > 0 ? entries[taken]?.at : nil }

  /// Those that wait, in order.
  var inOrder: [Entry] { entries.compactMap { $0 } }

  /// The sequences of those that wait.
  var sequences: Set<UInt64> { Set(entries.lazy.compactMap { $0?.sequence }) }

  /// Whether the transaction of this sequence waits.
  func contains(_ sequence: UInt64) -> Bool { entries.contains { $0?.sequence == sequence } }

  /// Whether one that waits is as told.
  func contains(where isAsTold: (Transaction) -> Bool) -> Bool {
    entries.contains { $0.map { isAsTold($0.transaction) } ?? false }
  }

  /// Calls `body` with each that waits.
  func forEach(_ body: (Transaction) -> Void) {
    for entry in entries { if let entry { body(entry.transaction) } }
  }

  /// Keeps a transaction until its time. Costs nothing for the latest of all, else linear.
  mutating func insert(_ entry: Entry) {
    bytes += entry.bytes
    entries.insert(entry, at: index { ($0.at, $0.sequence) < (entry.at, entry.sequence) })
  }

  /// Those behind a place, in order, at most so many; from the first on without a place.
  func entries(behind place: Place?, atMost count: Int) -> [Entry] {
    let start = place.map { place in index { ($0.at, $0.sequence) <= (place.at, place.sequence) } } ?? taken
    return entries[start...].prefix(count).compactMap(\.self)
  }

  /// Where those end that come before something.
  private func index(_ isBefore: (Entry) -> Bool) -> Int {
    var (low, high) = (taken, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].map(isBefore) ?? true { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Takes out what is due at `time`, in order.
  mutating func take(dueAt time: Double) -> [Entry] {
    var due: [Entry] = []
    while taken < entries.count, let first = entries[taken], first.at <= time {
      due.append(first)
      bytes -= first.bytes
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
    entries.removeAll { $0.map { sequences.contains($0.sequence) } ?? true }
    taken = 0
    bytes = entries.reduce(0) { $0 + ($1?.bytes ?? 0) }
  }

  /// Takes out everything.
  mutating func removeAll() { (entries, taken, bytes) = ([], 0, 0) }
}
