public import MotionModel

/// Checks a transaction without applying it, all at once or piece by piece.
///
/// Frames may run between two pieces, and other transactions be committed. A plan that has become impossible by the
/// frame that applies it is reported as failed anyway; see ``Runtime/commit(_:at:)-(Transaction,_)``.
public final class TransactionCheck {
  /// The transaction to check.
  public let transaction: Transaction
  let runtime: Runtime
  /// Where the operations come from, if the transaction was committed with selectors.
  let resolution: TargetResolution?
  /// The groups after the operations so far, if these changed any.
  private var groups: GroupTable?
  /// The scenes that the operations so far set.
  private(set) var scenes = SceneChanges()
  /// The workers that it needs.
  private(set) var workers: Set<WorkerAddress> = []
  /// What it does, as far as it has been checked.
  private(set) var effects: Effects = []
  /// Its effects on the targets that are not staged.
  private var outlooks = NameTable<TargetOutlook>()
  /// The part of it that is staged.
  private(set) var staged: StagedTransaction?
  /// The last plan for which a placement on a target that does not exist was computed, and the placement: a transaction
  /// often adds the same plan to many targets.
  private var lastPlacement: (reading: PlanReading, placement: Placement)?
  private var newTargets = 0
  private var plans = 0
  /// The hashes of the target names of the next operations.
  private var hashes = TargetHashes()
  private var next = 0

  /// Begins to check a transaction against the present state of a runtime.
  ///
  /// - Throws: the refusal of a transaction that is too long.
  public convenience init(_ transaction: Transaction, in runtime: Runtime) throws(Refusal) {
    try self.init(transaction, in: runtime, staging: false)
  }

  /// Begins to check a transaction against the present state of a runtime, and to stage its additions.
  ///
  /// Selectors and recalls are resolved at once.
  ///
  /// - Parameters:
  ///   - transaction: the transaction to check.
  ///   - runtime: the runtime that is to apply it.
  ///   - staging: whether as much as possible of a large transaction is staged while it is checked, invisibly, so that
  ///     the frame that applies it takes a tenth of the time. It pays where frames run between the pieces.
  /// - Throws: the refusal of a transaction that is too long, or whose selectors stand for no target.
  public convenience init(_ transaction: Transaction, in runtime: Runtime, staging: Bool) throws(Refusal) {
    if !transaction.hasRequests {
      try self.init(transaction, from: nil, in: runtime, staging: staging)
    } else {
      let resolution = try TargetResolution(transaction, in: runtime)
      try resolution.advance()
      try self.init(resolution, staging: staging)
    }
  }

  /// Begins to check a transaction whose selectors are resolved.
  package convenience init(_ resolution: TargetResolution, staging: Bool) throws(Refusal) {
    precondition(resolution.isFinished, "a transaction was checked before all of its selectors were resolved")
    try self.init(Transaction(resolved: resolution.log), from: resolution, in: resolution.runtime, staging: staging)
  }

  private init(
    _ transaction: Transaction, from resolution: TargetResolution?, in runtime: Runtime, staging: Bool
  ) throws(Refusal) {
    guard transaction.log.count <= Limits.operationsPerTransaction else {
      throw Refusal(
        .limit, "a transaction has at most \(Limits.operationsPerTransaction) operations, not \(transaction.log.count)",
        remedy: "Commit it in parts.")
    }
    self.transaction = transaction
    self.resolution = resolution
    self.runtime = runtime
    if staging, runtime.stages(transaction.log.count) {
      let staged = StagedTransaction(transaction.log.count, in: runtime.plans)
      runtime.staging.register(staged)
      self.staged = staged
    }
  }

  /// Whether nothing is left to check.
  public var isFinished: Bool { next == transaction.log.count }

  /// Checks the next operations, at most so many, against the present state and the operations before them.
  ///
  /// - Returns: how many were checked.
  /// - Throws: the refusal of the first operation that cannot be applied.
  @discardableResult
  public func advance(_ operations: Int) throws(Refusal) -> Int {
    let first = next
    let end = min(transaction.log.count, next + operations)
    while next < end {
      if next == hashes.upperBound { hashTargets(upTo: end) }
      do {
        try apply(transaction.log[next])
      } catch {
        var refusal = error
        refusal.operation = next
        throw resolution?.placed(error, at: next) ?? refusal
      }
      next += 1
    }
    return end - first
  }

  /// Removes the staged part of so many operations, unless the transaction was committed. Giving up everything at
  /// once, as happens when the check is released, takes as long as checking it.
  ///
  /// - Returns: whether nothing is left.
  package func giveUp(_ operations: Int) -> Bool { staged?.giveUp(operations) ?? true }

  /// Hands over the staged part.
  func takeStaged() -> StagedTransaction? { staged.take() }

  /// About how many bytes the transaction takes where it is stored, if it was committed with selectors.
  package var bytes: Int? { resolution?.bytes }

  /// Checks all remaining operations.
  package func finish() throws(Refusal) { try advance(transaction.log.count) }

