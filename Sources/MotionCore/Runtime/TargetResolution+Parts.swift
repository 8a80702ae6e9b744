import MotionModel

extension Transaction.Operation {
  /// The operation on another target.
  func on(_ target: TargetName) -> Self {
    switch self {
    case .add(let intention, let name, _): .add(intention, named: name, to: target)
    case .remove(let name, _): .remove(named: name, from: target)
    case .removePlan(let identity, _): .removePlan(identity, from: target)
    case .forget: .forget(target)
    case .limit(let property, _, let setting): .limit(property, of: target, setting)
    case .group, .scene, .cues: self
    }
  }

  /// The member of a transaction file that has the target.
  var fieldOfTarget: String {
    switch self {
    case .add: "to"
    case .remove, .removePlan: "from"
    case .forget: "forget"
    case .limit: "on"
    case .group, .scene, .cues: "targets"
    }
  }
}

extension Refusal {
  static let tooManyOperations = Refusal(
    .limit,
    "with all targets of its selectors, the transaction has more than \(Limits.operationsPerTransaction) operations",
    remedy: "Commit it in parts.")
  static let tooLargeScene = Refusal(
    .limit, field: "targets", "a scene has at most \(Limits.sceneEntries) values and plans",
    remedy: "Save it in parts, each with some of the targets.")
  static let savedScene = Refusal(
    .value, field: "scene", "a scene is saved from the present state of targets",
    remedy: "Bring the targets there, and save it.")
  static let tooManyMembers = Refusal(
    .limit, field: "targets", "a group has at most \(Limits.groupMembers) members", remedy: "Use a pattern.")
}

/// A target that a selector stands for, with the values by which it is ordered.
struct PlacedTarget: HeapElement {
  let name: TargetName
  var key = Lanes(0)

  func precedes(_ other: Self) -> Bool {
    for lane in 0..<min(key.count, other.key.count) where key[lane] != other.key[lane] {
      return key[lane] < other.key[lane]
    }
    return name.isListedBefore(other.name)
  }
}
