import MotionModel
import MotionWire

@testable import MotionCoordinator
@testable import MotionJournal

/// A journal that records which of its writes fail.
final class ObservedJournal: Journal {
  /// The record. It belongs to the one thread of the simulation, hence unchecked.
  final class Notes: @unchecked Sendable {
    var census = Census()
    /// Events since the newest checkpoint: a waiting transaction became due, a row was written after that, and a
    /// withdrawal was written.
    var (hasDue, hasRowAfterDue, hasWithdrawal) = (false, false, false)
    /// The sequences of the transactions that motiond commits itself, for lists of cues.
    var ofCues: Set<UInt64> = []
  }

  private let journal: any Journal
  private let notes: Notes

  init(_ journal: any Journal, _ notes: Notes) { (self.journal, self.notes) = (journal, notes) }

  func contents() throws(JournalError) -> JournalContents { try journal.contents() }

  func append(_ rows: [JournalRow]) throws(JournalError) {
    do {
      try journal.append(rows)
      if notes.hasDue { notes.hasRowAfterDue = true }
      for row in rows {
        switch try? JournalCoding.entry(in: row.body).event {
        case .withdraw: notes.hasWithdrawal = true
        case .commit(let sequence, let commit, _) where commit.client == "cue list": notes.ofCues.insert(sequence)
        default: break
        }
      }
    } catch {
      notes.census.note(.rowsTorn, if: error.code == .broken)
      throw error
    }
  }

  func checkpoint(_ update: CheckpointUpdate, check: CheckpointCheck) throws(JournalError) -> Int {
    do {
      defer { (notes.hasDue, notes.hasRowAfterDue, notes.hasWithdrawal) = (false, false, false) }
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