  /// Hashes the names of the next targets, and touches their places in the tables. With one look-up at a time, waiting
  /// for the memory took a fifth of checking a large transaction.
  private func hashTargets(upTo end: Int) {
    hashes.begin(at: next)
    var seen: UInt64 = 0
    for index in next..<min(end, next + TargetHashes.atATime) {
      // A group has no target: its hash is never looked at.
      let hash = NameHash(transaction.log[index].target ?? Transaction.placeholder)
      seen |= runtime.plans.targets.touch(hash)
      if let staged { seen |= staged.touch(hash) }
      hashes.append(hash)
    }
    hashes.seen = seen
  }

  private func apply(_ operation: Transaction.Operation) throws(Refusal) {
    switch operation {
    case .add(let intention, let name, let target):
      try add(intention, named: name, to: target)
      if intention.type == UniverseCheck.type { effects.insert(.sendsLamps) }
    case .remove(let name, let target):
      staged?.prepared?.note(operation, nil)
      let outlook = unstagedOutlook(target)
      remove(name, from: runtime.plans.targets[target], outlook)
      effects.insert(.takesAway)
    case .removePlan(let identity, let target):
      staged?.prepared?.note(operation, nil)
      remove(identity, from: unstagedOutlook(target))
      effects.insert(.takesAway)
    case .forget(let target):
      staged?.prepared?.note(operation, nil)
      unstagedOutlook(target).forget()
      effects.insert(.takesAway)
    case .limit(let property, let target, let setting):
      staged?.prepared?.note(operation, nil)
      let outlook = unstagedOutlook(target)
      let record = outlook.isForgotten ? nil : runtime.plans.targets[target]
      try runtime.plans.check(setting, of: property, on: target, record, after: outlook)
      outlook.limits[property] = setting
      effects.insert(.takesAway)
    case .group(let name, let members):
      staged?.prepared?.note(operation, nil)
      var groups = groups ?? runtime.plans.groups
      groups.set(name, members)
      if !members.isEmpty { try groups.check() }
      self.groups = groups
      effects.insert(.takesAway)
    case .scene(let name, let scene):
      staged?.prepared?.note(operation, nil)
      let isSaved = resolution.map { $0.request.selectors[$0.origin(of: next).operation] != nil } ?? false
      guard scene.isEmpty || isSaved else {
        throw Refusal.savedScene
      }
      try scenes.set(name, scene, in: runtime.scenes)
      effects.insert(.takesAway)
    case .cues(let name, let change):
      staged?.prepared?.note(operation, nil)
      try check(change, of: name)
      try scenes.set(name, change, by: next)
      effects.insert(.takesAway)
    }
  }

  private func check(_ change: CueChange, of name: CueListName) throws(Refusal) {
    switch change {
    case .position:
      // The expansion of a command has made it.
      guard resolution?.setsPosition(at: next) == true else {
        throw Refusal(
          .value, field: "cue", "how far a list has come is not set", remedy: "Command it: go, back, goto or stop.")
      }
    case .list(let list):
      try runtime.cues.check(list, as: name, after: scenes.cues.map { ($0.name, $0.change) })
      for cue in list.cues {
        do throws(Refusal) {
          try check(cue.content)
        } catch {
          var refusal = error
          refusal.message = "cue \"\(cue.name)\": \(refusal.message)"
          throw refusal
        }
      }
    }
  }

  /// Checks what a cue does, as far as that does not depend on the state when it begins.
  private func check(_ content: Transaction) throws(Refusal) {
    for operation in content.log {
      switch operation {
      case .add(let intention, let name, _): _ = try runtime.drivers.check(intention, isNamed: name != nil)
      case .cues:
        throw Refusal(.value, field: "cues", "a cue commands no list of cues", remedy: "Let the next cue follow.")
      case .scene(_, let scene) where !scene.isEmpty: throw .savedScene
      case .remove, .removePlan, .forget, .limit, .group, .scene: break
      }
    }
  }

  /// The outlook on a target from which something is removed: only the frame can determine what.
  private func unstagedOutlook(_ target: TargetName) -> TargetOutlook {
    let hash = NameHash(target)
    if let outlook = outlooks[target, hash] { return outlook }
    if let staged, let number = staged.number(of: target, hash), !staged.hasLeft(number) {
      return unstage(number, of: staged, hash)
    }
    return makeOutlook(target, hash)
  }

  /// Leaves a staged target to the frame, and continues without staging it.
  private func unstage(_ number: Int, of staged: StagedTransaction, _ hash: NameHash) -> TargetOutlook {
    let outlook = staged.outlook(on: number, in: runtime.plans)
    staged.leave(number)
    outlooks.insert(outlook, hash)
    return outlook
  }

  private func makeOutlook(_ target: TargetName, _ hash: NameHash) -> TargetOutlook {
    let outlook = TargetOutlook(target)
    outlooks.insert(outlook, hash)
    return outlook
  }

