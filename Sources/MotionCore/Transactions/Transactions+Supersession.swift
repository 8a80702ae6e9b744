import MotionModel

extension Transactions {
  /// What becomes of the operations of a large transaction if it is applied now; `nil` if all are applied.
  func fates(of transaction: Transaction, by supersession: Supersession?) -> [Supersession.Fate]? {
    guard let supersession, !supersession.isEmpty else { return nil }
    var effects = supersession.conditions.map(effect)
    var fates = [Supersession.Fate](repeating: .applied, count: transaction.log.count)
    for (operation, place) in supersession.places.enumerated() where place.condition >= 0 {
      switch effects[Int(place.condition)] {
      case .none: break
      case .allButFirst: effects[Int(place.condition)] = .all
      case .all: fates[operation] = place.fate
      }
    }
    return fates
  }

  /// Which of the operations that are superseded under a condition need not be applied.
  private enum SupersessionEffect {
    case none
    /// The first one creates a property, or an executor.
    case allButFirst
    case all
  }

  private func effect(of condition: Supersession.Condition) -> SupersessionEffect {
    guard let target = plans.targets[condition.target] else { return .allButFirst }
    var effect = SupersessionEffect.all
    for need in condition.needs {
      if let property = need.property {
        let slot = plans.slot(of: property, on: target)
        if let slot, let lanes = need.lanes, movement.properties.lanes(at: slot) != lanes { return .none }
        if slot == nil { effect = .allButFirst }
      }
      if !target.executors.contains(where: { plans.executors[$0]?.type == need.executor }) { effect = .allButFirst }
    }
    return effect
  }

  /// Prepares a large transaction that was not prepared while it was checked; `nil` for a small one.
  func prepare(_ transaction: Transaction) -> PreparedOperations? {
    guard transaction.log.count >= staging.fewest else { return nil }
    var prepared = PreparedOperations(transaction.log.count)
    for operation in transaction.log {
      var reading: PlanReading?
      // A plan that no longer passes the check will be reported as failed.
      if case .add(let intention, _, _) = operation {
        reading = (try? reader.check(intention)) ?? reader.read(intention)
      }
      prepared.note(operation, reading)
      // A stored plan is checked as if it were committed now.
      if position.isStored { prepared.dropLastReading() }
    }
    return prepared
  }

  /// Reports plans of large transactions that ended before they began.
  func reportSuperseded() {
    guard !staging.superseded.isEmpty else { return }
    let done = staging.superseded.take(Drivers.arrivalsPerFrame) { plan, intention in
      guard let reading = reader.read(intention) else { return }
      log.end(
        plan, plan.outcome, of: intention, kind: reading.kind, reading.entry.description.executor, provenance: nil,
        by: .transaction(sequence: plan.identity.sequence, operation: nil))
    }
    for transaction in done { log.keep(SpentTransaction(nil, of: transaction)) }
  }
}
