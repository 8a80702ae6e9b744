import MotionModel

/// Foresees which one-shots of a transaction end as displaced at once, because plans of higher priorities drive.
///
/// Transactions that wait for the next frame already are played through first. Plans that end before that frame, that
/// become due in it, or that are not emitted with their commit, are not foreseen. Linear in the operations.
struct DisplacementForecast {
  /// A plan on a property.
  private struct Entry {
    let identity: IntentionIdentity
    let name: IntentionName?
    let type: IntentionType
    let kind: IntentionKind
    let priority: Int32
    /// How many operations were played before its own; `nil` for a plan that the runtime has already.
    let turn: Int?
  }

  private let runtime: Runtime
  private var turn = 0
  private var added: [PropertyReference: [Entry]] = [:]
  /// The plans by name that the operations so far have added or removed.
  private var names: [TargetName: [IntentionName: IntentionIdentity?]] = [:]
  private var removed: Set<IntentionIdentity> = []
  /// The turn in which a target was forgotten last.
  private var forgotten: [TargetName: Int] = [:]

  /// The displaced one-shots; none if too much is to be played through.
  static func displaced(of accepted: AcceptedTransaction, in runtime: Runtime) -> [Receipt.Displaced] {
    guard accepted.transaction.log.count <= EffectForecast.mostOperations else { return [] }
    var forecast = DisplacementForecast(runtime: runtime)
    guard forecast.playPending() else { return [] }
    forecast.play(accepted.transaction, accepted.sequence)
    return forecast.displaced(of: accepted.sequence)
  }

  private init(runtime: Runtime) { self.runtime = runtime }

  /// - Returns: whether it could be foreseen.
  private mutating func playPending() -> Bool {
    var left = EffectForecast.mostPending
    for event in runtime.queue.pending {
      switch event {
      case .commit(let sequence, let transaction):
        left -= transaction.log.count
        guard left >= 0 else { return false }
        play(transaction, sequence)
      case .withdraw, .stop: return false
      default: break
      }
    }
    return true
  }

  private mutating func play(_ transaction: Transaction, _ sequence: UInt64) {
    for (index, operation) in transaction.log.enumerated() {
      turn += 1
      switch operation {
      case .add(let intention, let name, let target):
        let identity = IntentionIdentity(sequence: sequence, operation: UInt32(index))
        let reading = try? runtime.reader.check(intention)
        if let name, reading?.delay == 0 {
          remove(name, from: target)
          names[target, default: [:]][name] = .some(identity)
        }
        if let reading { add(reading, named: name, to: target, as: identity) }
      case .remove(let name, let target): remove(name, from: target)
      case .removePlan(let identity, _): removed.insert(identity)
      case .forget(let target):
        forgotten[target] = turn
        names[target] = [:]
      case .limit, .group, .scene, .cues: break
      }
    }
  }

  private mutating func add(
    _ reading: PlanReading, named name: IntentionName?, to target: TargetName, as identity: IntentionIdentity
  ) {
    // Manipulations are idle until pointers come, and what happens before a later beginning is not known.
    if reading.delay == 0, reading.kind == .oneShot || reading.kind == .standing {
      let entry = Entry(
        identity: identity, name: name, type: reading.intention.type, kind: reading.kind,
        priority: reading.intention.priority, turn: turn)
      for property in reading.written { added[PropertyReference(target, property), default: []].append(entry) }
    }
    for (ordinal, part) in (reading.parts ?? []).enumerated() {
      add(part, named: nil, to: target, as: identity.child(UInt32(ordinal)))
    }
  }

  private mutating func remove(_ name: IntentionName, from target: TargetName) {
    if let identity = names[target]?[name] {
      if let identity { removed.insert(identity) }
    } else if forgotten[target] == nil, let record = runtime.plans.targets[target] {
      removed.formUnion(runtime.plans.identities(named: name, on: record))
    }
    names[target, default: [:]][name] = .some(nil)
  }

  /// Whether a plan on a target has been removed, with a plan that emitted it or with the target.
  private func isGone(_ entry: Entry, on target: TargetName) -> Bool {
    if let last = forgotten[target], entry.turn.map({ $0 < last }) ?? true { return true }
    guard !removed.isEmpty else { return false }
    var ancestor: IntentionIdentity? = entry.identity
    while let identity = ancestor {
      if removed.contains(identity) { return true }
      ancestor = identity.parent
    }
    return false
  }

  private func displaced(of sequence: UInt64) -> [Receipt.Displaced] {
    var found: [Receipt.Displaced] = []
    for (property, entries) in added {
      let present = entries.filter { !isGone($0, on: property.target) }
      guard let highest = highest(of: contenders(for: property) + present) else { continue }
      for entry in present
      where entry.identity.sequence == sequence && entry.kind == .oneShot && entry.priority < highest.priority {
        found.append(
          Receipt.Displaced(
            operation: Int(entry.identity.operation), property: property.property, by: highest.identity,
            type: highest.type, name: highest.name, priority: highest.priority))
      }
    }
    // One for each operation, whose plan ends with its first loss.
    var seen: Set<Int> = []
    let inOrder = found.sorted { ($0.operation, $0.property) < ($1.operation, $1.property) }
    return Array(inOrder.filter { seen.insert($0.operation).inserted }.prefix(Limits.displacedInReceipt))
  }

  /// The latest of the plans of the highest priority.
  private func highest(of entries: [Entry]) -> Entry? {
    var highest: Entry?
    for entry in entries where entry.priority >= highest?.priority ?? .min { highest = entry }
    return highest
  }

  /// The plans that contend for a property now, and have not been removed since.
  private func contenders(for property: PropertyReference) -> [Entry] {
    guard let slot = runtime.plans.find(property) else { return [] }
    let stack = runtime.plans.movement.properties[slot].stack
    return stack.contenders.compactMap { claim in
      guard let record = runtime.plans.intentions[claim.identity] else { return nil }
      let entry = Entry(
        identity: claim.identity, name: record.name, type: record.intention.type, kind: claim.kind,
        priority: Int32(claim.priority), turn: nil)
      return isGone(entry, on: property.target) ? nil : entry
    }
  }
}
