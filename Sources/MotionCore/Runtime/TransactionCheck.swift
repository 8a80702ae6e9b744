public import MotionModel

/// Plays a transaction through without applying it, all at once or piece by piece.
///
/// Frames may run between two pieces, and other transactions be committed. What the world outgrows until the frame that
/// applies a transaction is reported as a failed plan anyway; see ``Runtime/commit(_:at:)-(Transaction,_)``.
public struct TransactionCheck {
  /// What is checked.
  public let transaction: Transaction
  let runtime: Runtime
  /// The workers that it needs.
  private(set) var workers: Set<WorkerAddress> = []
  private var outlooks = NameTable<TargetOutlook>()
  private var newTargets = 0
  private var next = 0

  /// Begins to check a transaction against what a runtime knows.
  ///
  /// - Throws: the refusal of one that is too long.
  public init(_ transaction: Transaction, in runtime: Runtime) throws(Refusal) {
    guard transaction.log.count <= Limits.operationsPerTransaction else {
      throw Refusal(
        .limit, "a transaction has at most \(Limits.operationsPerTransaction) operations, not \(transaction.log.count)",
        remedy: "Commit it in parts.")
    }
    self.transaction = transaction
    self.runtime = runtime
  }

  /// Whether nothing is left to check.
  public var isFinished: Bool { next == transaction.log.count }

  /// Checks the next operations, at most so many, against what is known now, and against those before them.
  ///
  /// - Returns: how many were checked.
  /// - Throws: the refusal of the first operation that cannot be applied.
  @discardableResult
  public mutating func advance(_ operations: Int) throws(Refusal) -> Int {
    let first = next
    let end = min(transaction.log.count, next + operations)
    while next < end {
      do {
        try apply(transaction.log[next])
      } catch {
        var refusal = error
        refusal.operation = next
        throw refusal
      }
      next += 1
    }
    return end - first
  }

  /// Checks all that is left.
  mutating func finish() throws(Refusal) { try advance(transaction.log.count) }

  private mutating func apply(_ operation: Transaction.Operation) throws(Refusal) {
    switch operation {
    case .add(let intention, let name, let target): try add(intention, named: name, to: target)
    case .remove(let name, let target):
      remove(name, from: runtime.targets[target], outlooks[target] ?? makeOutlook(target, NameHash(target)))
    case .forget(let target):
      let outlook = outlooks[target] ?? makeOutlook(target, NameHash(target))
      outlook.forget()
    }
  }

  private mutating func makeOutlook(_ target: TargetName, _ hash: NameHash) -> TargetOutlook {
    let outlook = TargetOutlook(target)
    outlooks.insert(outlook, hash)
    return outlook
  }

  private mutating func add(_ intention: Intention, named name: IntentionName?, to target: TargetName) throws(Refusal) {
    let reading = try runtime.check(intention, isNamed: name != nil)
    if case .plugin(let plugin) = reading.entry.provider {
      workers.insert(runtime.registry.worker(for: ExecutorKey(target, reading.entry.description.executor), of: plugin))
    }
    let hash = NameHash(target)
    let known = runtime.targets[target, hash]
    let former = outlooks[target, hash]
    if known == nil, former?.isMet != true { try countNewTarget() }
    let outlook = former ?? makeOutlook(target, hash)
    outlook.isMet = true
    if let name { remove(name, from: known, outlook) }
    let record = outlook.isForgotten ? nil : known
    let placement = try runtime.place(reading, on: target, record, after: outlook)
    for property in placement.properties
    where runtime.present(property.name, on: record, after: outlook) == nil { outlook.made.append(property) }
    outlook.addedIntentions += 1
    if let name { outlook.names[name] = true }
  }

  private func remove(_ name: IntentionName, from target: TargetRecord?, _ outlook: TargetOutlook) {
    let isThere = outlook.names[name] ?? (!outlook.isForgotten && target?.names[name] != nil)
    guard isThere else { return }
    outlook.names[name] = false
    outlook.addedIntentions -= 1
  }

  private mutating func countNewTarget() throws(Refusal) {
    newTargets += 1
    guard runtime.targets.count + newTargets <= Limits.targets else { throw .targets(runtime.targets.count) }
  }
}
