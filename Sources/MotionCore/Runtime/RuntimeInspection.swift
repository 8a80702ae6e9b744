package import MotionModel

/// The answer to a query, made piece by piece: frames may run between two pieces, and the runtime may change.
///
/// Each row holds at the moment at which it is made. A record that exists from the first piece to the last is in the
/// answer exactly once. Records that are added meanwhile are left out, and so are those that are removed before their
/// turn. The answer keeps only its position in the runtime's tables: releasing it is all that a cancellation takes.
package final class RuntimeInspection {
  /// The query to answer.
  package let query: Query
  /// The runtime from which every piece is made.
  private let runtime: Runtime
  /// The frame before which the first piece was made, and the last; `nil` before the first.
  package private(set) var frames: ClosedRange<UInt64>?
  /// Whether all pieces are made.
  package private(set) var isFinished = false

  /// The position in the table that is being visited, and its ends: records with higher numbers were added later.
  private var next: UInt64 = 0
  private let lastTarget: UInt64
  private let lastProperty: PropertyHandle
  private let lastExecutor: ExecutorHandle
  private let lastSequence: UInt64
  /// The position among waiting transactions: their order is that of times, so a number is not sufficient.
  private var lastWaiting: WaitingTransactions.Place?
  /// The simulated time at which a transaction that waits for the next frame is listed.
  private let time: Double
  /// How many events that wait for the next frame were examined.
  private var nextPending = 0
  /// The nodes and edges of a graph query.
  private var assembly: GraphAssembly?

  /// Begins to answer.
  ///
  /// - Parameters:
  ///   - time: the present simulated time; that of the last frame if `nil`.
  ///   - streams: the streams of plans that workers fulfil, for a graph.
  /// - Returns: `nil` for a query that is not about a runtime's targets.
  /// - Throws: ``/MotionModel/Refusal`` when there is no such target.
  package init?(
    _ query: Query, of runtime: Runtime, at time: Double? = nil,
    streams: [IntentionIdentity: [StreamDescription]] = [:]
  ) throws(Refusal) {
    switch query {
    case .targets, .properties, .executors, .intentions, .tokens, .graph, .waiting: break
    default: return nil
    }
    _ = try runtime.known(query.target)
    (self.query, self.runtime, self.time) = (query, runtime, max(runtime.frame.time, time ?? runtime.frame.time))
    lastTarget = runtime.plans.last.target
    lastProperty = PropertyHandle(runtime.movement.properties.lastHandle)
    lastExecutor = ExecutorHandle(runtime.plans.last.executor)
    lastSequence = runtime.plans.last.sequence
    if case .graph(let target) = query {
      assembly = GraphAssembly(runtime, streams, isOfOneTarget: target != nil)
    }
  }

  /// Makes the next rows, about `rows` of them: the rows of one target or executor are made at once, within the limits
  /// of those. For a query about one target, all rows are made at once.
  ///
  /// - Parameter rows: how many rows to make, and how many places to examine where there may be rows.
  package func advance(_ rows: Int) -> AnswerPiece {
    let frame = runtime.frame.number
    frames = (frames?.lowerBound ?? frame)...frame
    switch query {
    case .targets: return AnswerPiece(.targets(targetRows(rows)))
    case .properties(let target): return AnswerPiece(.properties(propertyRows(on: target, rows)))
    case .executors(let target):
      return AnswerPiece(.executors(perExecutor(on: target, rows) { [runtime.plans.row(of: $0)] }))
    case .tokens(let target):
      let tokens = perExecutor(on: target, rows) { record in
        record.tokens.keys.sorted().map { TokenRow(executor: record.key, token: $0) }
      }
      return AnswerPiece(.tokens(tokens))
    case .intentions(let target): return AnswerPiece(.intentions(intentionRows(on: target, rows)))
    case .waiting: return AnswerPiece(.waiting(waitingRows(rows)))
    case .graph(let target): return graphPiece(of: target, rows)
    default: preconditionFailure("\(query) is not answered by a runtime")
    }
  }

  /// Makes all remaining pieces: the whole answer, if no piece was made before.
  func finish() -> Answer {
    var whole = WholeAnswer()
    while !isFinished { whole.add(advance(Int.max)) }
    return whole.answer(to: query)
  }

  // MARK: Lists

  private func targetRows(_ count: Int) -> [TargetRow] {
    var rows: [TargetRow] = []
    next = runtime.plans.targetOrder.visit(from: max(1, next), through: lastTarget, atMost: count) { number in
      if let record = runtime.plans.targets[number] { rows.append(runtime.plans.row(of: record.name)) }
      return true
    }
    isFinished = next > lastTarget
    return rows
  }

  private func propertyRows(on target: TargetName?, _ count: Int) -> [PropertyRow] {
    if let target {
      isFinished = true
      return runtime.plans.slotsInOrder(on: target).map(runtime.plans.row)
    }
    var rows: [PropertyRow] = []
    next = runtime.movement.properties.visit(from: next, through: lastProperty, atMost: count) { slot in
      rows.append(runtime.plans.row(of: slot))
      return true
    }
    isFinished = next > lastProperty.rawValue
    return rows
  }

  /// The rows of every executor, in order of creation.
  private func perExecutor<Row>(
    on target: TargetName?, _ count: Int, _ rows: (ExecutorRecord) -> [Row]
  ) -> [Row] {
    if let target {
      isFinished = true
      return runtime.plans.executorsInOrder(on: target).flatMap(rows)
    }
    var made: [Row] = []
    next = runtime.plans.executors.visit(from: next, through: lastExecutor, atMost: count) { _, record in
      made += rows(record)
      return made.count < count
    }
    isFinished = next > lastExecutor.rawValue
    return made
  }

  private func intentionRows(on target: TargetName?, _ count: Int) -> [(order: UInt64, row: IntentionRow)] {
    var rows = perExecutor(on: target, count) { record in
      record.intentions.compactMap { identity in
        runtime.plans.intentions[identity].map { (order: $0.order, row: runtime.plans.row(of: $0, in: record)) }
      }
    }
    guard isFinished else { return rows }
    // Failed plans follow the live ones.
    let failures = runtime.log.failed.rows.suffix(Runtime.failuresKept).filter { target == nil || $0.target == target }
    rows += failures.map { (order: UInt64.max, row: $0) }
    return rows
  }

  /// The transactions that wait for the next frame, at the present time, then those that wait for theirs. Transactions
  /// that were committed since the first piece are left out.
  private func waitingRows(_ count: Int) -> [WaitingRow] {
    let pending = runtime.queue.pending.dropFirst(nextPending).prefix(count)
    nextPending += pending.count
    var rows: [WaitingRow] = []
    for case .commit(let sequence, let transaction) in pending where sequence <= lastSequence {
      rows.append(runtime.row(of: transaction, sequence: sequence, at: time))
    }
    let entries = runtime.queue.waiting.entries(behind: lastWaiting, atMost: count - pending.count)
    if let last = entries.last { lastWaiting = .init(at: last.at, sequence: last.sequence) }
    isFinished = pending.count + entries.count < count
    for entry in entries where entry.sequence <= lastSequence {
      rows.append(runtime.row(of: entry.transaction, sequence: entry.sequence, at: entry.at))
    }
    return rows
  }

  // MARK: Graphs

  /// The next nodes as long as there are targets, then the next edges.
  private func graphPiece(of target: TargetName?, _ count: Int) -> AnswerPiece {
    guard next != .max else {
      let edges = assembly?.takeEdges(count) ?? []
      isFinished = assembly?.isEmpty ?? true
      return AnswerPiece(.edges(edges))
    }
    if let target {
      assembly?.add(target)
      next = .max
    } else {
      addTargets(count)
    }
    return AnswerPiece(.nodes(assembly?.takeNodes() ?? []))
  }

  private func addTargets(_ count: Int) {
    let (end, before) = (lastTarget, assembly?.count ?? 0)
    next = runtime.plans.targetOrder.visit(from: max(1, next), through: end, atMost: count) { number in
      if let record = runtime.plans.targets[number] { assembly?.add(record.name) }
      return (assembly?.count ?? 0) - before < count
    }
    if next > end { next = .max }
  }
}

