import GRDB

/// The prepared statements of a journal.
final class JournalStatements {
  private let insert: SQLiteStatement
  private let link: SQLiteStatement
  private let removeCheckpoint: SQLiteStatement
  private let insertCheckpoint: SQLiteStatement
  private let removeParts: SQLiteStatement
  private let removePart: SQLiteStatement
  private let insertPart: SQLiteStatement
  private let part: SQLiteStatement
  private let allParts: SQLiteStatement
  private let sizes: SQLiteStatement
  private let copyToHistory: SQLiteStatement
  private let removeRows: SQLiteStatement
  private let oldest: SQLiteStatement
  private let removeHistory: SQLiteStatement
  private let setAnchor: SQLiteStatement

  init(_ database: Database) throws {
    func prepare(_ sql: String) throws -> SQLiteStatement { try SQLiteStatement(sql, in: database) }
    let columns = "sequence, wallTime, identity, digest, answer, checksum, link"
    insert = try prepare("INSERT INTO rows (\(columns), body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
    link = try prepare(
      "SELECT link FROM rows WHERE sequence = ?1 UNION ALL SELECT link FROM history WHERE sequence = ?1 "
        + "UNION ALL SELECT anchorLink FROM journal WHERE anchorSequence = ?1")
    removeCheckpoint = try prepare("DELETE FROM checkpoint")
    insertCheckpoint = try prepare(
      "INSERT INTO checkpoint (number, sequence, rowLink, previous, checksum, link) VALUES (?, ?, ?, ?, ?, ?)")
    removeParts = try prepare("DELETE FROM parts")
    removePart = try prepare("DELETE FROM parts WHERE number = ?")
    insertPart = try prepare("INSERT OR REPLACE INTO parts (number, checksum, body) VALUES (?, ?, ?)")
    part = try prepare("SELECT body FROM parts WHERE number = ?")
    allParts = try prepare("SELECT body FROM parts ORDER BY number")
    sizes = try prepare(
      "SELECT sequence, length(body) FROM rows WHERE sequence > ? AND sequence <= ? ORDER BY sequence")
    copyToHistory = try prepare(
      "INSERT INTO history (\(columns)) SELECT \(columns) FROM rows WHERE sequence > ? AND sequence <= ?")
    removeRows = try prepare("DELETE FROM rows WHERE sequence > ? AND sequence <= ?")
    oldest = try prepare("SELECT sequence, wallTime, length(identity), link FROM history ORDER BY sequence LIMIT ?")
    removeHistory = try prepare("DELETE FROM history WHERE sequence <= ?")
    setAnchor = try prepare("UPDATE journal SET anchorSequence = ?, anchorLink = ?")
  }

  func insert(_ row: JournalRow, checksum: Digest, link: Digest) throws {
    try insert.run(
      .integer(row.sequence), .integer(row.wallTime), .bytes(row.identity), .bytes(row.digest), .bytes(row.answer),
      .bytes(checksum.bytes), .bytes(link.bytes), .bytes(row.body))
  }

  /// The link of a row; `nil` if the row was deleted.
  func link(of sequence: UInt64) throws -> Digest? {
    var found: Digest?
    try link.query([.integer(sequence)]) { found = $0.digest(0) }
    return found
  }

  func replaceCheckpoint(
    _ number: UInt64, of sequence: UInt64, row: Digest, previous: Digest, checksum: Digest, link: Digest
  ) throws {
    try removeCheckpoint.run()
    try insertCheckpoint.run(
      .integer(number), .integer(sequence), .bytes(row.bytes), .bytes(previous.bytes), .bytes(checksum.bytes),
      .bytes(link.bytes))
  }

  /// Updates the parts. Unchanged parts are not written.
  ///
  /// - Returns: the numbers of the parts that were written.
  @discardableResult
  func update(_ parts: inout PartIndex, _ update: CheckpointUpdate) throws -> [UInt64] {
    var changed: [UInt64] = []
    if update.isWhole {
      parts = PartIndex()
      try removeParts.run()
    }
    for number in update.removed where parts.remove(number) { try removePart.run(.integer(number)) }
    for part in update.parts {
      let checksum = Digest(of: part.body)
      guard parts.set(part.number, checksum, bytes: part.body.count) else { continue }
      try insertPart.run(.integer(part.number), .bytes(checksum.bytes), .bytes(part.body))
      changed.append(part.number)
    }
    return changed
  }

  /// The body of a part; `nil` if it is not there.
  func part(_ number: UInt64) throws -> [UInt8]? {
    var found: [UInt8]?
    try part.query([.integer(number)]) { found = $0.bytes(0) }
    return found
  }

  /// The bodies of all parts, concatenated.
  func partBodies() throws -> [UInt8] {
    var bodies: [UInt8] = []
    try allParts.query([]) { bodies += $0.bytes(0) }
    return bodies
  }

  /// Calls `isWanted` with the sequence and the body size of each row after `first` and up to `last`, in order, until
  /// it returns false.
  func sizes(after first: UInt64, through last: UInt64, isWanted: (UInt64, Int) -> Bool) throws {
    struct Enough: Error {}
    do {
      try sizes.query([.integer(first), .integer(last)]) { columns in
        guard isWanted(columns.natural(0), Int(columns.integer(1))) else { throw Enough() }
      }
    } catch is Enough {}
  }

  /// Removes the bodies of the rows after `first` and up to `last`.
  func moveToHistory(after first: UInt64, through last: UInt64) throws {
    try copyToHistory.run(.integer(first), .integer(last))
    try removeRows.run(.integer(first), .integer(last))
  }

  /// A row of the history, without its body.
  struct Remembered {
    var sequence: UInt64
    var wallTime: Int64
    var hasIdentity: Bool
    var link: Digest
  }

  /// The first rows of the history.
  func oldest(_ count: Int) throws -> [Remembered] {
    var rows: [Remembered] = []
    try oldest.query([.integer(Int64(count))]) { columns in
      rows.append(
        Remembered(
          sequence: columns.natural(0), wallTime: columns.integer(1), hasIdentity: columns.integer(2) > 0,
          link: columns.digest(3) ?? .zero))
    }
    return rows
  }

  /// Deletes all rows up to this one. The chain then begins with it.
  func forget(through row: Remembered) throws {
    try removeHistory.run(.integer(row.sequence))
    try begin(at: row.sequence, link: row.link)
  }

  /// Makes the chain begin after a row with this sequence and link.
  func begin(at sequence: UInt64, link: Digest) throws {
    try setAnchor.run(.integer(sequence), .bytes(link.bytes))
  }
}
