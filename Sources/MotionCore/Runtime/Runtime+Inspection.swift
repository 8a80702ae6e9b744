public import MotionModel

extension Runtime {
  /// Answers a query that concerns a runtime; `nil` for plugins and status, which belong to the daemon. A graph lacks
  /// the streams of workers, which only the workers have (``graph(of:streams:)``).
  ///
  /// - Parameter time: the present simulated time, at which a transaction that waits for the next frame is listed; the
  ///   time of the last frame if `nil`.
  /// - Throws: ``/MotionModel/Refusal`` when a queried target or type does not exist.
  public func answer(_ query: Query, at time: Double? = nil) throws(Refusal) -> Answer? {
    if case .types(let type) = query { return .types(try types(type)) }
    if case .inputs = query { return .inputs(inputs) }
    if case .groups = query { return .groups(groups) }
    if case .scenes(let name) = query { return .scenes(try scenes(name)) }
    if case .cues(let name) = query { return .cues(try cueRows(name)) }
    if case .why(let reference) = query { return .why(try ExplanationAssembly(self).explanation(of: reference)) }
    guard let inspection = try RuntimeInspection(query, of: self, at: time) else { return nil }
    return inspection.finish()
  }

  /// The scenes, in natural order of their names, without their content.
  public var sceneRows: [SceneRow] {
    scenes.names.compactMap { name in scenes[name].map { SceneRow(name, $0, hasContent: false) } }
  }

  func scenes(_ name: SceneName?) throws(Refusal) -> [SceneRow] {
    guard let name else { return sceneRows }
    guard let scene = scenes[name] else {
      var refusal = scenes.missing(name)
      refusal.field = nil
      throw refusal
    }
    return [SceneRow(name, scene)]
  }

  /// The lists of cues without their content, by name; or one with it.
  ///
  /// - Throws: the refusal of a name that no list has.
  public func cueRows(_ name: CueListName? = nil) throws(Refusal) -> [CueListRow] {
    guard let name else {
      return cues.names.compactMap { name in
        cues[name].map { CueListRow(name, $0.list, $0.position, hasContent: false) }
      }
    }
    guard let (list, position) = cues[name] else {
      var refusal = cues.missing(name)
      refusal.field = nil
      throw refusal
    }
    return [CueListRow(name, list, position)]
  }

  /// A scene; `nil` if there is none of that name.
  public func scene(_ name: SceneName) -> Scene? { scenes[name] }

  /// The value and velocity of a property; `nil` if there is none of that name.
  public func state(of reference: PropertyReference) -> PropertyState? {
    plans.find(reference).map { movement.properties.state(at: $0) }
  }

  /// The value and velocity of a property of a target; `nil` if there is none of that name.
  public func state(of property: PropertyName, on target: TargetName) -> PropertyState? {
    state(of: PropertyReference(target, property))
  }

  /// The graph of one target or of all; the query changes nothing.
  ///
  /// The graph of one target contains properties of other targets that its plans read, and plans on other targets that
  /// read its own properties. Linear in the graph.
  ///
  /// - Parameters:
  ///   - target: the target, or `nil` for all.
  ///   - streams: the streams of plans that workers fulfil, as the workers report them. Streams of unknown plans are
  ///     ignored, and executors in this process are queried directly.
  /// - Throws: ``/MotionModel/Refusal`` when there is no such target.
  public func graph(
    of target: TargetName? = nil, streams: [IntentionIdentity: [StreamDescription]] = [:]
  ) throws(Refusal) -> RuntimeGraph {
    guard let inspection = try RuntimeInspection(.graph(target), of: self, streams: streams),
      case .graph(let graph) = inspection.finish()
    else { preconditionFailure("a graph is made of a runtime") }
    return graph
  }

  /// Whether a worker has this plan: its reports about other plans are ignored.
  public func hasPlan(_ identity: IntentionIdentity, in worker: WorkerAddress) -> Bool {
    plans.intentions[identity].flatMap { plans.executors[$0.executor] }?.worker == worker
  }

