public import MotionModel

extension Runtime {
  /// Accepts a transaction whole, or refuses it whole; it is applied with the next frame, or with the first at `at`.
  ///
  /// - Parameters:
  ///   - transaction: what is asked.
  ///   - at: a simulated time in seconds; in the past it means now.
  /// - Returns: the receipt: its place in the order of transactions, and the frame that will apply it.
  /// - Throws: ``/MotionModel/Refusal`` with the index of the offending operation; nothing has changed then.
  ///
  /// Linear in the number of operations. What the world outgrows between the commit and its frame (a limit, the lanes
  /// of a property that another transaction made first) is reported as a failed plan.
  @discardableResult
  public func commit(_ transaction: Transaction, at: Double? = nil) throws(Refusal) -> Receipt {
    try check(transaction)
    let later = try isLater(at)
    lastSequence += 1
    let plugins = readiness(of: transaction)
    if later, let at {
      waiting.insert(.init(at: at, sequence: lastSequence, transaction: transaction))
      return Receipt(sequence: lastSequence, at: at, plugins: plugins)
    }
    submit(.commit(sequence: lastSequence, transaction))
    return Receipt(sequence: lastSequence, frame: frame.number + 1, plugins: plugins)
  }

  private func isLater(_ at: Double?) throws(Refusal) -> Bool {
    guard let at else { return false }
    guard at.isFinite, abs(at) <= Limits.durationSeconds else {
      throw Refusal(
        .value, field: "at", "\(at) s is no time to wait for",
        remedy: "Give simulated seconds since the start, at most \(Limits.durationSeconds).")
    }
    guard at > frame.time else { return false }
    guard waiting.count < Limits.waitingTransactions else {
      throw Refusal(
        .limit, "\(waiting.count) transactions wait for their time already",
        remedy: "Commit those of later times later.")
    }
    return true
  }

  /// Checks every operation against what is known now, and against those before it.
  ///
  /// - Throws: the refusal of the first operation that cannot be applied.
  public func check(_ transaction: Transaction) throws(Refusal) {
    guard transaction.log.count <= Limits.operationsPerTransaction else {
      throw Refusal(
        .limit, "a transaction has at most \(Limits.operationsPerTransaction) operations, not \(transaction.log.count)",
        remedy: "Commit it in parts.")
    }
    var check = TransactionCheck(self)
    for (index, operation) in transaction.log.enumerated() {
      do {
        try check.apply(operation)
      } catch {
        var refusal = error
        refusal.operation = index
        throw refusal
      }
    }
  }

  /// Checks a plan for itself: its type, its fields, whether it may have a name, whether its plugin serves.
  func check(_ intention: Intention, isNamed: Bool) throws(Refusal) -> PlanReading {
    let reading = try check(intention)
    try reading.entry.check(isNamed: isNamed)
    try checkQuarantine(of: reading)
    return reading
  }

  /// Refuses a plan whose plugin does not serve.
  func checkQuarantine(of reading: PlanReading) throws(Refusal) {
    guard !quarantined.isEmpty, case .plugin(let plugin) = reading.entry.provider, let reason = quarantined[plugin]
    else { return }
    throw .quarantined(plugin, reason)
  }

  /// The plugins that the transaction needs, each once, and whether they are ready.
  private func readiness(of transaction: Transaction) -> [PluginReadiness] {
    var readiness: [PluginName: PluginReadiness.State] = [:]
    if registry.plugins.isEmpty { return [] }
    for case .add(let intention, _, let target) in transaction.log {
      guard let entry = read(intention)?.entry, case .plugin(let plugin) = entry.provider,
        readiness[plugin] != .starting
      else { continue }
      let worker = registry.worker(for: ExecutorKey(target, entry.description.executor), of: plugin)
      readiness[plugin] = workers[worker]?.isProvisioned == true ? .ready : .starting
    }
    return readiness.sorted { $0.key < $1.key }.map(PluginReadiness.init)
  }
}

/// Plays a transaction through without applying it.
private struct TransactionCheck {
  private unowned let runtime: Runtime
  private var outlooks: [TargetName: TargetOutlook] = [:]
  private var newTargets = 0

  init(_ runtime: Runtime) {
    self.runtime = runtime
  }

  mutating func apply(_ operation: Transaction.Operation) throws(Refusal) {
    switch operation {
    case .add(let intention, let name, let target): try add(intention, named: name, to: target)
    case .remove(let name, let target): remove(name, from: target)
    case .forget(let target): outlooks[target] = TargetOutlook(isForgotten: true)
    }
  }

  private mutating func add(_ intention: Intention, named name: IntentionName?, to target: TargetName) throws(Refusal) {
    let reading = try runtime.check(intention, isNamed: name != nil)
    let known = runtime.targets[target]
    // Out of the table and back: what is changed in place would be looked up once more for each change.
    let former = outlooks[target]
    if former == nil, known == nil { try countNewTarget() }
    var outlook = former ?? TargetOutlook()
    if let name { Self.remove(name, from: known, &outlook) }
    let target = (name: target, record: outlook.isForgotten ? nil : known)
    let placement = try runtime.place(reading, on: target.name, target.record, after: outlook)
    for property in placement.properties
    where runtime.present(property.name, on: target.record, after: outlook) == nil { outlook.made.append(property) }
    outlook.addedIntentions += 1
    if let name { outlook.names[name] = true }
    outlooks[target.name] = outlook
  }

  private mutating func remove(_ name: IntentionName, from target: TargetName) {
    var outlook = outlooks[target] ?? TargetOutlook()
    if Self.remove(name, from: runtime.targets[target], &outlook) { outlooks[target] = outlook }
  }

  /// - Returns: whether there is something to remove.
  @discardableResult
  private static func remove(
    _ name: IntentionName, from target: TargetRecord?, _ outlook: inout TargetOutlook
  ) -> Bool {
    let isThere = outlook.names[name] ?? (!outlook.isForgotten && target?.names[name] != nil)
    guard isThere else { return false }
    outlook.names[name] = false
    outlook.addedIntentions -= 1
    return true
  }

  private mutating func countNewTarget() throws(Refusal) {
    newTargets += 1
    guard runtime.targets.count + newTargets <= Limits.targets else { throw .targets(runtime.targets.count) }
  }
}

extension Refusal {
  /// The plugin of an intention failed too often.
  static func quarantined(_ plugin: PluginName, _ reason: String) -> Refusal {
    Refusal(
      .quarantined, "plugin \(plugin) is quarantined: \(reason)",
      remedy: "Mend it, then run: motionctl plugin restart \(plugin)")
  }

  /// There is no room for another target.
  static func targets(_ count: Int) -> Refusal {
    Refusal(.limit, "there are \(count) targets already", remedy: "Forget those that are no longer needed.")
  }
}
