/// The state of a target or a plan in the reports for checkpoints: reported, still to be reported, or gone.
struct CheckpointMarks: OptionSet {
  let rawValue: UInt8
  /// It is in the list of records to report.
  static let touched = CheckpointMarks(rawValue: 1)
  /// It has been reported.
  static let told = CheckpointMarks(rawValue: 2)
  /// It no longer exists.
  static let gone = CheckpointMarks(rawValue: 4)

  /// The change to report.
  enum Event {
    /// It was added or has changed.
    case kept
    /// It had been reported and no longer exists.
    case gone
    /// It was removed before it was reported.
    case nothing
  }

  /// Takes out the change to report.
  mutating func takeEvents() -> Event {
    let wasTold = contains(.told)
    self = contains(.gone) ? .gone : .told
    guard self == .gone else { return .kept }
    return wasTold ? .gone : .nothing
  }
}

/// A record that checkpoints contain.
protocol Checkpointed: AnyObject {
  var marks: CheckpointMarks { get set }
  /// The record as an entry of the list of records to report.
  var touched: Touched { get }
}

extension TargetRecord: Checkpointed {
  var touched: Touched { .target(self) }
}

extension IntentionRecord: Checkpointed {
  var touched: Touched { .plan(self) }
}

/// A record that the next checkpoint has to report again; the list is in the order in which they changed.
enum Touched {
  case target(TargetRecord)
  case plan(IntentionRecord)
  /// A plan that had this place in the order of additions, and has another one now.
  case former(order: UInt64)
  /// Plans that were staged before the frame of their transaction, by their operations. None of them has been visited
  /// individually yet.
  case run(sequence: UInt64, operations: Range<UInt32>)
  /// All targets from this number on, because the checkpoint's owner has lost its copy.
  case targets(from: Int)
  /// All plans from this page on, likewise.
  case plans(from: Int)
}
