import MotionModel

@testable import MotionCoordinator
@testable import MotionCore

/// The state that a coordinator held when it ended, and that the next one must hold, too: all plans with their names,
/// all properties, and all waiting transactions.
///
/// Plans that have ended since the newest checkpoint may return. Targets with changes that had not taken effect, or
/// were not on disk, are omitted here. ``Holdings`` checks them against the journal.
struct LastWords {
  private let holdings: Holdings
  private let time: Double
  private let isPaused: Bool
  /// The ids of transactions that had taken effect.
  private let memory: CommitMemory
  private let now: Duration
  /// Targets with pending changes.
  private var unsettled: Set<TargetName>
  /// Whether the comparison is skipped: everything was being stopped, or the disk did not store the events.
  private var isVoid: Bool
  /// Whether the disk did not store the events.
  private let hasProblem: Bool
  /// The targets of stops that were not on disk at the end; without any, of a stop of everything.
  private let stops: [Set<TargetName>]
  /// The same of the end before: a start from the last frame continues them, and its first checkpoint has them.
  private let formerStops: [Set<TargetName>]
  /// The checkpoint from which the journal began.
  private let checkpoint: [UInt8]?

  init(
    of coordinator: isolated Coordinator, at now: Duration, hinderedUntil: Duration, since checkpoint: [UInt8]?,
    after former: LastWords?
  ) {
    let runtime = coordinator.runtime
    holdings = Holdings(runtime.kept, runtime.queue.pending)
    isPaused = coordinator.clock.stands
    (time, memory, self.now) = (runtime.frame.time, coordinator.commits.remembered, now)
    hasProblem = coordinator.commits.journal?.problem != nil
    isVoid = hasProblem || hinderedUntil > now
    unsettled = []
    for event in runtime.queue.pending {
      if case .commit(_, let transaction) = event { unsettled.formUnion(transaction.targets) }
    }
    // Accepted before its time and stored after it: it is applied with the next frame, or by the start.
    for entry in holdings.waiting.values where entry.at <= time { unsettled.formUnion(entry.transaction.targets) }
    stops = (coordinator.commits.journal?.queue.stops ?? []).map { Set($0.targets) }
    formerStops = (former?.stops ?? []) + (former?.checkpoint == checkpoint ? former?.formerStops ?? [] : [])
    self.checkpoint = checkpoint
    isVoid = isVoid || stops.contains([])
    unsettled.formUnion(stops.joined())
  }

  /// The differences of `found`, the state of a started runtime, from this state.
  ///
  /// - Parameters:
  ///   - stored: the checkpoint in the journal.
  ///   - ended: the plans that were reported to have ended.
  ///   - expected: the state according to the journal.
  func differences(
    of found: Holdings, _ checkpoint: RuntimeCheckpoint, stored: [UInt8]?, _ entries: [JournalEntry],
    ended: Set<IntentionIdentity>, _ expected: Holdings
  ) -> [String] {
    // A stepped frame that no checkpoint contains is repeated.
    var open = unsettled.union(found.pending.flatMap(\.targets))
    let lost = stored == self.checkpoint ? formerStops : []
    open.formUnion(lost.joined())
    var withdrawn: Set<UInt64> = []
    var memory = memory
    for entry in checkpoint.waiting where holdings.waiting[entry.sequence] == nil {
      open.formUnion(entry.transaction.targets)
    }
    for entry in entries {
      switch entry.event {
      case .commit(let sequence, let commit, _):
        let isKnown = memory.recall(commit.id, commit.digest, at: now) != .new
        if !isKnown || (commit.at != nil && holdings.waiting[sequence] == nil) {
          open.formUnion(commit.transaction.targets)
        }
      case .withdraw(let sequences): withdrawn.formUnion(sequences)
      case .stop, .clock, .void: break
      }
    }
    guard !isVoid, !lost.contains([]) else { return differencesOfPending(found, withdrawn, expected) }
    return differencesOfPending(found, withdrawn, expected)
      + differencesOfPlans(found, open, withdrawn, ended: ended, expected)
      + differencesOfTargets(found, open) + differencesOfWaiting(found, withdrawn)
  }

  private func differencesOfPlans(
    _ found: Holdings, _ open: Set<TargetName>, _ withdrawn: Set<UInt64>, ended: Set<IntentionIdentity>,
    _ expected: Holdings
  ) -> [String] {
    var problems: [String] = []
    for (identity, plan) in holdings.plans where found.plans[identity] != plan {
      let mayBeGone = expected.contested.contains(identity) || holdings.contested.contains(identity)
      if open.contains(plan.target) || withdrawn.contains(identity.sequence) { continue }
      if found.plans[identity] == nil, mayBeGone { continue }
      problems.append(
        "before the restart, \(identity) was \(plan); now it is \(found.plans[identity].map { "\($0)" } ?? "gone")")
    }
    // Plans whose name another plan had taken, whose time has yet to come again.
    let later = found.begins.keys.compactMap { found.plans[$0] }
    let returned = found.plans.filter { _, plan in
      plan.name != nil && later.contains { $0.name == plan.name && $0.target == plan.target }
    }
    for (identity, plan) in found.plans where holdings.plans[identity] == nil {
      if open.contains(plan.target) || withdrawn.contains(identity.sequence) { continue }
      if ended.contains(where: { identity.isOrDescends(from: $0) }) { continue }
      if returned.keys.contains(where: { identity.isOrDescends(from: $0) }) { continue }
      problems.append("before the restart, \(identity) was gone without having ended; now it is \(plan)")
    }
    return problems
  }

  private func differencesOfTargets(_ found: Holdings, _ open: Set<TargetName>) -> [String] {
    let targets = holdings.targets.symmetricDifference(found.targets).subtracting(open)
    let properties = Set(holdings.properties.keys).symmetricDifference(found.properties.keys)
      .filter { !open.contains($0.target) && !targets.contains($0.target) }
    return targets.sorted().map {
      "target \($0) was \(found.targets.contains($0) ? "not " : "")there before the restart"
    }
      + properties.sorted().map {
        "\($0) was \(found.properties[$0] == nil ? "" : "not ")there before the restart"
      }
  }

  /// While time is paused, what waits for the next frame goes on waiting.
  private func differencesOfPending(
    _ found: Holdings, _ withdrawn: Set<UInt64>, _ expected: Holdings
  ) -> [String] {
    guard isPaused, expected.stands, !hasProblem else { return [] }
    return holdings.pending.filter { !withdrawn.contains($0.sequence) && !found.pending.contains($0) }.map {
      "before the restart, \($0) waited for the next frame, and waits no more"
    }
  }

  private func differencesOfWaiting(_ found: Holdings, _ withdrawn: Set<UInt64>) -> [String] {
    let found = Set(found.waiting.keys).union(found.pending.map(\.sequence)).union(withdrawn)
    let waiting = holdings.waiting.values.filter { $0.at > time }.map(\.sequence)
    return waiting.filter { !found.contains($0) }.sorted().map {
      "transaction \($0) waited before the restart, and waits no more"
    }
  }
}
