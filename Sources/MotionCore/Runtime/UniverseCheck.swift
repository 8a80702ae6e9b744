import MotionModel

/// Checks that a transaction takes no lamps away from a plan for one that would fail, because another plan sends one of its
/// universes: they would stay dark.
///
/// A plan that only adds universes which another one sends is accepted, and fails: nothing goes dark. So is whatever is too
/// much to be examined on the loop.
struct UniverseCheck {
  private struct Sender {
    let identity: IntentionIdentity
    let target: TargetName
    let name: IntentionName?
    let universes: [DMXPatch.Universe]
  }

  private typealias Conflict = (universe: DMXPatch.Universe, other: Sender)

  /// The type of the plans that send levels of lamps.
  static let type = SendDMXIntention.description.type
  /// The most bytes of patches that are read: those of two of the largest.
  private static let mostBytes = 2 * DMXPatch.mostBytes
  /// The most plans that send.
  private static let mostSenders = 64

  /// The plans that send, or will when those before them are applied.
  private var senders: [Sender] = []
  private var bytes = 0

  /// Checks a transaction against the plans of a runtime and the transactions that wait for its next frame.
  ///
  /// Linear in the number of plans; of those that send, the patches are read.
  ///
  /// - Throws: the refusal of the operation that adds such a plan.
  static func check(_ transaction: Transaction, in runtime: Runtime) throws(Refusal) {
    guard transaction.log.count <= EffectForecast.mostOperations else { return }
    var check = UniverseCheck()
    for (identity, plan) in runtime.plans.intentions where plan.begins == nil && plan.intention.type == type {
      check.add(plan.intention, named: plan.name, to: plan.target.name, as: identity)
      guard !check.isTooMuch else { return }
    }
    var left = EffectForecast.mostPending
    for event in runtime.queue.pending {
      switch event {
      case .commit(let sequence, let pending):
        left -= pending.log.count
        guard left >= 0 else { return }
        for (index, operation) in pending.log.enumerated() {
          _ = check.play(operation, as: IntentionIdentity(sequence: sequence, operation: UInt32(index)))
        }
      // What is left after it is known with the frame.
      case .stop, .withdraw: return
      default: break
      }
    }
    try check.play(transaction)
  }

  private var isTooMuch: Bool { bytes > Self.mostBytes || senders.count > Self.mostSenders }

  private mutating func play(_ transaction: Transaction) throws(Refusal) {
    /// The plans that will fail, with those that send one of their universes.
    var failing: [(operation: Int, conflict: Conflict)] = []
    for (index, operation) in transaction.log.enumerated() {
      let (gone, conflict) = play(operation, as: IntentionIdentity(sequence: .max, operation: UInt32(index)))
      guard !isTooMuch else { return }
      if let conflict { failing.append((index, conflict)) }
      guard !gone.isEmpty else { continue }
      let dark =
        conflict == nil
        ? failing.first { fail in gone.contains { $0.identity == fail.conflict.other.identity } } : failing.last
      if let dark { throw Self.refusal(dark.operation, dark.conflict) }
    }
  }

  private static func refusal(_ operation: Int, _ conflict: Conflict) -> Refusal {
    let (universe, other) = conflict
    let plan = other.name.map { "the plan \"\($0)\"" } ?? "a plan"
    var refusal = Refusal(
      .value, field: "patch",
      "universe \(universe.number) is sent as \(universe.carrier.rawValue) \(universe.address) by \(plan) on "
        + "\(other.target): this plan would fail, and lamps go dark",
      remedy: "Remove that plan first: in this transaction before this operation, or by an earlier one.")
    refusal.operation = operation
    return refusal
  }

  /// Adds a plan that sends, unless another one sends one of its universes.
  @discardableResult
  private mutating func add(
    _ intention: Intention, named name: IntentionName?, to target: TargetName, as identity: IntentionIdentity
  ) -> Conflict? {
    bytes += SendDMXIntention.text(of: intention).utf8.count
    guard !isTooMuch, let universes = try? SendDMXIntention(intention).patch.universes else { return nil }
    for universe in universes {
      for other in senders where other.universes.contains(where: { $0.overlaps(universe) }) { return (universe, other) }
    }
    senders.append(Sender(identity: identity, target: target, name: name, universes: universes))
    return nil
  }

  /// Plays an operation through.
  ///
  /// - Returns: the plans that no longer send, and what keeps a plan that it adds from sending.
  private mutating func play(
    _ operation: Transaction.Operation, as identity: IntentionIdentity
  ) -> (gone: [Sender], conflict: Conflict?) {
    switch operation {
    case .add(let intention, let name, let target):
      guard intention.after == 0 else { return ([], nil) }
      let gone = name.map { name in drop { $0.name == name && $0.target == target } } ?? []
      guard intention.type == Self.type else { return (gone, nil) }
      return (gone, add(intention, named: name, to: target, as: identity))
    case .remove(let name, let target): return (drop { $0.name == name && $0.target == target }, nil)
    case .removePlan(let other, let target): return (drop { $0.identity == other && $0.target == target }, nil)
    case .forget(let target): return (drop { $0.target == target }, nil)
    case .limit, .group, .scene, .cues: return ([], nil)
    }
  }

  private mutating func drop(where isGone: (Sender) -> Bool) -> [Sender] {
    let gone = senders.filter(isGone)
    if !gone.isEmpty { senders.removeAll(where: isGone) }
    return gone
  }
}
