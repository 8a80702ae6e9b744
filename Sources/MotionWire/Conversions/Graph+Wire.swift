import MotionModel

extension ProtoGraph: WireRepresentation {
  init(_ graph: RuntimeGraph) {
    nodes = graph.nodes.map(Node.init)
    edges = graph.edges.map(Edge.init)
    remarks = graph.remarks.map { Encode.text($0) }
  }

  func model() throws(WireError) -> RuntimeGraph {
    let graph = RuntimeGraph(
      nodes: try Decode.list(nodes, "nodes"), edges: try Decode.list(edges, "edges"),
      remarks: try Decode.texts(remarks, "remarks"))
    guard let graph else {
      throw WireError(
        .value, field: "edges", "an edge leads to a node that does not exist",
        remedy: "Identify nodes by their indices in the list of nodes, from 0")
    }
    return graph
  }
}

extension ProtoGraph.Node: WireRepresentation {
  init(_ node: RuntimeGraph.Node) {
    self.node =
      switch node {
      case .target(let row): .target(ProtoTargetRow(row))
      case .property(let row): .property(ProtoPropertyRow(row))
      case .executor(let row): .executor(ProtoExecutorRow(row))
      case .intention(let row): .intention(ProtoIntentionRow(row))
      case .token(let row): .token(ProtoTokenRow(row))
      case .source(let call): .source(call)
      case .operator(let call): .operator(call)
      }
  }

  func model() throws(WireError) -> RuntimeGraph.Node {
    switch node {
    case .target(let row): .target(try Decode.part(row, "target"))
    case .property(let row): .property(try Decode.part(row, "property"))
    case .executor(let row): .executor(try Decode.part(row, "executor"))
    case .intention(let row): .intention(try Decode.part(row, "intention"))
    case .token(let row): .token(try Decode.part(row, "token"))
    case .source(let call): .source(try Decode.text(call, "source", atMost: Limits.streamCallBytes))
    case .operator(let call): .operator(try Decode.text(call, "operator", atMost: Limits.streamCallBytes))
    case nil: throw .nothingChosen("node")
    }
  }
}

extension ProtoGraph.Edge: WireRepresentation {
  init(_ edge: RuntimeGraph.Edge) {
    from = Encode.count(edge.from)
    to = Encode.count(edge.to)
    kind = Kind(edge.kind)
  }

  func model() throws(WireError) -> RuntimeGraph.Edge {
    RuntimeGraph.Edge(from: Int(from), to: Int(to), kind: try Decode.part(kind, "kind"))
  }
}

extension ProtoGraph.Edge.Kind: WireRepresentation {
  init(_ kind: RuntimeGraph.Edge.Kind) {
    self =
      switch kind {
      case .holds: .holds
      case .drives: .drives
      case .waits: .waits
      case .writes: .writes
      case .reads: .reads
      case .emits: .emits
      case .moves: .moves
      case .connects: .connects
      case .values: .values
      case .argument: .argument
      }
  }

  func model() throws(WireError) -> RuntimeGraph.Edge.Kind {
    switch self {
    case .holds: .holds
    case .drives: .drives
    case .waits: .waits
    case .writes: .writes
    case .reads: .reads
    case .emits: .emits
    case .moves: .moves
    case .connects: .connects
    case .values: .values
    case .argument: .argument
    case .unspecified, .UNRECOGNIZED: throw .unknown(rawValue)
    }
  }
}
