package import MotionModel

extension Runtime {
  /// How many quarantined intentions are kept so that a restart of their plugin tries them again: more were no
  /// accident.
  static let quarantinedPlansKept = 1000

  /// Whether an intention that was committed has not ended.
  package func isLive(_ identity: IntentionIdentity) -> Bool { intentions[identity] != nil }

  /// Whether an intention that would have stood is quarantined because workers of this plugin crashed on it.
  package func hasQuarantinedPlans(of plugin: PluginName) -> Bool {
    quarantinedPlans.contains { registry.catalog[$0.intention.type]?.provider == .plugin(plugin) }
  }

  /// Whether a bisection withholds an intention from a worker.
  func isWithheld(_ identity: IntentionIdentity, from worker: WorkerAddress) -> Bool {
    workers[worker]?.bisection?.withheld.contains(identity) == true
  }

  /// Whether an intention cannot be handed to its worker now, because the worker is not provisioned or a bisection is
  /// under way. An intention that is added during a bisection is withheld to its end, so that only the tested
  /// intentions can cause a crash.
  func keepsBack(_ identity: IntentionIdentity, from worker: WorkerAddress) -> Bool {
    guard workers[worker]?.bisection == nil else {
      workers[worker]?.bisection?.withheld.insert(identity)
      return true
    }
    return workers[worker]?.isProvisioned != true
  }

  /// Withholds intentions from a worker, besides those added since the bisection began, and hands over those that are
  /// no longer withheld.
  func withhold(_ identities: [IntentionIdentity]?, from worker: WorkerAddress) {
    let before = workers[worker]?.bisection
    let after = identities.map { identities in
      let released = (before?.tried ?? []).subtracting(identities)
      return WorkerRecord.Bisection(
        since: before?.since ?? frame.time, tried: Set(identities),
        withheld: (before?.withheld ?? []).subtracting(released).union(identities))
    }
    // The bisection is suspended during the hand-over; otherwise the intention would be withheld again.
    workers[worker, default: WorkerRecord()].bisection = nil
    if let before, workers[worker]?.isProvisioned == true {
      for record in executors(in: worker).compactMap({ executors[$0] }) {
        for identity in Array(record.intentions)
        where before.withheld.contains(identity) && after?.withheld.contains(identity) != true {
          guard let intention = intentions[identity], intention.state == .owed else { continue }
          handOver(intention, to: record, withheldSince: before.since)
        }
      }
    }
    workers[worker]?.bisection = after
    settle()
  }

  /// Quarantines an intention on which workers crash: it fails. If it would have stood, it is kept until its plugin is
  /// restarted.
  func quarantine(_ identity: IntentionIdentity, reason: String) {
    guard let record = intentions[identity], let executor = executors[record.executor] else { return }
    if record.kind != .oneShot, identity.path.isEmpty {
      if quarantinedPlans.count >= Runtime.quarantinedPlansKept {
        quarantinedPlans.removeFirst(Runtime.quarantinedPlansKept / 2)
      }
      quarantinedPlans.append(row(of: record, in: executor))
    }
    end(record, .failed, reason: reason, tellingExecutor: true)
    settle()
  }

  /// Adds the quarantined intentions of a plugin again, unless their name or target has been given to another intention
  /// or removed.
  func release(_ plugin: PluginName) {
    let rows = quarantinedPlans.filter { registry.catalog[$0.intention.type]?.provider == .plugin(plugin) }
    guard !rows.isEmpty else { return }
    quarantinedPlans.removeAll { row in rows.contains { $0.identity == row.identity } }
    for row in rows {
      guard let target = targets[row.target], row.name.map({ target.names[$0] == nil }) ?? true else { continue }
      failures.removeAll { $0.identity == row.identity }
      add(row.intention, named: row.name, to: row.target, as: row.identity)
    }
    settle()
  }

  /// The properties of an executor that are reported to its worker, except those that only withheld intentions write.
  func toldSlots(of record: ExecutorRecord) -> [PropertyTable.Slot] {
    guard let worker = record.worker, let withheld = workers[worker]?.bisection?.withheld else {
      return writtenSlots(of: record)
    }
    let told = record.intentions.filter { !withheld.contains($0) }
    return Set(told.flatMap { intentions[$0].map { Array($0.slots) } ?? [] }).sorted()
  }
}
