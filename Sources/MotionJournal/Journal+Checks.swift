extension JournalRow {
  /// Checks what both kinds of journal ask of rows before they write any.
  ///
  /// A gap is a mistake of the caller, who counts; sizes come from outside.
  static func check(_ rows: [JournalRow], after last: UInt64, at place: String) throws(JournalError) {
    var expected = last
    for row in rows {
      expected += 1
      precondition(row.sequence == expected, "row \(row.sequence) does not follow row \(expected - 1)")
      guard row.body.count <= JournalLimits.bodyBytes else {
        throw .tooLarge("row \(row.sequence)", row.body.count, JournalLimits.bodyBytes, at: place)
      }
      let rest = max(row.identity.count, row.digest.count, row.answer.count)
      guard rest <= JournalLimits.identityBytes else {
        let what = "identity, digest or answer of row \(row.sequence)"
        throw .tooLarge(what, rest, JournalLimits.identityBytes, at: place)
      }
    }
  }
}

extension JournalCheckpoint {
  /// Likewise for a checkpoint: it covers a row that is there, and no fewer rows than the one before.
  func check(against contents: JournalContents, at place: String) throws(JournalError) {
    try check(from: contents.checkpoint?.sequence ?? 0, to: contents.lastSequence, at: place)
  }

  func check(from first: UInt64, to last: UInt64, at place: String) throws(JournalError) {
    precondition(sequence >= first, "the checkpoint is of row \(sequence), and the one before of row \(first)")
    precondition(sequence <= last, "the checkpoint is of row \(sequence), and the last row is \(last)")
    guard body.count <= JournalLimits.checkpointBytes else {
      throw .tooLarge("checkpoint of row \(sequence)", body.count, JournalLimits.checkpointBytes, at: place)
    }
  }
}

extension JournalError {
  fileprivate static func tooLarge(_ what: String, _ count: Int, _ limit: Int, at place: String) -> JournalError {
    JournalError(
      .tooLarge, at: "\(place), \(what)", "it has \(count) bytes, and at most \(limit) are allowed",
      remedy: "Commit it in parts")
  }
}
