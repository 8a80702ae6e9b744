import MotionModel

/// Counts the removals and forgets that a transaction will perform, as far as they are known before its frame.
///
/// Operations that wait for the next frame already are played through first; with too many of them there is no result.
struct EffectForecast {
  /// The most operations of a transaction that are examined, on the loop: some 100 ns each.
  static let mostOperations = 4096
  /// The most operations that may wait for the next frame before it: they are examined for every incoming transaction.
  static let mostPending = 64

  /// The state of a target after the operations so far.
  private struct Outlook {
    var exists: Bool
    /// Whether the runtime's record of it is gone by then.
    var isForgotten = false
    var names: [IntentionName: Bool] = [:]
    var removed: Set<IntentionIdentity> = []
  }

  private let runtime: Runtime
  private var outlooks: [TargetName: Outlook] = [:]
  private var counts = Receipt.Counts()

  /// The effects of a transaction; `nil` if they are not known.
  ///
  /// - Parameter takesAway: whether it removes or forgets anything.
  static func counts(of transaction: Transaction, takesAway: Bool, in runtime: Runtime) -> Receipt.Counts? {
    guard takesAway else { return Receipt.Counts(added: transaction.log.count) }
    guard transaction.log.count <= mostOperations else { return nil }
    var forecast = EffectForecast(runtime: runtime)
    guard forecast.playPending() else { return nil }
    forecast.counts = Receipt.Counts()
    for operation in transaction.log { forecast.play(operation) }
    return forecast.counts
  }

  private init(runtime: Runtime) { self.runtime = runtime }

  /// - Returns: whether it could be foreseen.
  private mutating func playPending() -> Bool {
    var left = Self.mostPending
    for event in runtime.queue.pending {
      switch event {
      case .commit(_, let transaction):
        left -= transaction.log.count
        guard left >= 0 else { return false }
        for operation in transaction.log { play(operation) }
      case .withdraw, .stop: return false
      default: break
      }
    }
    return true
  }

  private mutating func play(_ operation: Transaction.Operation) {
    guard let target = operation.target else { return }
    var outlook = outlooks[target] ?? Outlook(exists: runtime.plans.targets[target] != nil)
    switch operation {
    case .add(_, let name, _):
      counts.added += 1
      outlook.exists = true
      if let name { outlook.names[name] = true }
    case .remove(let name, _):
      if let isThere = outlook.names[name] {
        counts.removed += isThere ? 1 : 0
      } else if !outlook.isForgotten {
        let present = runtime.plans.targets[target].map { runtime.plans.identities(named: name, on: $0).count } ?? 0
        let hasFailed = present == 0 && runtime.retirement.hasFailed(on: target) { $0.name == name }
        counts.removed += hasFailed ? 1 : present
      }
      outlook.names[name] = false
    case .removePlan(let identity, _): remove(identity, on: target, &outlook)
    case .limit, .group, .scene, .cues: return
    case .forget:
      if outlook.exists { counts.forgotten += 1 }
      outlook = Outlook(exists: false, isForgotten: true)
    }
    outlooks[target] = outlook
  }

  private mutating func remove(_ identity: IntentionIdentity, on target: TargetName, _ outlook: inout Outlook) {
    guard !outlook.isForgotten else { return }
    let record = runtime.plans.intentions[identity].flatMap { $0.target.name == target ? $0 : nil }
    guard record != nil || runtime.retirement.hasFailed(on: target, where: { $0.identity == identity }) else { return }
    // Its name was removed or given to another plan before, or the plan that emitted it was removed.
    if let name = record?.name, outlook.names[name] != nil { return }
    var ancestor: IntentionIdentity? = identity
    while let present = ancestor {
      if outlook.removed.contains(present) { return }
      ancestor = present.parent
    }
    outlook.removed.insert(identity)
    if let name = record?.name { outlook.names[name] = false }
    counts.removed += 1
  }
}
