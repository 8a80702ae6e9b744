import MotionJournal
import MotionModel
import MotionWire

/// The content of a row's body.
enum JournalContent {
  /// The body was dropped, because a checkpoint covers it.
  case covered
  /// The entry that motiond accepted.
  case entry(JournalEntry)
  /// Content that this motionctl cannot decode, with the reason.
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

/// The contents of a checkpoint, in numbers.
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

  /// Counts the contents of a checkpoint.
  ///
  /// - Throws: `WireError` for a checkpoint that this motionctl cannot decode.
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
  /// The problem and its place, without the remedy for the writer of the data.
  var placed: String { field.isEmpty ? message : "\(field): \(message)" }
}
