package import MotionJournal
import MotionModel
import MotionWire

/// The part of a journal from which a start can continue when a loss is accepted, and the list of what is lost.
///
/// Rows that cannot be read are replaced by empty ones, so that rows keep their numbers. A start recovers from the
/// result, in the same steps as ``Recovery``.
package struct Salvage {
  /// The contents that can be read.
  package private(set) var contents: JournalContents
  /// The contents that cannot, each phrased to follow "lost:"; empty if everything can be read.
  package private(set) var losses: [String] = []

  /// How many rows are named one by one.
  private static let named = 3

  /// Examines everything, and leaves out what cannot be read.
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
    if lost > 0 { losses.append("\(lost) ids, so that a resent commit with one of them would be applied again") }
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

  /// An empty runtime, whose next transaction gets a higher number than any before.
  private func emptyWorld(after row: UInt64) -> RuntimeCheckpoint {
    var world = RuntimeCheckpoint()
    let receipts = contents.identities.compactMap { try? JournalCoding.receipt(in: $0.answer).sequence }
    world.lastSequence = max(row, receipts.max() ?? 0)
    for row in contents.rows {
      // The first entry with a frame gives the time at which the runtime continues.
      guard let entry = try? JournalCoding.recoveredEntry(in: row.body), entry.frame.number > 0 else { continue }
      (world.frame, world.clock.time) = (entry.frame, entry.time)
      break
    }
    return world
  }
}
