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
    case kept(ordinal: UInt64, TargetName, [RuntimeCheckpoint.Place])
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

extension IntentionRecord {
  /// The plan as a checkpoint keeps it.
  var checkpointed: RuntimeCheckpoint.Plan {
    var plan = RuntimeCheckpoint.Plan(identity, intention, named: name, on: target.name)
    plan.start = start.map { .init(frame: $0.frame, time: $0.time) }
    plan.places = starts
    plan.provenance = provenance
    plan.duration = duration
    plan.limits = limits
    plan.begins = begins
    let emitted = emitted
    (plan.emittedBelow, plan.emitted) = (emitted.below, emitted.beyond)
    return plan
  }
}
