/// Builds a graph from the metadata of streams.
///
/// A call is one node, however many streams go through it; two calls with equal text are two nodes. A property is one
/// node, whether it is written, read, or observed.
struct GraphBuilder {
  private(set) var graph = MotionGraph()
  private var known: [ObjectIdentifier: Int] = [:]
  /// The objects behind the identities in ``known``: while these live, no other object has the same identity.
  private var kept: [AnyObject] = []

  /// Adds a stream, and the property that it is written to.
  mutating func add(_ stream: Metadata, to property: (any PropertyArgument)?) {
    guard let last = add(stream), let property else { return }
    let edge = MotionGraph.Edge(from: last, to: node(of: property), kind: .writes)
    if !graph.edges.contains(edge) { graph.edges.append(edge) }
  }

  /// Adds a stream; returns the node of its last call.
  private mutating func add(_ stream: Metadata) -> Int? {
    var last: Int?
    for call in stream.calls {
      if let property = call.origin as? any PropertyArgument {
        last = node(of: property)
      } else if let id = known[ObjectIdentifier(call.origin)] {
        last = id
      } else {
        let id = node(last == nil ? .source : .operator, call.label, call.origin)
        if let last { graph.edges.append(.init(from: last, to: id, kind: .values)) }
        for argument in call.args { connect(argument, to: id) }
        last = id
      }
    }
    return last
  }

  private mutating func connect(_ argument: Any, to id: Int) {
    if let stream = argument as? any StreamArgument {
      if let last = add(stream.metadata) { graph.edges.append(.init(from: last, to: id, kind: .argument)) }
    } else if let property = argument as? any PropertyArgument {
      graph.edges.append(.init(from: node(of: property), to: id, kind: .argument))
    } else if let table = argument as? RewriteTable {
      for value in table.values { connect(value, to: id) }
    } else if let list = argument as? [Any] {
      for element in list { connect(element, to: id) }
    }
  }

  private mutating func node(of property: any PropertyArgument) -> Int {
    known[ObjectIdentifier(property)] ?? node(.property, property.inspected, property)
  }

  private mutating func node(_ kind: MotionGraph.Node.Kind, _ label: String, _ identity: AnyObject) -> Int {
    let id = graph.nodes.count
    graph.nodes.append(.init(id: id, kind: kind, label: label))
    known[ObjectIdentifier(identity)] = id
    kept.append(identity)
    return id
  }
}
