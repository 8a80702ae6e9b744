package import MotionModel

/// The changes to apply to a checkpoint of a runtime, except the properties' states: targets and plans that were added,
/// changed or removed.
///
/// A checkpoint thread folds these into its own copy. A frame thus pays for what happened in it, and never for the size
/// of the runtime.
package struct CheckpointChanges: Sendable {
  /// A target was added, got another property, or was forgotten.
  package enum TargetChange: Sendable {
    /// It has these properties, whose lanes lie at these places in the columns. A later target has a higher ordinal.
    case kept(ordinal: UInt64, TargetName, [(name: PropertyName, first: Int, lanes: Int)])
    /// It was forgotten.
    case forgotten(ordinal: UInt64)
  }

  /// A plan was added, began, emitted something, or is over.
  package enum PlanChange: Sendable {
    /// The plan's present content. A plan that was added later has a higher order.
    case kept(order: UInt64, RuntimeCheckpoint.Plan)
    /// It has ended, or was removed.
    case gone(order: UInt64)
  }

  /// In the order in which they first changed.
  package var targets: [TargetChange] = []
  /// In the order in which they first changed, too.
  package var plans: [PlanChange] = []
}

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
  /// Plans that were staged before the frame of their transaction, by their operations. None of them has been visited
  /// individually yet.
  case run(sequence: UInt64, operations: Range<UInt32>)
  /// All targets from this number on, because the checkpoint's owner has lost its copy.
  case targets(from: Int)
  /// All plans from this page on, likewise.
  case plans(from: Int)
}

extension Runtime {
  /// The most changes that are reported in one frame: about half a millisecond of work. A frame that applies a hundred
  /// thousand operations thus need not report them all.
  package static let changesPerFrame = 4_000

  /// Notes that a target or a plan has changed and must be reported.
  func touch(_ record: some Checkpointed) {
    guard keepsCheckpoints, !record.marks.contains(.touched) else { return }
    record.marks.insert(.touched)
    touched.append(record.touched)
  }

  /// Notes that a target is forgotten, or that a plan has ended.
  func touchGone(_ record: some Checkpointed) {
    guard keepsCheckpoints else { return }
    record.marks.insert(.gone)
    touch(record)
  }

  /// Notes that staged plans were added, one for each of these operations.
  func touch(_ sequence: UInt64, _ operations: Range<UInt32>) {
    if keepsCheckpoints { touched.append(.run(sequence: sequence, operations: operations)) }
  }

  /// Reports everything again, in slices like any change: the checkpoint that follows is complete. Linear only in what
  /// compositions have emitted.
  package func touchEverything() {
    guard keepsCheckpoints else { return }
    for record in intentions.emittedRecords { touch(record) }
    touched += [.targets(from: 0), .plans(from: 0)]
  }

  /// Whether all changes have been reported, so that a checkpoint may be written.
  package var hasToldChanges: Bool { touched.isEmpty }

  /// Takes out the additions, changes and removals since the last call, oldest first, at most `limit` of them; `nil` if
  /// there are none. Linear in their number.
  package func takeCheckpointChanges(atMost limit: Int = changesPerFrame) -> CheckpointChanges? {
    guard !touched.isEmpty else { return nil }
    var changes = CheckpointChanges()
    var (taken, left) = (0, limit)
    while taken < touched.count, left > 0 {
      switch touched[taken] {
      case .target(let record):
        tell(record, &changes)
        left -= 1
      case .plan(let record):
        tell(record, &changes)
        left -= 1
      case .run(let sequence, let operations):
        let now = operations.prefix(left)
        for operation in now { tell(sequence, operation, &changes) }
        left -= now.count
        guard now.count == operations.count else {
          touched[taken] = .run(sequence: sequence, operations: now.endIndex..<operations.upperBound)
          continue
        }
      case .targets(let first):
        let end = min(first + left, targets.numbers)
        for number in first..<max(first, end) { tellAgain(targets[number], &changes) }
        left -= max(0, end - first)
        guard end >= targets.numbers else {
          touched[taken] = .targets(from: end)
          continue
        }
      case .plans(let first):
        var page = first
        while page < intentions.pageNumbers, left > 0 {
          let records = intentions.records(onPage: page)
          for record in records { tellAgain(record, &changes) }
          left -= max(1, records.count)
          page += 1
        }
        guard page >= intentions.pageNumbers else {
          touched[taken] = .plans(from: page)
          continue
        }
      }
      taken += 1
    }
    touched.removeFirst(taken)
    return changes
  }

  private func tell(_ record: TargetRecord, _ changes: inout CheckpointChanges) {
    switch record.marks.takeEvents() {
    case .kept: changes.targets.append(kept(record))
    case .gone: changes.targets.append(.forgotten(ordinal: record.ordinal))
    case .nothing: break
    }
  }

  /// Reports a target whether or not it was reported before. A touched target is reported in its turn, and a staged
  /// target has no name yet.
  private func tellAgain(_ record: TargetRecord?, _ changes: inout CheckpointChanges) {
    guard let record, !record.marks.contains(.touched), targets[record.name] === record else { return }
    record.marks = .told
    changes.targets.append(kept(record))
  }

  private func tellAgain(_ record: IntentionRecord?, _ changes: inout CheckpointChanges) {
    guard let record, !record.marks.contains(.touched) else { return }
    record.marks = .told
    changes.plans.append(.kept(order: record.order, record.checkpointed))
  }

  private func kept(_ record: TargetRecord) -> CheckpointChanges.TargetChange {
    var places: [(name: PropertyName, first: Int, lanes: Int)] = []
    for slot in record.slots {
      let row = columns.rows[slot]
      places.append((properties[slot].reference.property, row.first, row.lanes))
    }
    return .kept(ordinal: record.ordinal, record.name, places)
  }

  private func tell(_ record: IntentionRecord, _ changes: inout CheckpointChanges) {
    switch record.marks.takeEvents() {
    case .kept: changes.plans.append(.kept(order: record.order, record.checkpointed))
    case .gone: changes.plans.append(.gone(order: record.order))
    case .nothing: break
    }
  }

  /// Reports a staged plan, and its target if that was staged, too. If either was touched besides, it is reported again
  /// in its turn. Plans that no longer exist need no report.
  private func tell(_ sequence: UInt64, _ operation: UInt32, _ changes: inout CheckpointChanges) {
    guard let record = intentions[IntentionIdentity(sequence: sequence, operation: operation)] else { return }
    if !record.target.marks.contains(.told) {
      record.target.marks.insert(.told)
      changes.targets.append(kept(record.target))
    }
    guard !record.marks.contains(.told) else { return }
    record.marks.insert(.told)
    changes.plans.append(.kept(order: record.order, record.checkpointed))
  }
}

extension IntentionRecord {
  /// The plan as a checkpoint keeps it.
  var checkpointed: RuntimeCheckpoint.Plan {
    var plan = RuntimeCheckpoint.Plan(identity, intention, named: name, on: target.name)
    plan.start = start.map { .init(frame: $0.frame, time: $0.time) }
    plan.places = starts
    plan.provenance = provenance
    let emitted = emitted
    (plan.emittedBelow, plan.emitted) = (emitted.below, emitted.beyond)
    return plan
  }
}
