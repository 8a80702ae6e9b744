public import MotionModel

extension RuntimeGraph {
  /// The graph in the language of Graphviz: `dot -Tsvg` draws it.
  ///
  /// Each target is a box around its own nodes. Properties have a bent corner, executors are bold boxes, plans boxes
  /// with round corners, tokens ellipses, and the calls of streams plain text. `drives` is a bold line, `waits` and
  /// the arguments of calls are dashed, `holds` is dotted. Linear in its size.
  public var graphViz: String {
    var lines = ["digraph G {", "  rankdir=LR;", "  node [fontname=\"sans-serif\", fontsize=10];"]
    for (number, (target, members)) in clusters.enumerated() {
      lines.append("  subgraph cluster_\(number) {")
      lines.append("    label=\(Self.label(target.text));")
      for index in members { lines.append("    n\(index) [\(Self.attributes(of: nodes[index]))];") }
      lines.append("  }")
    }
    for edge in edges where nodes[edge.from].kind != .target {
      lines.append("  n\(edge.from) -> n\(edge.to) [\(Self.attributes(of: edge.kind))];")
    }
    return lines.map { $0 + "\n" }.joined() + "}\n"
  }

  /// The targets in order of first occurrence, each with the nodes that are drawn in its box. A target is drawn as its
  /// box only, not as a node.
  private var clusters: [(TargetName, [Int])] {
    var clusters: [(TargetName, [Int])] = []
    var places: [TargetName: Int] = [:]
    for (index, target) in owners.enumerated() {
      guard let target else { continue }
      let place = places[target] ?? clusters.count
      if place == clusters.count { clusters.append((target, [])) }
      places[target] = place
      if nodes[index].kind != .target { clusters[place].1.append(index) }
    }
    return clusters
  }

  /// The target of each node; a stream belongs to the target of its plan.
  private var owners: [TargetName?] {
    var owners = nodes.map(\.target)
    for edge in edges where edge.kind == .connects || edge.kind == .values {
      owners[edge.to] = owners[edge.to] ?? owners[edge.from]
    }
    return owners
  }

  private static func label(_ text: String) -> String {
    GraphVizText.label(ShownText.escaping(text), isFlushLeft: true)
  }

  private static func attributes(of node: Node) -> String {
    let shape =
      switch node.kind {
      case .target: "box"
      case .property: "note"
      case .executor: "box, style=bold"
      case .intention: "box, style=rounded"
      case .token: "ellipse"
      case .source, .operator: "plaintext"
      }
    return "label=\(label(node.label)), shape=\(shape)"
  }

  private static func attributes(of kind: Edge.Kind) -> String {
    let style =
      switch kind {
      case .drives: "bold"
      case .waits, .reads, .argument: "dashed"
      case .holds, .connects: "dotted"
      case .writes, .emits, .moves, .values: "solid"
      }
    let saysItself = kind == .values || kind == .argument
    return saysItself ? "style=\(style)" : "label=\"\(kind.rawValue)\", style=\(style), fontsize=8"
  }
}
