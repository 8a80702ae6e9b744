package import MotionModel

extension Runtime {
  /// How many intentions that were given up may be tried again when their plugin is restarted: more were no accident.
  static let quarantinedPlansKept = 1000

  /// Whether an intention that was committed has not ended.
  package func isLive(_ identity: IntentionIdentity) -> Bool { intentions[identity] != nil }

  /// Whether something that would have stood was given up because workers of this plugin died on it.
  package func hasQuarantinedPlans(of plugin: PluginName) -> Bool {
    quarantinedPlans.contains { registry.catalog[$0.intention.type]?.provider == .plugin(plugin) }
  }

  /// Whether an intention is kept from a worker under suspicion.
  func isWithheld(_ identity: IntentionIdentity, from worker: WorkerAddress) -> Bool {
    workers[worker]?.bisection?.withheld.contains(identity) == true
  }

  /// Whether an intention cannot be handed to its worker now: that is not there, or is under suspicion. What is added during a
  /// bisection is withheld to its end, so that nothing but what is tried can be the reason of a death.
  func keepsBack(_ identity: IntentionIdentity, from worker: WorkerAddress) -> Bool {
    guard workers[worker]?.bisection == nil else {
      workers[worker]?.bisection?.withheld.insert(identity)
      return true
    }
    return workers[worker]?.isProvisioned != true
  }

  /// Withholds intentions from a worker, besides those that were added since the bisection began; hands over those that were
  /// withheld and are not any more.
  func withhold(_ identities: [IntentionIdentity]?, from worker: WorkerAddress) {
    let before = workers[worker]?.bisection
    let after = identities.map { identities in
      let released = (before?.tried ?? []).subtracting(identities)
      return WorkerRecord.Bisection(
        since: before?.since ?? frame.time, tried: Set(identities),
        withheld: (before?.withheld ?? []).subtracting(released).union(identities))
    }
    // While it is handed over nothing is under suspicion: it would be withheld again.
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

  /// Workers die on this intention: it fails; if it would have stood, it is kept for when its plugin is restarted.
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

  /// What was given up because workers of this plugin died on it is added again, unless its name or its target has been
  /// given to something else or taken away.
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

  /// The properties of an executor that its worker is told of: not those that only what is withheld would write.
  func toldSlots(of record: ExecutorRecord) -> [PropertyTable.Slot] {
    guard let worker = record.worker, let withheld = workers[worker]?.bisection?.withheld else {
      return writtenSlots(of: record)
    }
    let told = record.intentions.filter { !withheld.contains($0) }
    return Set(told.flatMap { intentions[$0].map { Array($0.slots) } ?? [] }).sorted()
  }
}
