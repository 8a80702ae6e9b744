public import MotionModel

extension Runtime {
  /// Accepts a transaction whole, or refuses it whole; it is applied with the next frame, or with the first at `at`.
  ///
  /// - Parameter at: a simulated time in seconds; in the past it means now.
  /// - Returns: the receipt: its place in the order of transactions, and the frame that will apply it.
  /// - Throws: ``MotionModel/Refusal`` with the index of the offending operation; nothing has changed then.
  ///
  /// Linear in the number of operations.
  @discardableResult
  public func commit(_ transaction: Transaction, at: Double? = nil) throws(Refusal) -> Receipt {
    try check(transaction)
    if let at, !at.isFinite {
      throw Refusal(.value, field: "at", "a time has to be finite", remedy: "Give simulated seconds since the start.")
    }
    let later = at.map { $0 > frame.time } ?? false
    if later, waiting.count >= Limits.waitingTransactions {
      throw Refusal(
        .limit, "\(waiting.count) transactions wait for their time already",
        remedy: "Commit those of later times later.")
    }
    lastSequence += 1
    let plugins = readiness(of: transaction)
    if later, let at {
      waiting.insert(.init(at: at, sequence: lastSequence, transaction: transaction))
      return Receipt(sequence: lastSequence, at: at, plugins: plugins)
    }
    submit(.commit(sequence: lastSequence, transaction))
    return Receipt(sequence: lastSequence, frame: frame.number + 1, plugins: plugins)
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
    var fixed: [PropertyReference: Int] = [:]
    for (index, operation) in transaction.log.enumerated() {
      do {
        try check(operation, fixed: &fixed)
      } catch {
        var refusal = error
        refusal.operation = index
        throw refusal
      }
    }
  }

  private func check(_ operation: Transaction.Operation, fixed: inout [PropertyReference: Int]) throws(Refusal) {
    switch operation {
    case .add(let intention, let name, let target):
      let entry = try check(intention, isNamed: name != nil)
      try checkLanes(entry.description.laneRequirements(of: intention), on: target, fixed: &fixed)
    case .remove: break
    case .forget(let target):
      fixed = fixed.filter { $0.key.target != target }
    }
  }

  /// Checks a plan for itself: its type, its fields, whether it may have a name, whether its plugin serves.
  ///
  /// - Returns: what the catalog knows of its type.
  func check(_ intention: Intention, isNamed: Bool) throws(Refusal) -> IntentionCatalog.Entry {
    let entry = try registry.catalog.check(intention, isNamed: isNamed)
    if case .plugin(let plugin) = entry.provider, let reason = quarantined[plugin] {
      throw Refusal(
        .quarantined, "plugin \(plugin) is quarantined: \(reason)",
        remedy: "Mend it, then run: motionctl plugin restart \(plugin)")
    }
    return entry
  }

  /// Checks that each value has the lanes of its property; the first value of a new property settles them.
  private func checkLanes(
    _ requirements: [LaneRequirement], on target: TargetName, fixed: inout [PropertyReference: Int]
  ) throws(Refusal) {
    for requirement in requirements {
      let reference = PropertyReference(target, requirement.property)
      let allowed = fixed[reference].map { $0...$0 } ?? properties.lanes(of: reference)
      guard allowed.contains(requirement.lanes) else {
        let wanted = allowed.count == 1 ? "\(allowed.lowerBound)" : "\(allowed.lowerBound) to \(allowed.upperBound)"
        throw Refusal(
          .lanes, field: requirement.field,
          "\(requirement.property) has \(wanted) lanes, the value has \(requirement.lanes)",
          remedy: allowed.upperBound == 1 ? "Give one number." : "Give a list of \(wanted) numbers.")
      }
      fixed[reference] = requirement.lanes
    }
  }

  /// The plugins that the transaction needs, each once, and whether they are ready.
  private func readiness(of transaction: Transaction) -> [PluginReadiness] {
    var readiness: [PluginReadiness] = []
    for case .add(let intention, _, let target) in transaction.log {
      guard let entry = registry.catalog[intention.type], case .plugin(let plugin) = entry.provider,
        !readiness.contains(where: { $0.plugin == plugin })
      else { continue }
      let worker = registry.worker(for: ExecutorKey(target, entry.description.executor), of: plugin)
      readiness.append(PluginReadiness(plugin, workers[worker]?.isProvisioned == true ? .ready : .starting))
    }
    return readiness
  }
}
