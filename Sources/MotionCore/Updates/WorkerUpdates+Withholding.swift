import MotionModel

extension WorkerUpdates {
  /// Withholds intentions from a worker, besides those added since the bisection began, and hands over those that are
  /// no longer withheld.
  func withhold(_ identities: [IntentionIdentity]?, from worker: WorkerAddress) {
    let before = workers.records[worker]?.bisection
    let after = identities.map { identities in
      let released = (before?.tried ?? []).subtracting(identities)
      return WorkerRecord.Bisection(
        since: before?.since ?? frame.time, tried: Set(identities),
        withheld: (before?.withheld ?? []).subtracting(released).union(identities))
    }
    // The bisection is suspended during the hand-over; otherwise the intention would be withheld again.
    workers.records[worker, default: WorkerRecord()].bisection = nil
    if let before, workers.records[worker]?.isProvisioned == true {
      for record in workers.executors(in: worker).compactMap({ plans.executors[$0] }) {
        for identity in Array(record.intentions)
        where before.withheld.contains(identity) && after?.withheld.contains(identity) != true {
          guard let intention = plans.intentions[identity], intention.state == .owed else { continue }
          drivers.handOver(intention, to: record, withheldSince: before.since)
        }
      }
    }
    workers.records[worker]?.bisection = after
    drivers.settle()
  }

  /// Quarantines an intention on which workers crash: it fails. If it would have stood, it is kept until its plugin is
  /// restarted.
  func quarantine(_ identity: IntentionIdentity, reason: String) {
    guard let record = plans.intentions[identity], let executor = plans.executors[record.executor] else { return }
    if record.kind != .oneShot, identity.path.isEmpty {
      retirement.quarantine(plans.row(of: record, in: executor))
    }
    retirement.end(record, .failed, reason: reason, tellingExecutor: true)
    drivers.settle()
  }

  /// Adds the quarantined intentions of a plugin again, unless their name or target has been given to another intention
  /// or removed.
  func release(_ plugin: PluginName) {
    let rows = retirement.takeQuarantined { reader.registry.catalog[$0.intention.type]?.provider == .plugin(plugin) }
    guard !rows.isEmpty else { return }
    for row in rows {
      guard let target = plans.targets[row.target], row.name.map({ target.names[$0] == nil }) ?? true else { continue }
      log.failed.forget { $0.identity == row.identity }
      var intention = row.intention
      if row.begins == nil { intention.after = 0 }
      drivers.add(intention, named: row.name, to: row.target, as: row.identity)
    }
    drivers.settle()
  }

  /// The properties of an executor that are reported to its worker, except those that only withheld intentions write.
  func toldSlots(of record: ExecutorRecord) -> [PropertyTable.Slot] {
    guard let worker = record.worker, let withheld = workers.records[worker]?.bisection?.withheld else {
      return plans.writtenSlots(of: record)
    }
    let told = record.intentions.filter { !withheld.contains($0) }
    return Set(told.flatMap { plans.intentions[$0].map { Array($0.slots) } ?? [] }).sorted()
  }
}
