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
    /// Set the members of a group, which replace all former ones; without members, the group is gone. They are names:
    /// the targets need not exist, and a target that is forgotten stays a member.
    case group(GroupName, [TargetName])
    /// Set a scene, which replaces the former one; an empty scene is gone. Only ``Transaction/saveScene(_:of:)`` makes
    /// one that is not empty.
    case scene(SceneName, Scene)
    /// Set a list of cues, or how far it has come. Only ``Transaction/cue(_:_:)`` makes the latter.
    indirect case cues(CueListName, CueChange)

    /// The target that the operation refers to; `nil` for a group, a scene or a list of cues.
    public var target: TargetName? {
      switch self {
      case .add(_, _, let target), .remove(_, let target), .removePlan(_, let target), .forget(let target),
        .limit(_, let target, _):
        target
      case .group, .scene, .cues: nil
      }
    }
  }

  /// The requests, in the order in which they were made.
  public private(set) var log: [Operation]
  /// The selectors of operations that are to run on each of several targets, by the indices of the operations. In these,
  /// the target is ``placeholder``, the group has no members, or the scene is empty. A runtime accepts the transaction with the targets that
  /// they stand for then, in natural order, and with no selectors.
  public private(set) var selectors: [Int: TargetSelector] = [:]

  /// How the plans of operations with selectors differ from target to target, by the indices of the operations.
  public private(set) var spreads: [Int: Spread] = [:]

  /// The scenes that operations recall, by the indices of the operations. These are then ``Operation/scene(_:_:)`` with an
  /// empty scene, and a runtime accepts the transaction with the operations that bring the scene about.
  public private(set) var recalls: [Int: SceneRecall] = [:]

  /// The commands to lists of cues, by the indices of the operations. These are then ``Operation/cues(_:_:)`` with an empty
  /// position, and a runtime accepts the transaction with what the cues do, and with the new position.
  public private(set) var cueSteps: [Int: CueStep] = [:]

  /// Whether an operation adds a patch with patterns or groups, which names replace when a runtime accepts it.
  package private(set) var hasOpenPatches: Bool

  /// Whether a runtime has to replace operations by others when it accepts the transaction.
  package var hasRequests: Bool { !selectors.isEmpty || !recalls.isEmpty || !cueSteps.isEmpty || hasOpenPatches }

  /// The target of an operation that has a selector.
  public static let placeholder: TargetName = "-"

  /// Creates an empty transaction, or one with this log.
  public init(log: [Operation] = []) {
    self.log = log
    hasOpenPatches = log.contains(where: \.hasOpenPatch)
  }

  /// Creates a transaction whose operations have only names, at no cost.
  package init(resolved log: [Operation]) { (self.log, hasOpenPatches) = (log, false) }

  /// Creates a transaction with this log, and the selectors, spreads, recalls and commands of some of its operations.
  package init(
    log: [Operation], selectors: [Int: TargetSelector], spreads: [Int: Spread] = [:], recalls: [Int: SceneRecall] = [:],
    cueSteps: [Int: CueStep] = [:]
  ) {
    (self.log, self.selectors, self.spreads, self.recalls) = (log, selectors, spreads, recalls)
    self.cueSteps = cueSteps
    hasOpenPatches = log.contains(where: \.hasOpenPatch)
  }

  private mutating func append(_ operation: Operation) {
    hasOpenPatches = hasOpenPatches || operation.hasOpenPatch
    log.append(operation)
  }

  /// Appends an operation, with a selector in place of its target.
  private mutating func append(_ operation: Operation, _ selector: TargetSelector) {
    selectors[log.count] = selector
    append(operation)
  }

  /// Associates a plan with a target.
  public mutating func add(_ intention: Intention, to target: TargetName) {
    append(.add(intention, named: nil, to: target))
  }

  /// Associates a plan with a target under a name; a plan that has that name there is removed first.
  public mutating func add(_ intention: Intention, named name: IntentionName, to target: TargetName) {
    append(.add(intention, named: name, to: target))
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

  /// Associates a plan with each of several targets, which the runtime resolves once, when it accepts the transaction.
  ///
  ///     transaction.add(.springTo("light", 1), toEach: "lamp*")
  ///
  /// - Parameter spread: how the plans differ from target to target.
  public mutating func add(
    _ intention: Intention, named name: IntentionName? = nil, toEach targets: TargetSelector, spread: Spread? = nil
  ) {
    if let target = targets.name { return append(.add(intention, named: name, to: target)) }
    if let spread, !spread.isEmpty { spreads[log.count] = spread }
    append(.add(intention, named: name, to: Self.placeholder), targets)
  }

  /// Removes the plan that has this name from each of several targets.
  public mutating func remove(named name: IntentionName, fromEach targets: TargetSelector) {
    if let target = targets.name { return log.append(.remove(named: name, from: target)) }
    append(.remove(named: name, from: Self.placeholder), targets)
  }

  /// Forgets each of several targets with everything on it.
  public mutating func forget(each targets: TargetSelector) {
    if let target = targets.name { return log.append(.forget(target)) }
    append(.forget(Self.placeholder), targets)
  }

  /// Sets or lifts the limits of a property of each of several targets.
  public mutating func limit(_ property: PropertyName, ofEach targets: TargetSelector, _ setting: LimitSetting) {
    if let target = targets.name { return log.append(.limit(property, of: target, setting)) }
    append(.limit(property, of: Self.placeholder, setting), targets)
  }

  /// Sets the members of a group; they replace all former ones. A later operation may select them as `@name`.
  public mutating func group(_ name: GroupName, _ members: TargetSelector) { append(.group(name, []), members) }

  /// Removes a group; its members stay.
  public mutating func ungroup(_ name: GroupName) { log.append(.group(name, [])) }

  /// Saves the present state of targets as a scene, which replaces the former one of that name: for each property its
  /// standing plans, or else its value, as after the last frame before the transaction is accepted.
  public mutating func saveScene(_ name: SceneName, of targets: TargetSelector = "*") {
    append(.scene(name, Scene()), targets)
  }

  /// Deletes a scene.
  public mutating func deleteScene(_ name: SceneName) { log.append(.scene(name, Scene())) }

  /// Recalls a scene: each of its properties gets the standing plans of the scene or goes to its value, whatever moves it
  /// now. Other properties, manipulations and outputs are left alone.
  public mutating func recall(_ recall: SceneRecall) {
    recalls[log.count] = recall
    log.append(.scene(recall.scene, Scene()))
  }

  /// Sets a list of cues, which replaces the former one and begins before its first cue.
  public mutating func load(_ list: CueList, as name: CueListName) { log.append(.cues(name, .list(list))) }

  /// Removes a list of cues.
  public mutating func unload(_ name: CueListName) { log.append(.cues(name, .list(CueList()))) }

  /// Commands a list of cues: what its cues do becomes part of the transaction.
  public mutating func cue(_ list: CueListName, _ step: CueStep) {
    cueSteps[log.count] = step
    log.append(.cues(list, .position(CuePosition())))
  }

  /// Replaces an operation.
  package mutating func replace(_ index: Int, by operation: Operation) { log[index] = operation }

  /// Appends the operations of another transaction.
  package mutating func append(_ other: Transaction) {
    for (index, selector) in other.selectors { selectors[log.count + index] = selector }
    for (index, spread) in other.spreads { spreads[log.count + index] = spread }
    for (index, recall) in other.recalls { recalls[log.count + index] = recall }
    for (index, step) in other.cueSteps { cueSteps[log.count + index] = step }
    log += other.log
    hasOpenPatches = hasOpenPatches || other.hasOpenPatches
  }

  /// The most operations that the transaction has with the targets of its selectors, beside so many that exist, and with
  /// those of the cues that it loads.
  package func mostOperations(existing: Int) -> Int {
    let own = selectors.values.reduce(log.count) { $0 + $1.mostTargets(existing: existing) - 1 }
    return loaded.reduce(own) { $0 + $1.mostOperations(existing: existing) }
  }

  /// What the cues do that it loads.
  package var loaded: [Transaction] {
    log.flatMap { operation -> [Transaction] in
      guard case .cues(_, .list(let list)) = operation else { return [] }
      return list.cues.map(\.content)
    }
  }

  /// The targets in order of first mention, including those that are only removed from or forgotten, without those of
  /// selectors. Linear in the log.
  public var targets: [TargetName] {
    var seen = Set<TargetName>()
    return log.indices.compactMap { index in
      guard let target = log[index].target, selectors[index] == nil else { return nil }
      return seen.insert(target).inserted ? target : nil
    }
  }
}

extension Transaction {
  /// Associates a plan in its typed form with a target.
  public mutating func add(_ intention: some IntentionConvertible, to target: TargetName) {
    add(intention.intention, to: target)
  }

  /// Associates a plan in its typed form with each of several targets.
  public mutating func add(
    _ intention: some IntentionConvertible, named name: IntentionName? = nil, toEach targets: TargetSelector,
    spread: Spread? = nil
  ) {
    add(intention.intention, named: name, toEach: targets, spread: spread)
  }

  /// Associates a plan in its typed form with a target under a name; a plan that has that name there is removed first.
  public mutating func add(_ intention: some IntentionConvertible, named name: IntentionName, to target: TargetName) {
    add(intention.intention, named: name, to: target)
  }
}
