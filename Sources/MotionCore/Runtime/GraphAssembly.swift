import MotionModel

/// Assembles a runtime's graph, target by target: the nodes and edges of one target are made at once, so that they are
/// of one moment. An edge to a node that does not exist yet is kept by the name of its end, and left out if that node
/// is never made.
struct GraphAssembly {
  /// How many executors of other targets are examined for plans that read the target of a graph: more than a reader can
  /// use. There may be as many as there are targets, and they are examined in one go.
  static let foreignReaders = 1024

  /// An end of an edge.
  private enum End: Hashable {
    case node(Int)
    case property(PropertyHandle)
    case intention(IntentionIdentity)
  }

  /// An edge; an end below 0 is to be looked up in ``open``.
  private struct Line {
    var from: Int32
    var to: Int32
    var kind: RuntimeGraph.Edge.Kind
  }

  private let runtime: Runtime
  private let streams: [IntentionIdentity: [StreamDescription]]
  private let isOfOneTarget: Bool
  private var propertyNodes: [PropertyHandle: Int] = [:]
  private var executorNodes: [ExecutorHandle: Int] = [:]
  private var intentionNodes: [IntentionIdentity: Int] = [:]
  private var nodes: [RuntimeGraph.Node] = []
  /// How many nodes were made, including those that were taken.
  private(set) var count = 0
  /// The edges from holders come first in a graph, and then the rest.
  private var holdings: [Line] = []
  private var others: [Line] = []
  private var open: [End] = []
  /// How many edges were taken.
  private var taken = 0
  /// How many more executors of other targets may be examined.
  private var readersLeft = GraphAssembly.foreignReaders

  init(_ runtime: Runtime, _ streams: [IntentionIdentity: [StreamDescription]], isOfOneTarget: Bool) {
    (self.runtime, self.streams, self.isOfOneTarget) = (runtime, streams, isOfOneTarget)
  }

  /// Adds a target with everything that it holds.
  mutating func add(_ target: TargetName) {
    addNodes(of: target)
    addEdges(of: target)
  }

  /// Takes out the nodes that were made since the last call.
  mutating func takeNodes() -> [RuntimeGraph.Node] {
    defer { nodes = [] }
    return nodes
  }

  /// Whether all edges were taken.
  var isEmpty: Bool { taken == holdings.count + others.count }

  /// Takes out the next edges, at most so many, once all nodes exist.
  mutating func takeEdges(_ count: Int) -> [RuntimeGraph.Edge] {
    let end = taken + min(count, holdings.count + others.count - taken)
    defer { taken = end }
    return (taken..<end).compactMap { index in
      let line = index < holdings.count ? holdings[index] : others[index - holdings.count]
      guard let from = node(at: line.from), let to = node(at: line.to) else { return nil }
      return RuntimeGraph.Edge(from: from, to: to, kind: line.kind)
    }
  }

  // MARK: Nodes and their holders

  private mutating func addNodes(of target: TargetName) {
    let node = add(.target(runtime.plans.row(of: target)))
    for slot in runtime.plans.slotsInOrder(on: target) { hold(.node(node), .holds, end(of: slot, isOwn: true)) }
    for record in runtime.plans.executorsInOrder(on: target) {
      let executor = add(.executor(runtime.plans.row(of: record)))
      executorNodes[record.handle] = executor
      hold(.node(node), .holds, .node(executor))
      addTokens(of: record, executor)
      for identity in record.intentions {
        if let intention = makeNode(of: identity) { hold(.node(executor), .holds, .node(intention)) }
      }
    }
  }

  private mutating func addTokens(of record: ExecutorRecord, _ executor: Int) {
    for (name, token) in record.tokens.sorted(by: { $0.key < $1.key }) {
      let node = add(.token(TokenRow(executor: record.key, token: name)))
      hold(.node(executor), .holds, .node(node))
      for slot in token.slots { hold(.node(node), .moves, end(of: slot)) }
    }
  }

  private mutating func add(_ node: RuntimeGraph.Node) -> Int {
    nodes.append(node)
    count += 1
    return count - 1
  }

  /// The end that stands for a property: its node, if it exists or is to be made now.
  private mutating func end(of slot: PropertyTable.Slot, isOwn: Bool = false) -> End {
    let handle = runtime.movement.properties.handle(at: slot)
    if let node = propertyNodes[handle] { return .node(node) }
    guard isOwn || isOfOneTarget else { return .property(handle) }
    let node = add(.property(runtime.plans.row(of: slot)))
    propertyNodes[handle] = node
    return .node(node)
  }

  private mutating func end(of identity: IntentionIdentity) -> End? {
    if let node = intentionNodes[identity] { return .node(node) }
    guard isOfOneTarget else { return runtime.plans.intentions[identity] == nil ? nil : .intention(identity) }
    return makeNode(of: identity).map { .node($0) }
  }