extension Query {
  /// The target of a query about one target.
  package var target: TargetName? {
    switch self {
    case .properties(let target), .executors(let target), .intentions(let target), .tokens(let target),
      .graph(let target):
      target
    case .why(let reference): reference.target
    default: nil
    }
  }
}

/// Joins the pieces to a whole answer.
package struct WholeAnswer {
  private var targets: [TargetRow] = []
  private var properties: [PropertyRow] = []
  private var executors: [ExecutorRow] = []
  private var intentions: [(order: UInt64, row: IntentionRow)] = []
  private var tokens: [TokenRow] = []
  private var waiting: [WaitingRow] = []
  private var graph = RuntimeGraph()

  /// Nothing yet.
  package init() {}

  /// Adds a piece after those before.
  package mutating func add(_ piece: AnswerPiece) {
    switch piece.rows {
    case .targets(let rows): targets += rows
    case .properties(let rows): properties += rows
    case .executors(let rows): executors += rows
    case .intentions(let rows): intentions += rows
    case .tokens(let rows): tokens += rows
    case .waiting(let rows): waiting += rows
    case .nodes(let nodes): for node in nodes { _ = graph.add(node) }
    case .edges(let edges): for edge in edges { graph.connect(edge.from, edge.kind, edge.to) }
    }
  }

  /// The answer to the query to which the pieces belong.
  package func answer(to query: Query) -> Answer {
    switch query {
    case .targets: .targets(targets)
    case .properties: .properties(properties)
    case .executors: .executors(executors)
    // Failed plans keep the order in which they failed: the sort is stable.
    case .intentions: .intentions(intentions.sorted { $0.order < $1.order }.map(\.row))
    case .tokens: .tokens(tokens)
    case .waiting: .waiting(waiting)
    case .graph: .graph(graph)
    default: preconditionFailure("\(query) is not answered in pieces")
    }
  }
}