  /// The executors of a target, by their workers; those in this process are left out. For all targets, the workers that
  /// have any, without the executors: these may be many.
  ///
  /// - Throws: ``/MotionModel/Refusal`` when there is no such target.
  public func executors(on target: TargetName?) throws(Refusal) -> [WorkerAddress: [ExecutorHandle]] {
    guard let target = try known(target) else {
      return workers.records.filter { !$0.value.executors.isEmpty }.mapValues { _ in [] }
    }
    var handles: [WorkerAddress: [ExecutorHandle]] = [:]
    for record in plans.executorsInOrder(on: target) {
      if let worker = record.worker { handles[worker, default: []].append(record.handle) }
    }
    return handles
  }

  /// The number of records of each kind.
  public var counts: Status.Counts {
    var counts = Status.Counts()
    counts.targets = plans.targets.count
    counts.properties = movement.properties.count
    counts.executors = plans.executors.count
    counts.intentions = plans.intentions.count
    counts.tokens = activity.tokens
    counts.waiting = waitingCount
    return counts
  }

  /// How many transactions wait for their time, or for the next frame.
  package var waitingCount: Int { queue.commits + queue.waiting.count }

  /// Whether transactions wait for the next frame.
  package var hasPendingCommits: Bool { queue.commits > 0 }

  /// How many executors live in each worker.
  public func executorCount(in worker: WorkerAddress) -> Int { workers.records[worker]?.executors.count ?? 0 }

  /// Whether a plugin is in use: an executor lives in one of its workers, or a transaction that was accepted and waits
  /// adds an intention of its types. Linear in the waiting transactions and events.
  public func needs(_ plugin: PluginName) -> Bool {
    if workers.records.contains(where: { $0.key.plugin == plugin && !$0.value.executors.isEmpty }) { return true }
    let isPending = queue.pending.contains { event in
      if case .commit(_, let transaction) = event { adds(transaction, of: plugin) } else { false }
    }
    return isPending || queue.waiting.contains { adds($0, of: plugin) }
  }

  private func adds(_ transaction: Transaction, of plugin: PluginName) -> Bool {
    transaction.log.contains { operation in
      guard case .add(let intention, _, _) = operation else { return false }
      return reader.registry.catalog[intention.type]?.provider == .plugin(plugin)
    }
  }

  /// How many writes of a worker were refused so far, because the worker may not write the property or the value is
  /// invalid.
  public func refusedWrites(of worker: WorkerAddress) -> UInt64 { workers.records[worker]?.refusedWrites ?? 0 }

  /// The unfinished ones of these transactions: they wait, or one of their intentions has not ended.
  ///
  /// Linear in the number of all intentions.
  public func unfinished(_ sequences: [UInt64]) -> [UInt64] {
    let left = queue.sequences.union(plans.intentions.keys.lazy.map(\.sequence))
    return sequences.filter(left.contains)
  }

  /// The queried target, if it exists.
  package func known(_ target: TargetName?) throws(Refusal) -> TargetName? {
    guard let target, plans.targets[target] == nil else { return target }
    let names = plans.firstTargets(NearestName.mostCandidates)
    let nearest = NearestName.suggestion(for: target.text, among: names.lazy.map(\.text))
    throw Refusal(
      .notFound, "there is no target \"\(target)\"",
      remedy: nearest.map { "Did you mean \"\($0)\"?" } ?? howToListTargets)
  }

  private var howToListTargets: String {
    reader.registry.catalog.pluginSource == .program
      ? "Runtime.answer(.targets) lists the targets that exist."
      : "List the targets that exist: motionctl list targets."
  }

  private func types(_ type: IntentionType?) throws(Refusal) -> [IntentionDescription] {
    guard let type else { return reader.registry.catalog.entries.map(\.description) }
    guard let entry = reader.registry.catalog[type] else { throw reader.registry.catalog.unknown(type.text) }
    return [entry.description]
  }

  /// A transaction that waits for a time, or for the next frame.
  func row(of transaction: Transaction, sequence: UInt64, at time: Double) -> WaitingRow {
    WaitingRow(
      sequence: sequence, at: time, operations: transaction.log.count, summary: transaction.summary,
      provenance: plans.provenances[sequence])
  }

