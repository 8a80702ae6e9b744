/// Builds a journal with given contents.
enum JournalBuilder {
  /// Builds the journal at a place that has none, and closes it again.
  static func build(_ contents: JournalContents, at place: JournalPlace) throws(JournalError) {
    let opening = try JournalOpening(place)
    guard let connection = opening.connection, opening.verdict.isWhole else {
      throw opening.verdict.error(at: place.directory)
    }
    var head = opening.head
    do {
      try connection.transact { database in
        let statements = try JournalStatements(database)
        head = try write(contents, to: head, statements)
      }
      try connection.emptyLog(truncating: true)
      try connection.close()
    } catch {
      throw JournalError(error, at: place.database)
    }
    try opening.headFile.write(head)
    opening.headFile.close()
  }

  private static func write(
    _ contents: JournalContents, to new: JournalHead, _ statements: JournalStatements
  ) throws -> JournalHead {
    var head = new
    var seal = Seal()
    func add(_ row: JournalRow) throws {
      let checksum = Digest(of: row.body)
      head.link = seal.link(of: row, checksum: checksum, after: head.link)
      head.sequence = row.sequence
      try statements.insert(row, checksum: checksum, link: head.link)
    }
    let covered = contents.checkpoint?.sequence ?? 0
    let remembered = contents.identities.filter { $0.sequence <= covered }
    // The chain has no gaps, so empty rows replace the rows that are unknown.
    if covered > 0 {
      head.sequence = (remembered.first?.sequence ?? covered + 1) - 1
      try statements.begin(at: head.sequence, link: head.link)
      for identity in remembered {
        while head.sequence + 1 < identity.sequence { try add(.nothing(head.sequence + 1, identity.wallTime)) }
        try add(JournalRow(of: identity))
      }
      while head.sequence < covered { try add(.nothing(head.sequence + 1, remembered.last?.wallTime ?? 0)) }
      try statements.moveToHistory(after: 0, through: covered)
    }
    if let checkpoint = contents.checkpoint {
      head.checkpoint = 1
      var parts = PartIndex()
      try statements.update(&parts, CheckpointUpdate(checkpoint))
      let checksum = parts.checksum
      head.checkpointLink = seal.link(
        ofCheckpoint: 1, sequence: covered, row: head.link, checksum: checksum, after: new.checkpointLink)
      try statements.replaceCheckpoint(
        1, of: covered, row: head.link, previous: new.checkpointLink, checksum: checksum, link: head.checkpointLink)
    }
    for row in contents.rows { try add(row) }
    return head
  }
}

extension JournalRow {
  fileprivate static func nothing(_ sequence: UInt64, _ time: Int64) -> JournalRow {
    JournalRow(sequence: sequence, wallTime: time, body: [])
  }

  fileprivate init(of identity: JournalIdentity) {
    self.init(
      sequence: identity.sequence, wallTime: identity.wallTime, identity: identity.identity, digest: identity.digest,
      answer: identity.answer, body: [])
  }
}
