package import MotionModel

/// Replaces the selectors of a transaction by the targets that they stand for, all at once or piece by piece.
///
/// Targets and groups are those of the last frame, as the transactions that wait for the next frame and the operations
/// before leave them. Frames may run between two pieces.
package final class TargetResolution {
  /// The transaction as it was committed, with what its commands to lists of cues do.
  package var request: Transaction { expansion.transaction }
  private let expansion: CueExpansion
  let runtime: Runtime
  /// The operations so far, each with its target.
  private(set) var log: [Transaction.Operation] = []
  /// For each of them, the index of the operation in the request.
  private var origins: [UInt32] = []
  /// About how many bytes they take where they are stored.
  package private(set) var bytes = 0
  /// The number of targets for each operation with a selector so far.
  private(set) var addressed: [Receipt.Addressed] = []
  private var before: EarlierOperations
  private(set) var next = 0 { didSet { patching = Patching() } }
  var search: Search?
  /// The patches of operations whose targets depend on what exists, by the indices of the operations.
  let patches: [Int: DMXPatchSelectors]
  var patching = Patching()
  /// The names that were found so far, each as often as it was.
  private var found = 0
  /// The operations of ``log`` that a recall behind them makes undone.
  private var undone: Set<Int> = []
  /// The scene that is being recalled, and how many of its targets are done.
  private var recalled: (scene: Scene, done: Int)?
  /// The most of them: twice the operations of a transaction, because parts of a selector may overlap.
  private static let mostFound = 2 * Limits.operationsPerTransaction

  /// What is known of the patch of the present operation.
  struct Patching {
    /// The targets of its parts so far, and of the present one.
    var names: [[TargetName]] = []
    var part: [TargetName] = []
    /// The operation with these names in place of its parts, once they are found.
    var operation: Transaction.Operation?
  }

  /// The search for the targets of one selector.
  struct Search {
    var term = 0
    /// The places of the present term that were looked at.
    var position = 0
    /// The newest target when the search began: what comes meanwhile is not found.
    let lastTarget: Int
    /// The names that were found, in natural order.
    var names = OrderedHeap<PlacedTarget>()
    /// The members of a group, or the last target, to find a repetition.
    var members: [TargetName] = []
    var count = 0
    /// Of an operation with a spread, the targets in its order, and how many places they have.
    var ordered = OrderedHeap<PlacedTarget>()
    var places: [(target: TargetName, place: Int)] = []
    var lastKey: Lanes?
    var taken = 0
    /// Of a scene, the values of all properties when the search began, the targets, and how many values and plans they have.
    var columns: PropertyColumns?
    var parts: [Scene.Target] = []
    var entries = 0
    /// The bytes of the operation without its target.
    let bytes: Int

    init(for operation: Transaction.Operation, upTo lastTarget: Int) {
      self.lastTarget = lastTarget
      bytes = operation.storedBytes - (operation.target?.text.utf8.count ?? 0)
    }
  }

  /// Begins to resolve a transaction.
  ///
  /// - Throws: the refusal of too many patterns.
  package init(_ committed: Transaction, in runtime: Runtime) throws(Refusal) {
    expansion = try CueExpansion(committed, in: runtime)
    let request = expansion.transaction
    patches = Self.patches(of: request)
    let selectors = Self.selectors(of: request, patches)
    let patterns = selectors.reduce(0) { $0 + $1.openPatterns }
    guard patterns <= Limits.patternsPerTransaction else {
      throw Refusal(
        .limit, "a transaction has at most \(Limits.patternsPerTransaction) patterns with * or ?, not \(patterns)",
        remedy: "Commit it in parts, or make groups.")
    }
    self.runtime = runtime
    before = EarlierOperations(request, selectors, in: runtime)
    log.reserveCapacity(request.log.count)
  }

  /// Whether nothing is left to resolve.
  package var isFinished: Bool { next == request.log.count }

  /// How many targets and operations have to be looked at, at most.
  package var cost: Int {
    let operations = request.log.count + before.cost
    let setsGroups = request.log.contains { $0.target == nil }
    let recalled = request.recalls.values.reduce(0) { $0 + (runtime.scenes[$1.scene]?.entries ?? 0) }
    return recalled
      + Self.selectors(of: request, patches).reduce(operations) { sum, selector in
        selector.terms.reduce(sum) { $0 + cost(of: $1, mayDiffer: setsGroups || !before.isDone) }
      }
  }

  /// - Parameter mayDiffer: whether groups may have other members when the operation is resolved.
  private func cost(of term: TargetSelector.Term, mayDiffer: Bool) -> Int {
    switch term {
    case .name: 1
    case .group(let group): mayDiffer ? Limits.groupMembers : runtime.plans.groups[group]?.count ?? 1
    case .pattern(let pattern):
      pattern.isOpen ? runtime.plans.targets.count : min(pattern.count, Limits.operationsPerTransaction)
    }
  }

  /// Looks at the next targets and operations, at most so many.
  ///
  /// - Throws: the refusal of the first operation whose selector stands for no target, or of too many operations.
  package func advance(_ steps: Int = .max) throws(Refusal) {
    var left = steps
    before.advance(&left)
    defer { if isFinished { dropUndone() } }
    while left > 0, next < request.log.count {
      do {
        try advanceOperation(&left)
      } catch {
        throw expansion.placed(error, at: next)
      }
    }
  }

  /// The index in the request of an operation that was resolved, and its target if a selector stood for it.
  func origin(of operation: Int) -> (operation: Int, target: TargetName?) {
    let origin = Int(origins[operation])
    let committed = expansion.origin(of: origin)
    // What a cue does has its targets in the list.
    let isSelected = request.selectors[origin] != nil || expansion.isExpanded(committed)
    return (committed, isSelected ? log[operation].target : nil)
  }

  /// A refusal of a resolved operation, with the operation as it was committed.
  func placed(_ refusal: Refusal, at operation: Int) -> Refusal {
    expansion.placed(refusal, at: Int(origins[operation]))
  }

  /// Whether an operation is the position of a list of cues after a command.
  func setsPosition(at operation: Int) -> Bool { expansion.isExpanded(expansion.origin(of: Int(origins[operation]))) }

  private func advanceOperation(_ left: inout Int) throws(Refusal) {
    if let recall = request.recalls[next] { return try advance(recall, &left) }
    if let patch = patches[next], patching.operation == nil { return try advance(patch, &left) }
    let operation = patching.operation ?? request.log[next]
    guard let selector = request.selectors[next] else {
      left -= 1
      try append(operation, bytes: operation.storedBytes)
      next += 1
      return
    }
    var search = self.search ?? Search(for: operation, upTo: Int(runtime.plans.last.target))
    self.search = nil
    if case .scene = operation, search.columns == nil { search.columns = runtime.columns }
    if search.term < selector.terms.count {
      try look(for: selector.terms[search.term], &search, &left)
    } else if let target = search.names.popFirst()?.name {
      left -= 1
      try take(target, &search)
    } else if let target = search.ordered.popFirst() {
      left -= 1
      place(target, &search)
    } else if search.taken < search.places.count {
      left -= 1
      try takePlaced(&search)
    } else {
      return try finish(search, selector)
    }
    self.search = search
  }

  func look(for term: TargetSelector.Term, _ search: inout Search, _ left: inout Int) throws(Refusal) {
    switch term {
    case .name(let name):
      left -= 1
      try insert(name, &search)
    case .group(let group):
      let members = before.members(of: group)
      guard !members.isEmpty else { throw missing(group) }
      left -= members.count
      for member in members { try insert(member, &search) }
    case .pattern(let pattern) where pattern.isOpen:
      guard try lookThroughTargets(pattern, &search, &left) else { return }
    case .pattern(let pattern):
      guard pattern.count <= Limits.operationsPerTransaction else { throw .tooManyOperations }
      while left > 0, search.position < pattern.count {
        left -= 1
        if let name = pattern.name(at: search.position) { try insert(name, &search) }
        search.position += 1
      }
      guard search.position == pattern.count else { return }
    }
    search.term += 1
    search.position = 0
  }

  private func insert(_ name: TargetName, _ search: inout Search) throws(Refusal) {
    found += 1
    guard found <= Self.mostFound else { throw .tooManyOperations }
    search.names.insert(PlacedTarget(name: name))
  }

  /// Looks through the targets that exist, and then through those that will.
  ///
  /// - Returns: whether nothing is left.
  private func lookThroughTargets(
    _ pattern: TargetPattern, _ search: inout Search, _ left: inout Int
  ) throws(Refusal) -> Bool {
    let plans = runtime.plans
    let (last, most) = (search.lastTarget, left)
    if search.position < last {
      var visited = 0
      var matching: [TargetName] = []
      let ordinal = plans.targetOrder.visit(from: UInt64(search.position + 1), through: UInt64(last), atMost: most) {
        visited += 1
        guard let name = plans.targets[$0]?.name, pattern.matches(name), before.exists(name) ?? true else {
          return true
        }
        matching.append(name)
        return true
      }
      for name in matching { try insert(name, &search) }
      left -= max(1, visited)
      search.position = Int(ordinal) - 1
      return false
    }
    while left > 0, search.position - last < before.added.count {
      left -= 1
      let name = before.added[search.position - last]
      if before.exists(name) == true, pattern.matches(name) { try insert(name, &search) }
      search.position += 1
    }
    return search.position - last >= before.added.count
  }

  private func take(_ target: TargetName, _ search: inout Search) throws(Refusal) {
    guard target != search.members.last else { return }
    search.count += 1
    if case .group = request.log[next] {
      guard search.count <= Limits.groupMembers else { throw .tooManyMembers }
      search.members.append(target)
    } else if case .scene = request.log[next] {
      search.members = [target]
      guard let part = search.columns.flatMap({ runtime.plans.scene(of: target, $0) }) else { return }
      search.entries += part.values.count + part.plans.count
      guard search.entries <= Limits.sceneEntries else { throw .tooLargeScene }
      search.parts.append(part)
    } else {
      search.members = [target]
      if let spread = request.spreads[next] {
        guard search.count <= Limits.operationsPerTransaction else { throw .tooManyOperations }
        try order(target, spread, &search)
      } else {
        try append((patching.operation ?? request.log[next]).on(target), bytes: search.bytes + target.text.utf8.count)
      }
    }
  }

  /// Puts a target of an operation with a spread into its order.
  private func order(_ target: TargetName, _ spread: Spread, _ search: inout Search) throws(Refusal) {
    if search.count == 1, case .add(let intention, _, _) = request.log[next] { try spread.check(for: intention) }
    var placed = PlacedTarget(name: target)
    if let order = spread.by {
      guard let key = runtime.plans.state(of: PropertyReference(target, order.property))?.value else {
        throw Refusal(
          .notFound, field: "by", "the target \"\(target)\" has no property \"\(order.property)\"",
          remedy: "Order by a property that every target has, or without one by the names.")
      }
      guard let key = order.key(of: key) else {
        throw Refusal(
          .value, field: "by",
          "the property \(order.property) of \"\(target)\" has \(key.count) "
            + (key.count == 1 ? "lane" : "lanes"), remedy: "Name a lane that it has.")
      }
      placed.key = key
    }
    search.ordered.insert(placed)
  }

  /// Gives a target its place in the order: that of the one before, if both have the same value.
  private func place(_ target: PlacedTarget, _ search: inout Search) {
    let last = search.places.last?.place
    let isEqual = request.spreads[next]?.by != nil && target.key == search.lastKey
    search.places.append((target.name, last.map { isEqual ? $0 : $0 + 1 } ?? 0))
    search.lastKey = target.key
  }

  /// Takes the next target of an operation with a spread, with its plan.
  private func takePlaced(_ search: inout Search) throws(Refusal) {
    let (target, place) = search.places[search.taken]
    search.taken += 1
    guard let spread = request.spreads[next],
      case .add(let intention, let name, _) = patching.operation ?? request.log[next]
    else { return }
    let plan = spread.plan(intention, at: place, of: search.places.last?.place ?? 0)
    try append(.add(plan, named: name, to: target), bytes: search.bytes + target.text.utf8.count + 16)
  }

  private func finish(_ search: Search, _ selector: TargetSelector) throws(Refusal) {
    guard search.count > 0 else {
      throw Refusal(
        .notFound, field: request.log[next].fieldOfTarget, "no target matches \"\(selector)\"",
        remedy: "List the targets: motionctl list targets")
    }
    if case .group(let name, _) = request.log[next] {
      let operation = Transaction.Operation.group(name, search.members)
      try append(operation, bytes: operation.storedBytes)
    }
    if case .scene(let name, _) = request.log[next] {
      guard !search.parts.isEmpty else {
        throw Refusal(
          .notFound, field: "targets", "the targets of \"\(selector)\" have no properties",
          remedy: "List the properties: motionctl list properties")
      }
      let operation = Transaction.Operation.scene(name, Scene(search.parts))
      try append(operation, bytes: operation.storedBytes)
    }
    finish(of: request.log[next].target == nil && !search.parts.isEmpty ? search.parts.count : search.count)
  }

  private func finish(of targets: Int) {
    note(addressed: targets)
    next += 1
  }

  func note(addressed targets: Int) {
    if addressed.count < Limits.addressedInReceipt {
      addressed.append(.init(operation: expansion.origin(of: next), targets: targets))
    }
  }

  /// Appends the operations that bring the next targets to a scene.
  private func advance(_ recall: SceneRecall, _ left: inout Int) throws(Refusal) {
    try recall.check()
    guard var (scene, done) = recalled ?? (expansion.scenes[next] ?? runtime.scenes[recall.scene]).map({ ($0, 0) })
    else {
      throw runtime.scenes.missing(recall.scene)
    }
    while left > 0, done < scene.targets.count {
      left -= 1 + scene.targets[done].values.count + scene.targets[done].plans.count
      let part = scene.targets[done]
      let changes = before.changes(of: part.name)
      undone.formUnion(changes.undone(by: part, runtime.reader))
      for operation in runtime.plans.operations(recalling: part, recall.transition, after: changes, runtime.reader) {
        try append(operation, bytes: operation.storedBytes)
      }
      done += 1
    }
    recalled = (scene, done)
    guard done == scene.targets.count else { return }
    recalled = nil
    finish(of: scene.targets.count)
  }

  private func dropUndone() {
    guard !undone.isEmpty else { return }
    let kept = log.indices.filter { !undone.contains($0) }
    (log, origins, undone) = (kept.map { log[$0] }, kept.map { origins[$0] }, [])
  }

  private func append(_ operation: Transaction.Operation, bytes: Int) throws(Refusal) {
    guard log.count < Limits.operationsPerTransaction else { throw .tooManyOperations }
    self.bytes += bytes
    // It is stored and recorded with all its targets.
    guard self.bytes <= Limits.clientMessageBytes else {
      throw Refusal(
        .limit,
        "with all targets of its selectors, the transaction takes more than \(Limits.clientMessageBytes >> 20) MiB",
        remedy: "Commit it in parts.")
    }
    before.note(operation, at: log.count)
    log.append(operation)
    origins.append(UInt32(next))
  }

  private func missing(_ group: GroupName) -> Refusal {
    return Refusal(
      .notFound, field: request.log[next].fieldOfTarget, "there is no group \"\(group)\"",
      remedy: NearestName.remedy(for: group.text, among: before.groupNames.map(\.text), plural: "groups"))
  }
}
