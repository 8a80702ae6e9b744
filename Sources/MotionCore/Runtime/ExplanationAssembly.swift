import MotionModel

/// Makes explanations of properties.
struct ExplanationAssembly {
  private let runtime: Runtime
  private let plans: Plans
  private let movement: Movement

  init(_ runtime: Runtime) { (self.runtime, plans, movement) = (runtime, runtime.plans, runtime.movement) }

  /// Why a property has its value: what drives it, for which plan of whom, and what waits; see
  /// ``/MotionModel/Explanation``. Linear in the plans that write the property, of which at most
  /// ``/MotionModel/Limits/explainedPlans`` of a kind are in it.
  ///
  /// - Throws: ``/MotionModel/Refusal`` when there is no such property.
  func explanation(of reference: PropertyReference) throws(Refusal) -> Explanation {
    _ = try runtime.known(reference.target)
    guard let slot = plans.find(reference) else { throw unknownProperty(reference) }
    let properties = movement.properties
    let stack = properties[slot].stack
    var result = Explanation(frame: runtime.frame.number, time: runtime.frame.time, plans.row(of: slot))
    result.former = properties.formerPlans[slot]
    result.restraints =
      properties.heldDemand(of: slot) == nil ? [] : EventLog.limits(in: properties.restraint(of: slot))
    if let motion = properties.motions[slot] {
      result.lateness = Explanation.Lateness(motion)
      result.fading = motion.blend?.left(at: runtime.frame.time).map(\.remaining).max()
    }
    if let actor = properties[slot].actor, actor != stack.driver { result.mover = plans.executors[actor]?.type }
    addPlans(of: stack, since: properties[slot].leadingSince, to: &result)
    return result
  }

  private func addPlans(of stack: WriterStack, since: Double, to result: inout Explanation) {
    if let leading = stack.leading, let record = plans.intentions[leading] {
      result.plan = row(of: record)
      result.since = since.isNaN ? nil : since
      result.began = record.start?.time
      result.ancestors = sequence(first: record.identity) { $0.parent }.dropFirst().compactMap {
        plans.intentions[$0].flatMap(row)
      }
    }
    guard let driver = stack.driver, let executor = plans.executors[driver] else {
      result.waiting = waiting(in: stack, except: [])
      return
    }
    if let worker = executor.worker {
      result.worker = Explanation.WorkerFact(
        worker, isServing: runtime.workers.isProvisioned(worker),
        quarantine: runtime.workers.quarantined[worker.plugin] ?? "")
    }
    var moving: Set<IntentionIdentity> = stack.leading.map { [$0] } ?? []
    if executor.physics != nil, let priority = stack.leadingClaim?.priority {
      // Of forces only those of the highest priority add up.
      let forces = stack.contenders.filter { $0.executor == driver && $0.priority == priority }.map(\.identity)
      result.together = forces.filter { $0 != stack.leading }.suffix(Limits.explainedPlans)
        .compactMap { plans.intentions[$0].flatMap(row) }
      moving.formUnion(forces)
    }
    result.waiting = waiting(in: stack, except: moving)
  }

  /// The plans that can drive later: those that have begun, the next one first, then those that have not.
  private func waiting(in stack: WriterStack, except moving: Set<IntentionIdentity>) -> [IntentionRow] {
    let lost = Set(stack.lost.map(\.identity))
    let others = (stack.contenders.reversed() + stack.claims.filter(\.isWaiting)).filter {
      !moving.contains($0.identity) && !lost.contains($0.identity)
    }
    // Stable: of equal ones the later is first. A hand drives before plans of its priority.
    let ranked = others.enumerated().sorted { one, other in
      let (a, b) = (one.element, other.element)
      let ranks = [(a.isWaiting ? 1 : 0, b.isWaiting ? 1 : 0), (-Int(a.priority), -Int(b.priority))]
      for (rank, otherRank) in ranks where rank != otherRank { return rank < otherRank }
      let hands = (a.kind == .manipulation, b.kind == .manipulation)
      return hands.0 == hands.1 ? one.offset < other.offset : hands.0
    }
    return ranked.prefix(Limits.explainedPlans).compactMap { plans.intentions[$0.element.identity].flatMap(row) }
  }

  private func row(of record: IntentionRecord) -> IntentionRow? {
    plans.executors[record.executor].map { plans.row(of: record, in: $0) }
  }

  private func unknownProperty(_ reference: PropertyReference) -> Refusal {
    let names = plans.slotsInOrder(on: reference.target).map { movement.properties[$0].reference.property.text }
    let nearest = NearestName.suggestion(for: reference.property.text, among: names)
    let known = names.isEmpty ? "It has no property yet." : "It has \(names.prefix(8).joined(separator: ", "))."
    return Refusal(
      .notFound, "the target \"\(reference.target)\" has no property \"\(reference.property)\"",
      remedy: nearest.map { "Did you mean \"\($0)\"?" } ?? known)
  }
}

extension Explanation.Lateness {
  fileprivate init?(_ motion: PropertyMotion) {
    switch motion.mover {
    case .coasting(_, let since): self = .silent(since: since)
    case .retreating: self = .retreating
    case .behind(let frames): self = .behind(frames: frames)
    case .onTime:
      guard motion.isLate else { return nil }
      self = .catchingUp
    }
  }
}