  /// The most rows that the answer to a query has, or places that are examined for them; 0 for a query that is not
  /// about a runtime's targets. Takes the same time whatever the runtime contains.
  ///
  /// A graph of one target may show plans on many others, so it counts as unbounded.
  package func places(for query: Query) -> Int {
    func sum(on target: TargetName, _ count: (ExecutorRecord) -> Int) -> Int {
      plans.executorsInOrder(on: target).reduce(0) { $0 + 1 + count($1) }
    }
    return switch query {
    case .targets: plans.targets.count
    case .properties(nil): movement.properties.count
    case .properties(let target?): plans.targets[target]?.slots.count ?? 0
    case .executors(nil): plans.executors.count
    case .executors(let target?): sum(on: target) { _ in 0 }
    case .intentions(nil): max(plans.executors.count, plans.intentions.count) + log.failed.rows.count
    case .intentions(let target?): sum(on: target, \.intentions.count) + log.failed.rows.count
    case .tokens(nil): max(plans.executors.count, activity.tokens)
    case .tokens(let target?): sum(on: target, \.tokens.count)
    case .waiting: queue.pending.count + queue.waiting.count
    case .graph(.some): Int.max
    case .graph(nil):
      plans.targets.count + movement.properties.count + plans.executors.count + plans.intentions.count + activity.tokens
    default: 0
    }
  }

  /// Whether an intention that was committed has not ended.
  package func isLive(_ identity: IntentionIdentity) -> Bool { plans.intentions[identity] != nil }

  /// Whether an intention that would have stood is quarantined because workers of this plugin crashed on it.
  package func hasQuarantinedPlans(of plugin: PluginName) -> Bool {
    retirement.quarantinedPlans.contains { reader.registry.catalog[$0.intention.type]?.provider == .plugin(plugin) }
  }

  /// The plans of a plugin, live or waiting for their time, that another catalog would interpret differently, each with
  /// the reason.
  package func incompatiblePlans(of plugin: PluginName, in catalog: IntentionCatalog) -> [String] {
    IncompatiblePlans(of: plugin, from: reader.registry.catalog, to: catalog).texts(plans, queue)
  }

  /// Whether a transaction waits for its time, or for the next frame. Linear in the waiting transactions.
  package func isWaiting(_ sequence: UInt64) -> Bool {
    queue.waiting.contains(sequence) || queue.pending.contains { $0.sequence == sequence }
  }
}

extension Transaction {
  /// The most operations that a summary names; there may be 100,000 of them.
  private static let toldOperations = 3

  /// A text about its first operations, for people.
  fileprivate var summary: String {
    let told = log.prefix(Self.toldOperations).map { operation in
      switch operation {
      case .add(let intention, let name, let target):
        "add \(intention.type)\(name.map { " named \($0)" } ?? "") to \(target)"
      case .remove(let name, let target): "remove \(name) from \(target)"
      case .removePlan(let identity, let target): "remove \(identity) from \(target)"
      case .forget(let target): "forget \(target)"
      case .limit(let property, let target, let setting): "limit \(target)/\(property) to \(setting)"
      case .group(let name, let members): "group \(name) of \(members.count)"
      case .scene(let name, let scene): "scene \(name) of \(scene.targets.count)"
      case .cues(let name, .list(let list)): "cue list \(name) of \(list.cues.count)"
      case .cues(let name, .position(let position)): "cue list \(name) at \(position.next)"
      }
    }
    let more = log.count - told.count
    return (told + (more > 0 ? ["\(more) more"] : [])).joined(separator: "; ")
  }
}

/// The content of a runtime as plain collections: for programs that embed it, and for tests.
///
/// Each is made when it is read, in the order of the lists of `motionctl`: linear in the size of the runtime. To follow
/// values frame by frame, read ``state(of:on:)`` or publish instead.
extension Runtime {
  /// The targets, in order of first mention.
  public var currentTargets: [TargetRow] {
    if case .targets(let rows)? = try? answer(.targets) { rows } else { [] }
  }

  /// The properties of all targets, with the driver of each.
  public var currentProperties: [PropertyRow] {
    if case .properties(let rows)? = try? answer(.properties(nil)) { rows } else { [] }
  }

  /// The executors of all targets.
  public var currentExecutors: [ExecutorRow] {
    if case .executors(let rows)? = try? answer(.executors(nil)) { rows } else { [] }
  }

  /// The intentions of all targets in order of addition, and the latest failed ones.
  public var currentIntentions: [IntentionRow] {
    if case .intentions(let rows)? = try? answer(.intentions(nil)) { rows } else { [] }
  }

  /// The tokens that executors hold.
  public var currentTokens: [TokenRow] {
    if case .tokens(let rows)? = try? answer(.tokens(nil)) { rows } else { [] }
  }
}
