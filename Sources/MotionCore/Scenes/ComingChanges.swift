import MotionModel

/// What operations before a recall will do to a target: those of transactions that are accepted and not yet applied, and
/// those of the own transaction.
struct ComingChanges {
  /// A plan that one of these operations adds.
  struct Addition {
    /// The plan's identity; `nil` while its transaction is not accepted.
    let identity: IntentionIdentity?
    /// The index of the operation, if it belongs to the transaction with the recall.
    let index: Int?
    let name: IntentionName?
    /// The properties that it writes, or that its parts write; of a manipulation, none: a recall leaves it alone.
    let written: [PropertyName]
    /// Whether it begins later.
    let isDelayed: Bool

    /// Whether the plan moves one of these properties, or begins later under one of these names.
    func concerns(_ properties: Set<PropertyName>, _ names: Set<IntentionName>) -> Bool {
      written.contains(where: properties.contains) || isDelayed && name.map(names.contains) == true
    }
  }

  private(set) var additions: [Addition] = []
  /// Whether plans are removed.
  private(set) var removes = false
  private var isForgotten = false
  private var freed: Set<IntentionName> = []

  /// Notes the next operation on the target.
  mutating func note(
    _ operation: Transaction.Operation, as identity: IntentionIdentity?, at index: Int?, _ reader: PlanReader
  ) {
    switch operation {
    case .add(let intention, let name, _):
      guard let reading = try? reader.check(intention) else { return }
      additions.append(
        .init(
          identity: identity, index: index, name: name, written: reading.isReplaceable ? reading.allWritten : [],
          isDelayed: reading.delay > 0 || reading.parts?.contains { $0.delay > 0 } == true))
      // It replaces the plan of its name.
      if name != nil { removes = true }
    case .remove(let name, _):
      removes = true
      freed.insert(name)
    case .removePlan: removes = true
    case .forget: (removes, isForgotten) = (true, true)
    case .limit, .group, .scene, .cues: break
    }
  }

  /// Whether plans of a scene with these properties and names may not be there when the recall is applied.
  func concern(_ properties: Set<PropertyName>, _ names: Set<IntentionName>) -> Bool {
    removes || additions.contains { $0.concerns(properties, names) }
  }

  /// The indices of the operations before the recall, in its transaction, that add what it would have to remove.
  func undone(by part: Scene.Target, _ reader: PlanReader) -> [Int] {
    guard additions.contains(where: { $0.index != nil }) else { return [] }
    let (properties, names) = (part.properties(reader), part.planNames)
    return additions.compactMap { $0.concerns(properties, names) ? $0.index : nil }
  }

  /// Whether the plan that has this name now will not have it.
  func frees(_ name: IntentionName) -> Bool { isForgotten || freed.contains(name) }

  /// Whether a plan gets this name that does not concern a scene with these properties and names.
  func gives(_ name: IntentionName, apart properties: Set<PropertyName>, _ names: Set<IntentionName>) -> Bool {
    additions.contains { $0.name == name && !$0.isDelayed && !$0.concerns(properties, names) }
  }
}

extension PlanReading {
  /// Whether a recall replaces it.
  fileprivate var isReplaceable: Bool { kind != .manipulation && kind != .output }

  /// The properties that it writes, or that its parts write.
  fileprivate var allWritten: [PropertyName] { (parts ?? []).reduce(written) { $0 + $1.allWritten } }
}
