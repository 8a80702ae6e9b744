import MotionModel

/// Checks that a transaction takes no lamps away from a plan for one that would fail, because another plan sends one of its
/// universes: they would stay dark.
///
/// A plan that only adds universes which another one sends is accepted, and fails: nothing goes dark.
struct UniverseCheck {
  private struct Sender {
    let identity: IntentionIdentity
    let target: TargetName
    let name: IntentionName?
    let universes: [DMXPatch.Universe]
  }

  /// The type of the plans that send levels of lamps.
  static let type = SendDMXIntention.description.type

  /// The plans that send, or will when those before them are applied.
  private var senders: [Sender] = []

  /// Checks a transaction against the plans of a runtime and the transactions that wait for its next frame.
  ///
  /// It reads the patches of all plans that send: some 10 µs for each.
  ///
  /// - Throws: the refusal of the operation that adds such a plan.
  static func check(_ transaction: Transaction, in runtime: Runtime) throws(Refusal) {
    var check = UniverseCheck()
    for (identity, plan) in runtime.plans.intentions where plan.begins == nil {
      guard let universes = universes(of: plan.intention) else { continue }
      check.senders.append(
        Sender(identity: identity, target: plan.target.name, name: plan.name, universes: universes))
    }
    for event in runtime.queue.pending {
      switch event {
      case .commit(let sequence, let pending):
        for (index, operation) in pending.log.enumerated() {
          check.play(operation, as: IntentionIdentity(sequence: sequence, operation: UInt32(index)))
        }
      // What they leave is known with the frame.
      case .stop, .withdraw: return
      default: break
      }
    }
    try check.play(transaction)
  }

  private static func universes(of intention: Intention) -> [DMXPatch.Universe]? {
    guard intention.type == type, intention.after == 0 else { return nil }
    return try? SendDMXIntention(intention).patch.universes
  }

  private mutating func play(_ transaction: Transaction) throws(Refusal) {
    /// The plans that will fail, with those that send one of their universes.
    var failing: [(operation: Int, universe: DMXPatch.Universe, other: Sender)] = []
    for (index, operation) in transaction.log.enumerated() {
      let before = senders
      var conflict: (universe: DMXPatch.Universe, other: Sender)?
      if case .add(let intention, let name, let target) = operation, let universes = Self.universes(of: intention) {
        conflict = self.conflict(of: universes, except: name, on: target)
        if let conflict { failing.append((index, conflict.universe, conflict.other)) }
      }
      if conflict == nil {
        play(operation, as: IntentionIdentity(sequence: .max, operation: UInt32(index)))
      } else {
        // It fails after the plan of its name is gone.
        play(Self.removal(of: operation), as: IntentionIdentity(sequence: .max, operation: UInt32(index)))
      }
      let gone = before.filter { sender in !senders.contains { $0.identity == sender.identity } }
      guard !gone.isEmpty else { continue }
      let lost = conflict.map { (index, $0.universe, $0.other) }
      if let (operation, universe, other) = lost
        ?? failing.first(where: { fail in gone.contains { $0.identity == fail.other.identity } })
      {
        throw Self.refusal(operation, universe, other)
      }
    }
  }

  private static func refusal(_ operation: Int, _ universe: DMXPatch.Universe, _ other: Sender) -> Refusal {
    let plan = other.name.map { "the plan \"\($0)\"" } ?? "a plan"
    var refusal = Refusal(
      .value, field: "patch",
      "universe \(universe.number) is sent as \(universe.carrier.rawValue) \(universe.address) by \(plan) on "
        + "\(other.target), and the plan would fail when another one is gone for it",
      remedy: "Remove that plan first: in this transaction before this operation, or by an earlier one.")
    refusal.operation = operation
    return refusal
  }

  /// The first universe of a plan that another one sends, which does not have its name on its target.
  private func conflict(
    of universes: [DMXPatch.Universe], except name: IntentionName?, on target: TargetName
  ) -> (universe: DMXPatch.Universe, other: Sender)? {
    for universe in universes {
      for sender in senders where name == nil || sender.name != name || sender.target != target {
        if sender.universes.contains(where: { $0.overlaps(universe) }) { return (universe, sender) }
      }
    }
    return nil
  }

  private static func removal(of operation: Transaction.Operation) -> Transaction.Operation {
    guard case .add(_, let name?, let target) = operation else { return operation }
    return .remove(named: name, from: target)
  }

  /// Takes over what an operation changes.
  private mutating func play(_ operation: Transaction.Operation, as identity: IntentionIdentity) {
    switch operation {
    case .add(let intention, let name, let target):
      if let name, intention.after == 0 { senders.removeAll { $0.name == name && $0.target == target } }
      guard let universes = Self.universes(of: intention),
        conflict(of: universes, except: name, on: target) == nil
      else { return }
      senders.append(Sender(identity: identity, target: target, name: name, universes: universes))
    case .remove(let name, let target): senders.removeAll { $0.name == name && $0.target == target }
    case .removePlan(let other, let target): senders.removeAll { $0.identity == other && $0.target == target }
    case .forget(let target): senders.removeAll { $0.target == target }
    case .limit, .group, .scene, .cues: break
    }
  }
}
