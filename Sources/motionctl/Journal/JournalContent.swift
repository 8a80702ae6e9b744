import MotionJournal
import MotionModel
import MotionWire

/// What the body of a row holds.
enum JournalContent {
  /// Nothing any more: a checkpoint covers it.
  case covered
  /// What was accepted.
  case entry(JournalEntry)
  /// Something that this motionctl does not understand, and why.
  case unreadable(String)

  /// Reads the body of a row.
  init(of row: JournalReport.Row) {
    guard !row.isHistory else {
      self = .covered
      return
    }
    do {
      self = .entry(try JournalCoding.entry(in: row.row.body))
    } catch {
      self = .unreadable(error.placed)
    }
  }
}

/// What a checkpoint holds, in numbers.
struct CheckpointSummary {
  let frame: Frame
  let clock: ClockState
  let targets: Int
  let properties: Int
  let plans: Int
  /// Transactions that wait for their time.
  let waiting: Int
  /// Transactions that hold while their clients are connected.
  let held: Int

  /// Counts what is in a checkpoint.
  ///
  /// - Throws: `WireError` for one that this motionctl does not understand.
  init(_ checkpoint: JournalCheckpoint) throws(WireError) {
    let world = try JournalCoding.checkpoint(in: checkpoint.body)
    (frame, clock) = (world.frame, world.clock)
    targets = world.targets.count
    properties = world.targets.reduce(0) { $0 + $1.properties.count }
    plans = world.plans.count
    waiting = world.waiting.count
    held = world.owners.reduce(0) { $0 + $1.sequences.count }
  }
}

extension WireError {
  /// What is wrong and where, without what its writer ought to have done.
  var placed: String { field.isEmpty ? message : "\(field): \(message)" }
}