  private mutating func makeNode(of identity: IntentionIdentity) -> Int? {
    if let node = intentionNodes[identity] { return node }
    guard let record = runtime.plans.intentions[identity], let executor = runtime.plans.executors[record.executor]
    else {
      return nil
    }
    let node = add(.intention(runtime.plans.row(of: record, in: executor)))
    intentionNodes[identity] = node
    return node
  }

  // MARK: Edges

  private mutating func hold(_ from: End, _ kind: RuntimeGraph.Edge.Kind, _ to: End) {
    holdings.append(Line(from: number(of: from), to: number(of: to), kind: kind))
  }

  private mutating func connect(_ from: End, _ kind: RuntimeGraph.Edge.Kind, _ to: End) {
    others.append(Line(from: number(of: from), to: number(of: to), kind: kind))
  }

  private mutating func number(of end: End) -> Int32 {
    if case .node(let node) = end { return Int32(node) }
    open.append(end)
    return -Int32(open.count)
  }

  /// The node at an end of an edge; `nil` if that node was never made.
  private func node(at number: Int32) -> Int? {
    if number >= 0 { return Int(number) }
    return switch open[-Int(number) - 1] {
    case .node(let node): node
    case .property(let handle): propertyNodes[handle]
    case .intention(let identity): intentionNodes[identity]
    }
  }

  private mutating func addEdges(of target: TargetName) {
    let slots = runtime.plans.slotsInOrder(on: target)
    for slot in slots { addWriters(of: slot) }
    for record in runtime.plans.executorsInOrder(on: target) {
      for identity in record.intentions { addEdges(of: identity, in: record) }
    }
    guard isOfOneTarget else { return }
    for slot in slots { addForeignReaders(of: slot) }
  }

  private mutating func addWriters(of slot: PropertyTable.Slot) {
    let stack = runtime.movement.properties[slot].stack
    if let driver = stack.driver.flatMap({ executorNodes[$0] }) { connect(.node(driver), .drives, end(of: slot)) }
    for writer in stack.waitingWriters.compactMap({ executorNodes[$0] }) {
      connect(.node(writer), .waits, end(of: slot))
    }
  }

  private mutating func addEdges(of identity: IntentionIdentity, in executor: ExecutorRecord) {
    guard let record = runtime.plans.intentions[identity], let node = makeNode(of: identity) else { return }
    let streams = (executor.executor as? any StreamingExecutor)?.streams(of: identity) ?? streams[identity] ?? []
    var calls: [[Int]] = []
    for stream in streams { calls.append(add(stream, behind: calls, of: node, on: record.target.name)) }
    let written = Set(streams.compactMap(\.property))
    for slot in record.slots where !written.contains(runtime.movement.properties[slot].reference.property) {
      connect(.node(node), .writes, end(of: slot))
    }
    for reference in runtime.reader.reads(of: record) {
      if let slot = runtime.plans.find(reference) { connect(end(of: slot), .reads, .node(node)) }
    }
    for ordinal in record.children.sorted() {
      if let child = end(of: identity.child(ordinal)) { connect(.node(node), .emits, child) }
    }
  }

  /// Adds a stream. References to streams that are not before it are skipped: the description may come from outside.
  ///
  /// - Parameter earlier: the nodes of the calls of the plan's streams before it.
  /// - Returns: the nodes of its own calls.
  private mutating func add(
    _ stream: StreamDescription, behind earlier: [[Int]], of plan: Int, on target: TargetName
  ) -> [Int] {
    func node(at place: StreamDescription.Place) -> Int? {
      earlier.indices.contains(place.stream) && earlier[place.stream].indices.contains(place.call)
        ? earlier[place.stream][place.call] : nil
    }
    var calls: [Int] = []
    var last = stream.follows.flatMap(node)
    for call in stream.calls {
      let node = add(last == nil ? .source(call) : .operator(call))
      connect(.node(last ?? plan), last == nil ? .connects : .values, .node(node))
      calls.append(node)
      last = node
    }
    switch stream.goal {
    case .property(let property):
      if let slot = runtime.plans.find(PropertyReference(target, property)) {
        connect(.node(last ?? plan), .writes, end(of: slot))
      }
    case .argument(let place):
      if let last, let call = node(at: place), call != last { connect(.node(last), .argument, .node(call)) }
    }
    return calls
  }

  /// Adds plans on targets that are not shown themselves.
  private mutating func addForeignReaders(of slot: PropertyTable.Slot) {
    let reference = runtime.movement.properties[slot].reference
    guard let readers = runtime.plans.readers[reference]?.keys.prefix(readersLeft).sorted() else { return }
    readersLeft -= readers.count
    for handle in readers where executorNodes[handle] == nil {
      for identity in runtime.plans.executors[handle]?.intentions ?? [] {
        guard let record = runtime.plans.intentions[identity], runtime.reader.reads(of: record).contains(reference),
          let reader = makeNode(of: identity)
        else { continue }
        connect(end(of: slot), .reads, .node(reader))
      }
    }
  }
}
