import GRDB

/// A row as it was read.
struct StoredRow {
  /// The row; its body is empty if it was removed.
  var row: JournalRow
  /// Whether a checkpoint covers it and its body was removed.
  var isHistory: Bool
  /// The digest of the body, as stored.
  var checksum: Digest?
  /// The link of the chain, as stored.
  var link: Digest?
}

/// A checkpoint as it was read.
struct StoredCheckpoint {
  var number: UInt64
  var sequence: UInt64
  /// The link of the last row that it covers.
  var rowLink: Digest?
  /// The link of the previous checkpoint.
  var previous: Digest?
  var checksum: Digest?
  var link: Digest?
  /// In the order of their numbers.
  var parts: [StoredPart] = []
}

extension StoredCheckpoint {
  /// The state: all parts, concatenated.
  var body: [UInt8] {
    var body: [UInt8] = []
    body.reserveCapacity(parts.reduce(0) { $0 + $1.body.count })
    for part in parts { body += part.body }
    return body
  }
}

/// A part of a checkpoint as it was read.
struct StoredPart {
  var number: UInt64
  /// The digest of the body, as stored.
  var checksum: Digest?
  var body: [UInt8]
}

extension PartIndex {
  /// An index of the parts that were read.
  init(_ parts: [StoredPart]) {
    self.init()
    for part in parts { _ = set(part.number, part.checksum ?? .zero, bytes: part.body.count) }
  }
}

/// The complete contents of a journal's database, as read and not yet verified.
struct StoredJournal {
  var id: [UInt8] = []
  /// The beginning of the chain: the last row that was deleted, 0 if none was, and its link.
  var anchor: UInt64 = 0
  var anchorLink: Digest?
  /// The rows in order, those without bodies first.
  var rows: [StoredRow] = []
  var checkpoint: StoredCheckpoint?
  /// Why the contents could not be read completely.
  var failure: String?

  /// Empty contents, with this reason.
  init(failure: String) {
    self.failure = failure
  }

  /// Reads everything. The first error ends the reading and is stored in ``failure``.
  init(readingFrom database: Database) {
    do {
      try read(database)
    } catch {
      failure = String(describing: error)
    }
  }

  private mutating func read(_ database: Database) throws {
    var count = 0
    try SQLiteStatement("SELECT id, anchorSequence, anchorLink FROM journal", in: database).query([]) { columns in
      (id, anchor, anchorLink) = (columns.bytes(0), columns.natural(1), columns.digest(2))
      count += 1
    }
    guard count == 1, id.count == JournalHead.idBytes else {
      failure = "the table \"journal\" does not hold one row with an id of \(JournalHead.idBytes) bytes"
      return
    }
    var checkpoints = 0
    let checkpoint = try SQLiteStatement(
      "SELECT number, sequence, rowLink, previous, checksum, link FROM checkpoint", in: database)
    try checkpoint.query([]) { columns in
      self.checkpoint = StoredCheckpoint(
        number: columns.natural(0), sequence: columns.natural(1), rowLink: columns.digest(2),
        previous: columns.digest(3), checksum: columns.digest(4), link: columns.digest(5))
      checkpoints += 1
    }
    if checkpoints > 1 { failure = "there are \(checkpoints) checkpoints, and there may be one" }
    try SQLiteStatement("SELECT number, checksum, body FROM parts ORDER BY number", in: database).query([]) { columns in
      self.checkpoint?.parts.append(
        StoredPart(number: columns.natural(0), checksum: columns.digest(1), body: columns.bytes(2)))
    }
    for table in ["history", "rows"] { try read(table, of: database) }
  }

  private mutating func read(_ table: String, of database: Database) throws {
    let isHistory = table == "history"
    let body = isHistory ? "" : ", body"
    let statement = try SQLiteStatement(
      "SELECT sequence, wallTime, identity, digest, answer, checksum, link\(body) FROM \(table) ORDER BY sequence",
      in: database)
    try statement.query([]) { columns in
      let row = JournalRow(
        sequence: columns.natural(0), wallTime: columns.integer(1), identity: columns.bytes(2),
        digest: columns.bytes(3), answer: columns.bytes(4), body: isHistory ? [] : columns.bytes(7))
      rows.append(
        StoredRow(row: row, isHistory: isHistory, checksum: columns.digest(5), link: columns.digest(6)))
    }
  }
}
