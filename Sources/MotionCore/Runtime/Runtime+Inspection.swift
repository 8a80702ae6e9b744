public import MotionModel

extension Runtime {
  /// Answers a query that concerns a runtime; `nil` for plugins and status, which belong to the daemon. A graph lacks
  /// the streams of workers, which only the workers have (``graph(of:streams:)``).
  ///
  /// - Throws: ``/MotionModel/Refusal`` when a queried target or type does not exist.
  public func answer(_ query: Query) throws(Refusal) -> Answer? {
    if case .types(let type) = query { return .types(try types(type)) }
    guard let inspection = try RuntimeInspection(query, of: self) else { return nil }
    return inspection.finish()
  }

  /// The number of records of each kind.
  public var counts: Status.Counts {
    var counts = Status.Counts()
    counts.targets = plans.targets.count
    counts.properties = movement.properties.count
    counts.executors = plans.executors.count
    counts.intentions = plans.intentions.count
    counts.tokens = activity.tokens
    counts.waiting = queue.waiting.count
    return counts
  }

  /// How many executors live in each worker.
  public func executorCount(in worker: WorkerAddress) -> Int { workers.records[worker]?.executors.count ?? 0 }

  /// Whether a plugin is in use: an executor lives in one of its workers, or a transaction that was accepted and waits
  /// adds an intention of its types. Linear in the waiting transactions and events.
  public func needs(_ plugin: PluginName) -> Bool {
    if workers.records.contains(where: { $0.key.plugin == plugin && !$0.value.executors.isEmpty }) { return true }
    let isPending = queue.pending.contains { event in
      if case .commit(_, let transaction) = event { adds(transaction, of: plugin) } else { false }
    }
    return isPending || queue.waiting.contains { adds($0, of: plugin) }
  }

  private func adds(_ transaction: Transaction, of plugin: PluginName) -> Bool {
    transaction.log.contains { operation in
      guard case .add(let intention, _, _) = operation else { return false }
      return reader.registry.catalog[intention.type]?.provider == .plugin(plugin)
    }
  }

  /// How many writes of a worker were refused so far, because the worker may not write the property or the value is
  /// invalid.
  public func refusedWrites(of worker: WorkerAddress) -> UInt64 { workers.records[worker]?.refusedWrites ?? 0 }

  /// The unfinished ones of these transactions: they wait, or one of their intentions has not ended.
  ///
  /// Linear in the number of all intentions.
  public func unfinished(_ sequences: [UInt64]) -> [UInt64] {
    let left = queue.sequences.union(plans.intentions.keys.lazy.map(\.sequence))
    return sequences.filter(left.contains)
  }

  /// The queried target, if it exists.
  package func known(_ target: TargetName?) throws(Refusal) -> TargetName? {
    guard let target, plans.targets[target] == nil else { return target }
    let names = plans.firstTargets(NearestName.mostCandidates)
    let nearest = NearestName.suggestion(for: target.text, among: names.lazy.map(\.text))
    throw Refusal(
      .notFound, "there is no target \"\(target)\"",
      remedy: nearest.map { "Did you mean \"\($0)\"?" } ?? howToListTargets)
  }

  private var howToListTargets: String {
    reader.registry.catalog.pluginSource == .program
      ? "Runtime.answer(.targets) lists the targets that exist."
      : "List the targets that exist: motionctl list targets."
  }

  private func types(_ type: IntentionType?) throws(Refusal) -> [IntentionDescription] {
    guard let type else { return reader.registry.catalog.entries.map(\.description) }
    guard let entry = reader.registry.catalog[type] else { throw reader.registry.catalog.unknown(type.text) }
    return [entry.description]
  }

  func row(of target: TargetName) -> TargetRow {
    let records = plans.executorsInOrder(on: target)
    return TargetRow(
      target: target, properties: plans.targets[target]?.slots.count ?? 0, executors: records.count,
      intentions: records.reduce(0) { $0 + $1.intentions.count }, isActive: isMoving(target, records))
  }

  private func isMoving(_ target: TargetName, _ records: [ExecutorRecord]) -> Bool {
    records.contains(where: \.isActive)
      || (plans.targets[target]?.slots ?? []).contains { movement.properties.velocity(at: $0) != .zero }
  }

  func slotsInOrder(on target: TargetName) -> [PropertyTable.Slot] {
    (plans.targets[target]?.slots ?? []).sorted {
      movement.properties.handle(at: $0) < movement.properties.handle(at: $1)
    }
  }

  func row(of slot: PropertyTable.Slot) -> PropertyRow {
    let entry = movement.properties[slot]
    return PropertyRow(
      reference: entry.reference, handle: movement.properties.handle(at: slot),
      state: movement.properties.state(at: slot),
      driver: entry.stack.driver.flatMap { plans.executors[$0]?.type },
      because: entry.stack.driver.map { entry.stack.identities(of: $0) } ?? [],
      waiting: entry.stack.waitingWriters.compactMap { plans.executors[$0]?.type },
      changedFrame: movement.properties.changes.frame(of: slot), isLate: movement.properties.isLate(slot))
  }

  func row(of record: ExecutorRecord) -> ExecutorRow {
    ExecutorRow(
      key: record.key, worker: record.worker, intentions: record.intentions.count,
      tokens: record.tokens.keys.sorted(), isActive: record.isActive || drivesMotion(record),
      drives: drivenSlots(record).map { movement.properties[$0].reference.property }.sorted())
  }

  private func drivenSlots(_ record: ExecutorRecord) -> [PropertyTable.Slot] {
    record.target.slots.filter { movement.properties[$0].stack.driver == record.handle }
  }

  private func drivesMotion(_ record: ExecutorRecord) -> Bool {
    drivenSlots(record).contains { movement.properties.velocity(at: $0) != .zero }
  }

  func row(of record: IntentionRecord, in executor: ExecutorRecord) -> IntentionRow {
    IntentionRow(
      identity: record.identity, target: record.target.name, name: record.name, intention: record.intention,
      kind: record.kind, executor: executor.type, state: record.state, provenance: record.provenance)
  }

  func row(of entry: WaitingTransactions.Entry) -> WaitingRow {
    WaitingRow(
      sequence: entry.sequence, at: entry.at, operations: entry.transaction.log.count,
      summary: entry.transaction.summary, provenance: plans.provenances[entry.sequence])
  }

  /// Whether a transaction waits for its time. Linear in the waiting transactions.
  package func isWaiting(_ sequence: UInt64) -> Bool { queue.waiting.contains(sequence) }
}

extension Transaction {
  /// The most operations that a summary names; there may be 100,000 of them.
  private static let toldOperations = 3

  /// A text about its first operations, for people.
  fileprivate var summary: String {
    let told = log.prefix(Self.toldOperations).map { operation in
      switch operation {
      case .add(let intention, let name, let target):
        "add \(intention.type)\(name.map { " named \($0)" } ?? "") to \(target)"
      case .remove(let name, let target): "remove \(name) from \(target)"
      case .removePlan(let identity, let target): "remove \(identity) from \(target)"
      case .forget(let target): "forget \(target)"
      }
    }
    let more = log.count - told.count
    return (told + (more > 0 ? ["\(more) more"] : [])).joined(separator: "; ")
  }
}