  private func add(_ intention: Intention, named name: IntentionName?, to target: TargetName) throws(Refusal) {
    if let refusal = name?.refusal { throw refusal }
    let reading = try runtime.drivers.check(intention, isNamed: name != nil)
    try count(reading)
    if intention.priority != 0 { effects.insert(.statesPriority) }
    staged?.prepared?.note(transaction.log[next], reading)
    if case .plugin(let plugin) = reading.entry.provider {
      workers.insert(
        runtime.reader.registry.worker(for: ExecutorKey(target, reading.entry.description.executor), of: plugin))
    }
    let hash = hashes[next]
    let known = runtime.plans.targets[target, hash]
    var former = outlooks[target, hash]
    if known == nil, former == nil, let staged {
      if try stage(reading, named: name, to: target, hash, staged) {
        staged.prepared?.dropLastReading()
        return
      }
      former = outlooks[target, hash]
    }
    staged?.pass()
    if known == nil, former?.isMet != true { try countNewTarget() }
    let outlook = former ?? makeOutlook(target, hash)
    outlook.isMet = true
    // A plan that begins later replaces that of its name then.
    if let name, reading.delay == 0 { remove(name, from: known, outlook) }
    let record = outlook.isForgotten ? nil : known
    let placement = try runtime.plans.place(reading, on: target, record, after: outlook)
    for property in placement.properties
    where runtime.plans.present(property.name, on: record, after: outlook) == nil { outlook.made.append(property) }
    outlook.addedIntentions += 1
    if let name { outlook.names[name] = true }
  }

  /// Stages a plan on a target that does not exist yet; otherwise the target is left to the frame.
  ///
  /// - Returns: whether it is staged.
  private func stage(
    _ reading: PlanReading, named name: IntentionName?, to target: TargetName, _ hash: NameHash,
    _ staged: StagedTransaction
  ) throws(Refusal) -> Bool {
    let number = staged.number(of: target, hash)
    let placement: Placement
    if let number {
      guard !staged.hasLeft(number) else { return false }
      placement = try runtime.plans.place(
        reading, on: target, nil, after: staged.outlook(on: number, in: runtime.plans))
    } else {
      guard reading.isForce, reading.delay == 0 else { return false }
      if newTargets + runtime.plans.targets.count >= Limits.targets { return false }
      placement = try place(reading, onNew: target)
    }
    guard
      staged.add(reading, named: name, placement, operation: next, to: target, hash, known: number, in: runtime.plans)
    else {
      if let number { _ = unstage(number, of: staged, hash) }
      return false
    }
    if number == nil { newTargets += 1 }
    return true
  }

  private func place(_ reading: PlanReading, onNew target: TargetName) throws(Refusal) -> Placement {
    // The placement of a plan on a target with limits depends on these.
    if !runtime.movement.properties.limits.isEmpty { return try runtime.plans.place(reading, on: target, nil) }
    if let lastPlacement, lastPlacement.reading === reading { return lastPlacement.placement }
    let placement = try runtime.plans.place(reading, on: target, nil)
    // The placement of a plan that follows other properties depends on them.
    if reading.leaders.isEmpty { lastPlacement = (reading, placement) }
    return placement
  }

  private func remove(_ name: IntentionName, from target: TargetRecord?, _ outlook: TargetOutlook) {
    let isThere = outlook.names[name] ?? (!outlook.isForgotten && target?.names[name] != nil)
    guard isThere else { return }
    outlook.names[name] = false
    outlook.addedIntentions -= 1
  }

  private func remove(_ identity: IntentionIdentity, from outlook: TargetOutlook) {
    guard !outlook.isForgotten, let record = runtime.plans.intentions[identity], record.target.name == outlook.name,
      !outlook.removed.contains(identity)
    else { return }
    if let name = record.name {
      // It was removed or replaced by its name before.
      guard outlook.names[name] == nil else { return }
      outlook.names[name] = false
    }
    outlook.removed.insert(identity)
    outlook.addedIntentions -= 1
  }

  private func count(_ reading: PlanReading) throws(Refusal) {
    plans += reading.plans
    guard plans <= Limits.operationsPerTransaction else {
      throw Refusal(
        .limit,
        "the transaction makes more than \(Limits.operationsPerTransaction) plans, with those that compositions such as "
          + "\(reading.intention.type) emit", remedy: "Commit it in parts.")
    }
  }

  private func countNewTarget() throws(Refusal) {
    newTargets += 1
    guard runtime.plans.targets.count + newTargets <= Limits.targets else {
      throw .targets(runtime.plans.targets.count)
    }
  }
}

/// The hashes of the targets of some consecutive operations.
private struct TargetHashes {
  /// The number of memory accesses that a processor can have outstanding at once, and some more.
  static let atATime = 32

  private var first = 0
  private var hashes: [NameHash] = []
  /// The content of the touched places: kept, so that the compiler does not remove the accesses.
  var seen: UInt64 = 0

  /// The operation after the last of them.
  var upperBound: Int { first + hashes.count }

  subscript(operation: Int) -> NameHash { hashes[operation - first] }

  mutating func begin(at operation: Int) {
    first = operation
    hashes.removeAll(keepingCapacity: true)
  }

  mutating func append(_ hash: NameHash) { hashes.append(hash) }
}
