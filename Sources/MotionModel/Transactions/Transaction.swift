/// An ordered log of requests to a runtime, committed as a whole or not at all.
///
/// Committing runs the log in order. Intentions are copied when added.
public struct Transaction: Hashable, Sendable {
  /// One request.
  public enum Operation: Hashable, Sendable {
    /// Add a plan to a target, with a name if it is to be replaced or removed later.
    case add(Intention, named: IntentionName?, to: TargetName)
    /// Remove the plan of that name; a missing plan is no error.
    case remove(named: IntentionName, from: TargetName)
    /// Remove the plan of that identity, named or not; if it is no longer on this target, the operation has no effect.
    case removePlan(IntentionIdentity, from: TargetName)
    /// Forget a target: its intentions, executors, tokens and properties. Limits of its properties stay.
    case forget(TargetName)
    /// Set the limits of a property, whatever drives it; they replace all former ones. They belong to the name: the
    /// property need not exist yet.
    case limit(PropertyName, of: TargetName, LimitSetting)

    /// The target that the operation refers to.
    public var target: TargetName {
      switch self {
      case .add(_, _, let target), .remove(_, let target), .removePlan(_, let target), .forget(let target),
        .limit(_, let target, _):
        target
      }
    }
  }

  /// The requests, in the order in which they were made.
  public private(set) var log: [Operation]

  /// Creates an empty transaction, or one with this log.
  public init(log: [Operation] = []) {
    self.log = log
  }

  /// Associates a plan with a target.
  public mutating func add(_ intention: Intention, to target: TargetName) {
    log.append(.add(intention, named: nil, to: target))
  }

  /// Associates a plan with a target under a name; a plan that has that name there is removed first.
  public mutating func add(_ intention: Intention, named name: IntentionName, to target: TargetName) {
    log.append(.add(intention, named: name, to: target))
  }

  /// Removes the plan that has this name on this target; without such a plan, it has no effect.
  public mutating func remove(named name: IntentionName, from target: TargetName) {
    log.append(.remove(named: name, from: target))
  }

  /// Removes the plan of this identity from this target; if it is no longer there, it has no effect.
  public mutating func remove(_ identity: IntentionIdentity, from target: TargetName) {
    log.append(.removePlan(identity, from: target))
  }

  /// Forgets a target with everything on it.
  public mutating func forget(_ target: TargetName) {
    log.append(.forget(target))
  }

  /// Sets the limits of a property; they replace all former ones.
  public mutating func limit(_ property: PropertyName, of target: TargetName, _ limits: PropertyLimits) {
    log.append(.limit(property, of: target, .limits(limits)))
  }

  /// Lifts all limits of a property, also its natural range.
  public mutating func liftLimits(_ property: PropertyName, of target: TargetName) {
    log.append(.limit(property, of: target, .none))
  }

  /// The targets in order of first mention, including those that are only removed from or forgotten. Linear in the log.
  public var targets: [TargetName] {
    var seen = Set<TargetName>()
    return log.compactMap { seen.insert($0.target).inserted ? $0.target : nil }
  }
}

extension Transaction {
  /// Associates a plan in its typed form with a target.
  public mutating func add(_ intention: some IntentionConvertible, to target: TargetName) {
    add(intention.intention, to: target)
  }

  /// Associates a plan in its typed form with a target under a name; a plan that has that name there is removed first.
  public mutating func add(_ intention: some IntentionConvertible, named name: IntentionName, to target: TargetName) {
    add(intention.intention, named: name, to: target)
  }
}
