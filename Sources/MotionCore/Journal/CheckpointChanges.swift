package import MotionModel

/// What has to be changed in a checkpoint of a runtime, besides where properties are: what came, what changed, what went.
///
/// Whoever writes checkpoints on a thread of its own folds these into what it has; so a frame pays for what happened in it,
/// and never for what there is.
package struct CheckpointChanges: Sendable {
  /// A target came, got another property, or was forgotten.
  package enum TargetChange: Sendable {
    /// It has these properties, whose lanes lie there in the columns. A later target has a higher ordinal.
    case kept(ordinal: UInt64, TargetName, [(name: PropertyName, first: Int, lanes: Int)])
    /// It was forgotten.
    case forgotten(ordinal: UInt64)
  }

  /// A plan was added, began, emitted something, or is over.
  package enum PlanChange: Sendable {
    /// It is this by now. A plan that was added later has a higher order.
    case kept(order: UInt64, RuntimeCheckpoint.Plan)
    /// It has ended, or was removed.
    case gone(order: UInt64)
  }

  /// In the order in which they were touched first.
  package var targets: [TargetChange] = []
  /// Likewise.
  package var plans: [PlanChange] = []
}

/// What whoever keeps checkpoints has heard of a target or a plan.
struct CheckpointMarks: OptionSet {
  let rawValue: UInt8
  /// It stands in the list of what is to be told.
  static let touched = CheckpointMarks(rawValue: 1)
  /// It was told of.
  static let told = CheckpointMarks(rawValue: 2)
  /// It is no more.
  static let gone = CheckpointMarks(rawValue: 4)

  /// What there is to tell.
  enum Event {
    /// It came, or is another one by now.
    case kept
    /// It was told of, and is no more.
    case gone
    /// It went before it was told of.
    case nothing
  }

  /// Takes out what there is to tell.
  mutating func takeEvents() -> Event {
    let wasTold = contains(.told)
    self = contains(.gone) ? .gone : .told
    guard self == .gone else { return .kept }
    return wasTold ? .gone : .nothing
  }
}

/// What a checkpoint tells of.
protocol Checkpointed: AnyObject {
  var marks: CheckpointMarks { get set }
  /// It, as something that a checkpoint has to say anew.
  var touched: Touched { get }
}

extension TargetRecord: Checkpointed {
  var touched: Touched { .target(self) }
}

extension IntentionRecord: Checkpointed {
  var touched: Touched { .plan(self) }
}

/// What a checkpoint has to say anew, in the order in which it came to be so.
enum Touched {
  case target(TargetRecord)
  case plan(IntentionRecord)
  /// Plans of a transaction that were made before their frame, by their operations; nobody looked at each of them yet.
  case run(sequence: UInt64, operations: Range<UInt32>)
  /// All targets from this number on, because whoever keeps checkpoints has lost them.
  case targets(from: Int)
  /// All plans from this page on.
  case plans(from: Int)
}

extension Runtime {
  /// How many changes are told in one frame at most: about half a millisecond, so that the frame that applies a hundred
  /// thousand operations does not have to tell of them all.
  package static let changesPerFrame = 4_000

  /// Notes that a checkpoint has to say something else of a target or a plan.
  func touch(_ record: some Checkpointed) {
    guard keepsCheckpoints, !record.marks.contains(.touched) else { return }
    record.marks.insert(.touched)
    touched.append(record.touched)
  }

  /// Notes that a target is forgotten, or a plan over.
  func touchGone(_ record: some Checkpointed) {
    guard keepsCheckpoints else { return }
    record.marks.insert(.gone)
    touch(record)
  }

  /// Notes that plans were made which were staged, one for each of these operations.
  func touch(_ sequence: UInt64, _ operations: Range<UInt32>) {
    if keepsCheckpoints { touched.append(.run(sequence: sequence, operations: operations)) }
  }

  /// Tells everything anew, in slices like any change: the checkpoint that follows is whole. Linear in what compositions
  /// have emitted only.
  package func touchEverything() {
    guard keepsCheckpoints else { return }
    for record in intentions.emittedRecords { touch(record) }
    touched += [.targets(from: 0), .plans(from: 0)]
  }

  /// Whether everything that has changed was told, so that a checkpoint may be written.
  package var hasToldChanges: Bool { touched.isEmpty }

  /// Takes out what has come, changed and gone since the last call, the first first, at most so much; `nil` if nothing
  /// has. Linear in that.
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

  /// Tells of a target whether or not it was told of; one that is touched is told in its turn, and one that is staged has
  /// no name yet.
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

  /// Tells of a plan that was staged, and of its target if that was, too. If either was touched besides, it is told again
  /// in its turn; those that are gone by now need not be told of.
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
