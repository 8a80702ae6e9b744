extension JournalRow {
  /// Checks the requirements of both journals for rows, before any row is written.
  ///
  /// A gap is an error of the caller, which counts the rows, and traps. Sizes depend on external input, so they throw.
  static func check(_ rows: [JournalRow], after last: UInt64, at place: String) throws(JournalError) {
    var expected = last
    let inParts = "Commit it in parts"
    for row in rows {
      expected += 1
      precondition(row.sequence == expected, "row \(row.sequence) does not follow row \(expected - 1)")
      guard row.body.count <= JournalLimits.bodyBytes else {
        throw .tooLarge("row \(row.sequence)", row.body.count, JournalLimits.bodyBytes, at: place, inParts)
      }
      let rest = max(row.identity.count, row.digest.count, row.answer.count)
      guard rest <= JournalLimits.identityBytes else {
        let what = "identity, digest or answer of row \(row.sequence)"
        throw .tooLarge(what, rest, JournalLimits.identityBytes, at: place, inParts)
      }
    }
  }
}

extension CheckpointUpdate {
  /// The remedy for a checkpoint that is too large.
  fileprivate static let remedy = "Forget targets that are not needed any more (motionctl forget)"

  /// Checks a checkpoint likewise: it covers a row that exists, and at least as many rows as the previous checkpoint.
  /// ``PartIndex/check(_:at:)`` checks its total size later.
  func check(from first: UInt64, to last: UInt64, at place: String) throws(JournalError) {
    precondition(sequence >= first, "the checkpoint is of row \(sequence), and the one before of row \(first)")
    precondition(sequence <= last, "the checkpoint is of row \(sequence), and the last row is \(last)")
    for part in parts where part.body.count > JournalLimits.checkpointBytes {
      throw .tooLarge(
        "part \(part.number) of the checkpoint of row \(sequence)", part.body.count, JournalLimits.checkpointBytes,
        at: place, Self.remedy)
    }
  }
}

extension PartIndex {
  /// Checks that the parts of a checkpoint are within the limit together.
  func check(_ sequence: UInt64, at place: String) throws(JournalError) {
    guard bytes <= JournalLimits.checkpointBytes else {
      throw .tooLarge(
        "checkpoint of row \(sequence)", bytes, JournalLimits.checkpointBytes, at: place, CheckpointUpdate.remedy)
    }
  }
}

extension JournalError {
  fileprivate static func tooLarge(
    _ what: String, _ count: Int, _ limit: Int, at place: String, _ remedy: String
  ) -> JournalError {
    JournalError(
      .tooLarge, at: "\(place), \(what)", "it has \(count) bytes, and at most \(limit) are allowed", remedy: remedy)
  }
}
