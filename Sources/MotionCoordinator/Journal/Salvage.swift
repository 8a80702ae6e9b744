package import MotionJournal
import MotionModel
import MotionWire

/// What a start can go on from when a loss is accepted: whatever of a journal can be read, and what that leaves out.
///
/// What cannot be read is put in the place of by what says nothing, so that rows keep their numbers. A start goes on from the
/// result; it takes the same steps as ``Recovery`` does.
package struct Salvage {
  /// What can be read.
  package private(set) var contents: JournalContents
  /// What cannot, each in words that fit behind "lost:"; empty if everything can.
  package private(set) var losses: [String] = []

  /// How many rows are named one by one.
  private static let named = 3

  /// Looks at everything, and leaves out what cannot be read.
  package init(_ contents: JournalContents) {
    self.contents = contents
    salvageRows()
    salvageIdentities()
    salvageCheckpoint()
  }

  private mutating func salvageRows() {
    var lost: [String] = []
    for index in contents.rows.indices {
      do {
        _ = try JournalCoding.recoveredEntry(in: contents.rows[index].body)
      } catch {
        let row = contents.rows[index]
        lost.append("row \(row.sequence), which cannot be read: \(error)")
        contents.identities.removeAll { $0.sequence == row.sequence }
        let void = JournalEntry(.void, frame: Frame(number: 0, time: 0, dt: 0), time: 0)
        contents.rows[index] = JournalRow(
          sequence: row.sequence, wallTime: row.wallTime, body: JournalCoding.bytes(of: void))
      }
    }
    losses += lost.prefix(Self.named)
    if lost.count > Self.named { losses.append("\(lost.count - Self.named) more rows") }
  }

  private mutating func salvageIdentities() {
    let before = contents.identities.count
    contents.identities.removeAll { identity in
      TransactionID(bytes: identity.identity) != nil && TransactionDigest(bytes: identity.digest) != nil
        && (try? JournalCoding.receipt(in: identity.answer)) == nil
    }
    let lost = before - contents.identities.count
    if lost > 0 { losses.append("\(lost) ids, so that such a commit, sent again, would be done again") }
  }

  private mutating func salvageCheckpoint() {
    guard let checkpoint = contents.checkpoint else { return }
    do {
      _ = try JournalCoding.recoveredCheckpoint(in: checkpoint.body)
    } catch {
      losses.append(
        "the checkpoint of row \(checkpoint.sequence), which cannot be read (\(error)): everything up to that row, "
          + "identities excepted")
      let world = emptyWorld(after: checkpoint.sequence)
      contents.checkpoint = JournalCheckpoint(sequence: checkpoint.sequence, body: JournalCoding.bytes(of: world))
    }
  }

  /// A runtime in which nothing is left, and whose next transaction gets a number that none before had.
  private func emptyWorld(after row: UInt64) -> RuntimeCheckpoint {
    var world = RuntimeCheckpoint()
    let receipts = contents.identities.compactMap { try? JournalCoding.receipt(in: $0.answer).sequence }
    world.lastSequence = max(row, receipts.max() ?? 0)
    for row in contents.rows {
      // The first entry that says when it was: time goes on from there.
      guard let entry = try? JournalCoding.recoveredEntry(in: row.body), entry.frame.number > 0 else { continue }
      (world.frame, world.clock.time) = (entry.frame, entry.time)
      break
    }
    return world
  }
}
