public import MotionModel

extension Runtime {
  /// What there is, on one target or on all, and how it hangs together; nothing changes by it.
  ///
  /// Of one target, properties of others that its plans read are in it, and plans on others that read its own. Linear in what
  /// it shows.
  ///
  /// - Parameters:
  ///   - target: the target, or `nil` for all.
  ///   - streams: those of plans that workers fulfil, as they say; of unknown plans they are ignored, and executors in
  ///     this process are asked themselves.
  /// - Throws: ``/MotionModel/Refusal`` when there is no such target.
  public func graph(
    of target: TargetName? = nil, streams: [IntentionIdentity: [StreamDescription]] = [:]
  ) throws(Refusal) -> RuntimeGraph {
    let targets = try known(target).map { [$0] } ?? targetsInOrder
    var assembly = GraphAssembly(self, streams)
    for target in targets { assembly.addNodes(of: target) }
    for target in targets { assembly.addEdges(of: target) }
    return assembly.graph
  }

  /// Whether a worker has this plan: what it says of others counts for nothing.
  public func hasPlan(_ identity: IntentionIdentity, in worker: WorkerAddress) -> Bool {
    intentions[identity].flatMap { executors[$0.executor] }?.worker == worker
  }

  /// The executors of a target, or of all, by the workers they live in; those in this process are left out.
  ///
  /// - Throws: ``/MotionModel/Refusal`` when there is no such target.
  public func executors(on target: TargetName?) throws(Refusal) -> [WorkerAddress: [ExecutorHandle]] {
    var handles: [WorkerAddress: [ExecutorHandle]] = [:]
    for record in executorsInOrder(on: try known(target)) {
      if let worker = record.worker { handles[worker, default: []].append(record.handle) }
    }
    return handles
  }
}

/// Puts a runtime's graph together: first the nodes of all targets, so that edges may lead anywhere.
private struct GraphAssembly {
  private(set) var graph = RuntimeGraph()
  private let runtime: Runtime
  private let streams: [IntentionIdentity: [StreamDescription]]
  private var propertyNodes: [PropertyTable.Slot: Int] = [:]
  private var executorNodes: [ExecutorHandle: Int] = [:]
  private var intentionNodes: [IntentionIdentity: Int] = [:]

  init(_ runtime: Runtime, _ streams: [IntentionIdentity: [StreamDescription]]) {
    self.runtime = runtime
    self.streams = streams
  }

  // MARK: Nodes, and who holds them

  mutating func addNodes(of target: TargetName) {
    let node = graph.add(.target(runtime.row(of: target)))
    for slot in runtime.slotsInOrder(on: target) { graph.connect(node, .holds, self.node(of: slot)) }
    for record in runtime.executorsInOrder(on: target) {
      let executor = graph.add(.executor(runtime.row(of: record)))
      executorNodes[record.handle] = executor
      graph.connect(node, .holds, executor)
      addTokens(of: record, executor)
      for identity in record.intentions {
        if let intention = self.node(of: identity) { graph.connect(executor, .holds, intention) }
      }
    }
  }

  private mutating func addTokens(of record: ExecutorRecord, _ executor: Int) {
    for (name, token) in record.tokens.sorted(by: { $0.key < $1.key }) {
      let node = graph.add(.token(TokenRow(executor: record.key, token: name)))
      graph.connect(executor, .holds, node)
      for slot in token.slots { graph.connect(node, .moves, self.node(of: slot)) }
    }
  }

  private mutating func node(of slot: PropertyTable.Slot) -> Int {
    if let node = propertyNodes[slot] { return node }
    let node = graph.add(.property(runtime.row(of: slot)))
    propertyNodes[slot] = node
    return node
  }

  private mutating func node(of identity: IntentionIdentity) -> Int? {
    if let node = intentionNodes[identity] { return node }
    guard let record = runtime.intentions[identity], let executor = runtime.executors[record.executor] else {
      return nil
    }
    let node = graph.add(.intention(runtime.row(of: record, in: executor)))
    intentionNodes[identity] = node
    return node
  }

  // MARK: Edges

  mutating func addEdges(of target: TargetName) {
    for slot in runtime.slotsInOrder(on: target) { addWriters(of: slot) }
    for record in runtime.executorsInOrder(on: target) {
      for identity in record.intentions { addEdges(of: identity, in: record) }
    }
    for slot in runtime.slotsInOrder(on: target) { addForeignReaders(of: slot) }
  }

  private mutating func addWriters(of slot: PropertyTable.Slot) {
    let stack = runtime.properties[slot].stack
    if let driver = stack.driver.flatMap({ executorNodes[$0] }) { graph.connect(driver, .drives, node(of: slot)) }
    for writer in stack.waitingWriters.compactMap({ executorNodes[$0] }) {
      graph.connect(writer, .waits, node(of: slot))
    }
  }

  private mutating func addEdges(of identity: IntentionIdentity, in executor: ExecutorRecord) {
    guard let record = runtime.intentions[identity], let node = node(of: identity) else { return }
    let streams = (executor.executor as? any StreamingExecutor)?.streams(of: identity) ?? streams[identity] ?? []
    var calls: [[Int]] = []
    for stream in streams { calls.append(add(stream, behind: calls, of: node, on: record.target.name)) }
    let written = Set(streams.compactMap(\.property))
    for slot in record.slots where !written.contains(runtime.properties[slot].reference.property) {
      graph.connect(node, .writes, self.node(of: slot))
    }
    for reference in runtime.reads(of: record) {
      if let slot = runtime.find(reference) { graph.connect(self.node(of: slot), .reads, node) }
    }
    for ordinal in record.children.sorted() {
      if let child = self.node(of: identity.child(ordinal)) { graph.connect(node, .emits, child) }
    }
  }

  /// Adds a stream. What it says of streams that are not before it is passed over: it may come from outside.
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
      let node = graph.add(last == nil ? .source(call) : .operator(call))
      graph.connect(last ?? plan, last == nil ? .connects : .values, node)
      calls.append(node)
      last = node
    }
    switch stream.goal {
    case .property(let property):
      if let slot = runtime.find(PropertyReference(target, property)) {
        graph.connect(last ?? plan, .writes, self.node(of: slot))
      }
    case .argument(let place):
      if let last, let call = node(at: place), call != last { graph.connect(last, .argument, call) }
    }
    return calls
  }

  /// Plans on targets that are not shown themselves.
  private mutating func addForeignReaders(of slot: PropertyTable.Slot) {
    let reference = runtime.properties[slot].reference
    for handle in runtime.readers[reference]?.keys.sorted() ?? [] where executorNodes[handle] == nil {
      for identity in runtime.executors[handle]?.intentions ?? [] {
        guard let record = runtime.intentions[identity], runtime.reads(of: record).contains(reference),
          let reader = node(of: identity)
        else { continue }
        graph.connect(node(of: slot), .reads, reader)
      }
    }
  }
}
