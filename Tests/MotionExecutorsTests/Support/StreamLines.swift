import MotionCore
import MotionModel

extension Runtime {
  /// The streams of a target's plans in the graph, each as its calls and the property that they lead to.
  func streamLines(on target: TargetName) throws(Refusal) -> [String] {
    let graph = try graph(of: target)
    return graph.edges.filter { $0.kind == .writes && graph.nodes[$0.from].isCall }.map { edge in
      var line = "\(graph.nodes[edge.from].label) -> \(graph.nodes[edge.to].label)"
      var first = edge.from
      while let previous = graph.edges.first(where: { $0.to == first && $0.kind == .values })?.from {
        line = "\(graph.nodes[previous].label) \(line)"
        first = previous
      }
      return line
    }
  }
}

extension RuntimeGraph.Node {
  /// Whether it is a call of a stream.
  fileprivate var isCall: Bool {
    switch self {
    case .source, .operator: true
    default: false
    }
  }
}
