import GRDB

/// The rows that can be removed, as far as this must be known between two transactions.
///
/// Rows that a checkpoint covers lose their bodies and move to the history. The oldest rows of the history are deleted
/// when they are too old or too many. Each append also compacts up to twice as many rows as it adds, and
/// ``rowsBesides``. So the backlog shrinks in every case, and the work of an append stays in proportion to its rows.
struct Backlog: Sendable, Equatable {
  /// The last row that the checkpoint covers.
  var covered: UInt64
  /// The last row whose body was removed.
  private var compacted: UInt64
  /// The number of rows that have an identity.
  private var identities: Int
  /// The number of rows in the history.
  private var remembered: Int
  /// The wall time of the newest row.
  private var newest: Int64
  /// The wall time of the oldest row of the history, or the least number if that row has no identity; `nil` if the
  /// history is empty.
  private var oldest: Int64?

  /// Rows that one append compacts in addition to twice its own number, so that a trickle of rows removes a large
  /// backlog, too.
  static let rowsBesides = 16
  /// Bytes of bodies that one step removes: 256 pages, which take a millisecond. A larger body is a step of its own.
  static let bytesPerStep = 1 << 20
  /// Rows that one step of `tidy` compacts: a few milliseconds.
  static let rowsPerStep = 1000
  /// The maximum number of rows in the history, which also limits journals in which few rows have an identity.
  static let remembered = 2 * JournalLimits.identities

  init(_ stored: StoredJournal, head: JournalHead) {
    let history = stored.rows.prefix { $0.isHistory }
    covered = stored.checkpoint?.sequence ?? 0
    compacted = history.last?.row.sequence ?? stored.anchor
    identities = stored.rows.count { !$0.row.identity.isEmpty }
    remembered = history.count
    newest = stored.rows.last?.row.wallTime ?? .min
    oldest = history.first.map { $0.row.identity.isEmpty ? .min : $0.row.wallTime }
  }

  /// Counts rows that are being appended.
  mutating func add(_ rows: [JournalRow]) {
    identities += rows.count { !$0.identity.isEmpty }
    newest = rows.last?.wallTime ?? newest
  }

  /// Whether there are no rows to compact.
  var isEmpty: Bool { compacted >= covered && !mayForget }

  /// Compacts some rows that a checkpoint covers, within the current transaction.
  mutating func compact(after appended: Int, _ statements: JournalStatements) throws {
    try compact(rows: 2 * appended + Self.rowsBesides, statements)
  }

  /// Compacts likewise, up to `count` rows.
  mutating func compact(rows count: Int, _ statements: JournalStatements) throws {
    if compacted < covered { try move(count, statements) }
    if mayForget { try forget(count, statements) }
  }

  private mutating func move(_ count: Int, _ statements: JournalStatements) throws {
    var last = compacted
    var bytes = 0
    let end = min(covered, compacted + UInt64(count))
    let start = compacted
    try statements.sizes(after: start, through: end) { sequence, size in
      bytes += size
      guard bytes <= Self.bytesPerStep || last == start else { return false }
      last = sequence
      return true
    }
    guard last > start else { return }
    try statements.moveToHistory(after: start, through: last)
    remembered += Int(last - start)
    compacted = last
    if oldest == nil { try look(statements) }
  }

  private var mayForget: Bool {
    guard let oldest else { return false }
    return oldest == .min || identities > JournalLimits.identities || remembered > Self.remembered || isTooOld(oldest)
  }

  private func isTooOld(_ time: Int64) -> Bool { JournalLimits.isTooOld(time, at: newest) }

  private mutating func forget(_ count: Int, _ statements: JournalStatements) throws {
    var last: JournalStatements.Remembered?
    for row in try statements.oldest(count) {
      guard
        !row.hasIdentity || identities > JournalLimits.identities || remembered > Self.remembered
          || isTooOld(row.wallTime)
      else { break }
      last = row
      remembered -= 1
      if row.hasIdentity { identities -= 1 }
    }
    if let last { try statements.forget(through: last) }
    try look(statements)
  }

  private mutating func look(_ statements: JournalStatements) throws {
    oldest = try statements.oldest(1).first.map { $0.hasIdentity ? $0.wallTime : .min }
  }
}
