import GRDB

/// Which rows can go, as far as that has to be known between two transactions.
///
/// Rows that a checkpoint covers lose their bodies and move to the history, from which the oldest are forgotten when they
/// are too old or too many. Each append takes along twice as many as it brings, so that the backlog shrinks whatever
/// happens, and no append takes longer than three.
struct Backlog: Sendable, Equatable {
  /// The row that the last checkpoint is of.
  var covered: UInt64
  /// The last row whose body has gone.
  private var compacted: UInt64
  /// Rows that have an identity.
  private var identities: Int
  /// Rows whose bodies have gone and that are still there.
  private var remembered: Int
  /// When the newest row was written.
  private var newest: Int64
  /// When the oldest row of the history was written, if it has an identity; the least number if it has none.
  private var oldest: Int64?

  /// What one append takes along besides twice its own number, so that a trickle of rows gets rid of a pile, too.
  static let rowsBesides = 16
  /// The bytes of bodies that one step frees: 256 pages, which take a millisecond. A larger body is a step of its own.
  static let bytesPerStep = 1 << 20
  /// Rows of one step of `tidy`: a few milliseconds.
  static let rowsPerStep = 1000
  /// Rows that are remembered at most, also for the sake of chains in which few have an identity.
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

  /// Whether there are rows that can go.
  var isEmpty: Bool { compacted >= covered && !mayForget }

  /// Lets some rows go that a checkpoint covers, in a transaction that is under way.
  mutating func compact(after appended: Int, _ statements: JournalStatements) throws {
    try compact(rows: 2 * appended + Self.rowsBesides, statements)
  }

  /// Likewise for up to `count` rows.
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
