import MotionJournal

/// A journal that notes which of its writes fail.
final class WitnessedJournal: Journal {
  /// What was noted. It belongs to the one thread of the simulation, hence unchecked.
  final class Notes: @unchecked Sendable {
    var census = Census()
  }

  private let journal: any Journal
  private let notes: Notes

  init(_ journal: any Journal, _ notes: Notes) { (self.journal, self.notes) = (journal, notes) }

  func contents() throws(JournalError) -> JournalContents { try journal.contents() }

  func append(_ rows: [JournalRow]) throws(JournalError) {
    do {
      try journal.append(rows)
    } catch {
      notes.census.note(.rowsTorn, if: error.code == .broken)
      throw error
    }
  }

  func checkpoint(_ update: CheckpointUpdate, check: CheckpointCheck) throws(JournalError) -> Int {
    do {
      return try journal.checkpoint(update, check: check)
    } catch {
      notes.census.note(.checkpointTorn, if: error.code == .broken)
      throw error
    }
  }

  func part(_ number: UInt64) throws(JournalError) -> [UInt8]? { try journal.part(number) }
  func tidy() throws(JournalError) -> Bool { try journal.tidy() }
  func close() { journal.close() }
}
