import MotionJournal

extension JournalRow {
  /// A row that is unlike any other: a second after the one before, with an identity unless it is every fifth.
  static func sample(_ sequence: UInt64, bytes: Int = 40) -> JournalRow {
    let hasIdentity = sequence % 5 != 0
    return JournalRow(
      sequence: sequence, wallTime: 1_700_000_000_000_000_000 + Int64(sequence) * 1_000_000_000,
      identity: hasIdentity ? Array("id-\(sequence)".utf8) : [],
      digest: hasIdentity ? Array("digest-\(sequence)".utf8) : [],
      answer: hasIdentity ? Array("answer-\(sequence)".utf8) : [],
      body: (0..<bytes).map { UInt8(truncatingIfNeeded: UInt64($0) &* 31 &+ sequence) })
  }

  static func samples(_ sequences: ClosedRange<UInt64>, bytes: Int = 40) -> [JournalRow] {
    sequences.map { sample($0, bytes: bytes) }
  }
}

extension JournalCheckpoint {
  static func sample(_ sequence: UInt64, bytes: Int = 100) -> JournalCheckpoint {
    JournalCheckpoint(
      sequence: sequence, body: (0..<bytes).map { UInt8(truncatingIfNeeded: UInt64($0) &* 7 &+ sequence) })
  }
}

extension Journal {
  /// Replaces the checkpoint by one with a single part.
  func checkpoint(_ checkpoint: JournalCheckpoint) throws(JournalError) {
    try self.checkpoint(CheckpointUpdate(checkpoint))
  }
}

extension Sequence<JournalRow> {
  /// The stored identities of the rows that have one.
  var identities: [JournalIdentity] { filter { !$0.identity.isEmpty }.map(JournalIdentity.init(of:)) }
}
