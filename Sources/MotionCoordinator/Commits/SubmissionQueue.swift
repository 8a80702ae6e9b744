import MotionModel

/// The submissions on their way to the disk, in order.
struct SubmissionQueue {
  /// A submission that is not on disk yet.
  enum Item {
    case commit(PendingCommit)
    /// It was applied at once; the requester is answered when it is durable.
    case stop(StopRequest, Requester)
    case clock(Requester)
    /// The transactions of clients that are gone, or a waiting one that its requester cancels.
    case withdraw([UInt64], Requester?)
    /// The present time.
    case time
  }

  /// The most submissions on their way to the disk: ten seconds of the fastest clients, should the disk stall so long.
  static let mostItems = 65_536
  /// The most operations of all of them: as many as ten of the largest transactions have.
  static let mostOperations = 10 * Limits.operationsPerTransaction
  /// The most bytes of their messages: four of the largest, which take up to five times as much memory when decoded.
  static let mostBytes = 4 * Limits.clientMessageBytes

  private var items: [Item?] = []
  private var first = 0
  private var commits: [TransactionID: PendingCommit] = [:]
  private var operations = 0
  private var bytes = 0
  private var stopCount = 0

  /// The transaction of this id, if it is on its way to the disk.
  func commit(_ id: TransactionID) -> PendingCommit? { commits[id] }

  /// The sequences of the transactions in it.
  var sequences: Set<UInt64> { Set(commits.values.compactMap(\.sequence)) }

  /// Whether there is room for another transaction, whose message has so many bytes.
  func hasRoom(for transaction: Transaction, of count: Int) -> Bool {
    items.count - first < Self.mostItems && operations + transaction.log.count <= Self.mostOperations
      && bytes + count <= Self.mostBytes
  }

  /// Adds a submission that was passed to the journal's thread.
  mutating func append(_ item: Item) {
    items.append(item)
    switch item {
    case .commit(let commit):
      commit.submit()
      commits[commit.id] = commit
      operations += commit.operations
      bytes += commit.bytes
    case .stop: stopCount += 1
    case .clock, .withdraw, .time: break
    }
  }

  /// Removes and returns the oldest submission.
  mutating func takeOldest() -> Item? {
    guard first < items.count, let item = items[first] else { return nil }
    items[first] = nil
    first += 1
    if first * 2 >= items.count {
      items.removeFirst(first)
      first = 0
    }
    switch item {
    case .commit(let commit):
      commits[commit.id] = nil
      operations -= commit.operations
      bytes -= commit.bytes
    case .stop: stopCount -= 1
    case .clock, .withdraw, .time: break
    }
    return item
  }

  /// The stops after the oldest submission, in order: they apply to it, too.
  var stops: [StopRequest] {
    guard stopCount > 0 else { return [] }
    return items[first...].compactMap { if case .stop(let stop, _)? = $0 { stop } else { nil } }
  }
}
