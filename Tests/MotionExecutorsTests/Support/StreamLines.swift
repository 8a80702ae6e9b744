import MotionCore
import MotionModel

extension Runtime {
  /// The streams of a target, each with the property that it is written to, as the runtime's graph tells them.
  func streamLines(on target: TargetName) throws(Refusal) -> [String] {
    let graph = try graph(of: target)
    return graph.edges.filter { $0.kind == .connects }.map { edge in
      var line = graph.nodes[edge.to].label
      var last = edge.to
      while let next = graph.edges.first(where: { $0.from == last && $0.kind == .values })?.to {
        line += " " + graph.nodes[next].label
        last = next
      }
      let written = graph.edges.first { $0.from == last && $0.kind == .writes }.map { graph.nodes[$0.to].label }
      return "\(line) -> \(written ?? "nothing")"
    }
  }
}
