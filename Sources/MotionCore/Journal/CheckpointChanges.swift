package import MotionModel

/// What has to be changed in a checkpoint of a runtime, besides where properties are: what came, what changed, what went.
///
/// Whoever writes checkpoints on a thread of its own folds these into what it has; so a frame pays for what happened in it,
/// and never for what there is.
package struct CheckpointChanges: Sendable {
  /// A target came, got another property, or was forgotten.
  package enum TargetChange: Sendable {
    /// It has these properties, at these rows of the columns. A later target has a higher ordinal.
    case kept(ordinal: UInt64, TargetName, [(name: PropertyName, row: Int)])
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
}

extension Runtime {
  /// Notes that a checkpoint has to say something else of a plan.
  func touch(_ record: IntentionRecord) {
    guard keepsCheckpoints, !record.marks.contains(.touched) else { return }
    record.marks.insert(.touched)
    touchedPlans.append(record)
  }

  /// Notes that a plan is over.
  func touchGone(_ record: IntentionRecord) {
    guard keepsCheckpoints else { return }
    record.marks.insert(.gone)
    touch(record)
  }

  /// Notes that a checkpoint has to say something else of a target.
  func touch(_ record: TargetRecord) {
    guard keepsCheckpoints, !record.marks.contains(.touched) else { return }
    record.marks.insert(.touched)
    touchedTargets.append(record)
  }

  /// Notes that a target is forgotten.
  func touchGone(_ record: TargetRecord) {
    guard keepsCheckpoints else { return }
    record.marks.insert(.gone)
    touch(record)
  }

  /// Takes out what has come, changed and gone since the last call; `nil` if nothing has. Linear in that.
  package func takeCheckpointChanges() -> CheckpointChanges? {
    guard !touchedPlans.isEmpty || !touchedTargets.isEmpty else { return nil }
    var changes = CheckpointChanges()
    changes.targets.reserveCapacity(touchedTargets.count)
    for record in touchedTargets {
      let wasTold = record.marks.contains(.told)
      record.marks = record.marks.contains(.gone) ? .gone : .told
      if record.marks != .gone {
        var rows: [(name: PropertyName, row: Int)] = []
        for slot in record.slots { rows.append((properties[slot].reference.property, slot)) }
        changes.targets.append(.kept(ordinal: record.ordinal, record.name, rows))
      } else if wasTold {
        changes.targets.append(.forgotten(ordinal: record.ordinal))
      }
    }
    changes.plans.reserveCapacity(touchedPlans.count)
    for record in touchedPlans {
      let wasTold = record.marks.contains(.told)
      record.marks = record.marks.contains(.gone) ? .gone : .told
      if record.marks != .gone {
        changes.plans.append(.kept(order: record.order, record.checkpointed))
      } else if wasTold {
        changes.plans.append(.gone(order: record.order))
      }
    }
    touchedTargets.removeAll(keepingCapacity: touchedTargets.count < 10_000)
    touchedPlans.removeAll(keepingCapacity: touchedPlans.count < 10_000)
    return changes
  }
}

extension IntentionRecord {
  /// The plan as a checkpoint keeps it.
  var checkpointed: RuntimeCheckpoint.Plan {
    var plan = RuntimeCheckpoint.Plan(identity, intention, named: name, on: target.name)
    plan.start = start.map { .init(frame: $0.frame, time: $0.time) }
    plan.places = starts
    let emitted = emitted
    (plan.emittedBelow, plan.emitted) = (emitted.below, emitted.beyond)
    return plan
  }
}
