package import MotionModel

/// A graph as JSON: the keys and their order are part of the program's interface.
package extension JSONOutput {
  init(_ graph: RuntimeGraph) {
    self = [
      "nodes": .list(graph.nodes.enumerated().map { JSONOutput($0.element, id: $0.offset) }),
      "edges": .list(graph.edges.map { JSONOutput($0) }), "remarks": .texts(graph.remarks),
    ]
  }

  /// A node: its number, its kind, and then the keys that `motionctl list` gives it.
  private init(_ node: RuntimeGraph.Node, id: Int) {
    let row: JSONOutput =
      switch node {
      case .target(let row): JSONOutput(row)
      case .property(let row): JSONOutput(row)
      case .executor(let row): JSONOutput(row)
      case .intention(let row): JSONOutput(row)
      case .token(let row): JSONOutput(row)
      case .source(let call), .operator(let call): ["call": .text(call)]
      }
    let head = [Member(key: "id", value: .count(id)), Member(key: "node", value: .text(node.kind.rawValue))]
    guard case .object(let members) = row else { preconditionFailure("a row is an object, not \(row.line)") }
    self = .object(head + members)
  }

  private init(_ edge: RuntimeGraph.Edge) {
    self = ["from": .count(edge.from), "to": .count(edge.to), "kind": .text(edge.kind.rawValue)]
  }
}
