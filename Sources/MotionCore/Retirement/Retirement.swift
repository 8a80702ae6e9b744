import MotionModel

/// Ends plans: removes them from all tables, notifies their executors, and logs them. Keeps which plans are about to
/// end, and which were quarantined.
final class Retirement {
  /// How many quarantined intentions are kept so that a restart of their plugin tries them again: more
  /// were no accident.
  static let quarantinedPlansKept = 1000

  let activity: Activity
  let position: FramePosition
  let movement: Movement
  let plans: Plans
  let workers: WorkerLedger
  let log: EventLog
  /// The plans that end with the frame, and how; lingering plans, too.
  private(set) var ending: [IntentionIdentity: (outcome: Outcome, reason: String)] = [:]
  /// Plans that are completed except for a difference that has yet to fade, or that limits hold their property back, in the
  /// order in which their completion was reported.
  private(set) var lingering = LingeringPlans()
  /// Plans that would have stood, or waited for a manipulation, and were quarantined because workers crashed on them.
  /// They may be tried again.
  private(set) var quarantinedPlans: [IntentionRow] = []
  /// The stop that is being applied.
  var stop: StopRequest?

  /// Nothing has ended yet.
  init(_ activity: Activity) {
    self.activity = activity
    (position, movement, plans) = (activity.position, activity.plans.movement, activity.plans)
    (workers, log) = (activity.workers, activity.log)
  }

  /// Notes how a plan is about to end, for a removal or displacement in this frame.
  func note(_ identity: IntentionIdentity, _ outcome: Outcome, reason: String = "") {
    ending[identity] = (outcome, reason)
  }

  /// Notes that a plan has ended except for a difference that has yet to fade, or that limits hold its property back. Then
  /// it is not completed if it is removed or displaced meanwhile.
  func keepLingering(_ identity: IntentionIdentity, isHeldBack: Bool) {
    lingering.append(identity)
    if isHeldBack { ending[identity] = nil } else { note(identity, .completed) }
  }

  /// Ends the frame: only lingering plans are still about to end.
  func endFrame() {
    guard !ending.isEmpty else { return }
    ending = ending.filter { lingering.contains($0.key) }
  }

  /// Drops a plan that has ended.
  func forget(_ identity: IntentionIdentity) {
    if lingering.remove(identity) { ending[identity] = nil }
  }

  /// Restores what was about to end in another runtime.
  func restore(
    ending: [IntentionIdentity: (outcome: Outcome, reason: String)], lingering: [IntentionIdentity],
    quarantined: [IntentionRow]
  ) { (self.ending, self.lingering, quarantinedPlans) = (ending, LingeringPlans(lingering), quarantined) }

  /// Keeps a plan on which workers crashed, to try it again.
  func quarantine(_ row: IntentionRow) {
    if quarantinedPlans.count >= Self.quarantinedPlansKept {
      quarantinedPlans.removeFirst(Self.quarantinedPlansKept / 2)
    }
    quarantinedPlans.append(row)
  }

  /// Whether a plan of a target that satisfies the predicate has failed and is still listed, or is quarantined.
  func hasFailed(on target: TargetName, where isMeant: (IntentionRow) -> Bool) -> Bool {
    log.failed.contains(on: target, where: isMeant)
      || quarantinedPlans.contains { $0.target == target && isMeant($0) }
  }

  /// Drops the failed and the quarantined plans of a target that satisfy the predicate.
  func dropFailed(on target: TargetName, where isDropped: (IntentionRow) -> Bool) {
    log.failed.forget(on: target, where: isDropped)
    dropQuarantined { $0.target == target && isDropped($0) }
  }

  /// Drops the quarantined plans that satisfy the predicate.
  func dropQuarantined(where isDropped: (IntentionRow) -> Bool) {
    if !quarantinedPlans.isEmpty { quarantinedPlans.removeAll(where: isDropped) }
  }

  /// Takes out the quarantined plans that satisfy the predicate, to try them again.
  func takeQuarantined(where isTaken: (IntentionRow) -> Bool) -> [IntentionRow] {
    let taken = quarantinedPlans.filter(isTaken)
    dropQuarantined { row in taken.contains { $0.identity == row.identity } }
    return taken
  }
}
