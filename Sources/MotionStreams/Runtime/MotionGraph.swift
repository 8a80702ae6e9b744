import MotionModel

/// The graph of a runtime: its sources, operators and properties, and the connections between them.
public struct MotionGraph: Hashable, Sendable {
  /// A source, an operator or a property.
  public struct Node: Hashable, Sendable {
    /// The kind of a node.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
      /// The beginning of a stream.
      case source
      /// A stream that is derived from another.
      case `operator`
      /// A property that is written or read.
      case property
    }

    /// The number in the graph, from 0.
    public var id: Int
    /// The kind.
    public var kind: Kind
    /// The call as it was written; for a property its name.
    public var label: String

    /// Creates a node.
    public init(id: Int, kind: Kind, label: String) {
      self.id = id
      self.kind = kind
      self.label = label
    }
  }

  /// A connection from one node to another.
  public struct Edge: Hashable, Sendable {
    /// The kind of an edge.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
      /// From a stream to one that is derived from it.
      case values
      /// From a stream or a property to the call that it is an argument of.
      case argument
      /// From a stream to the property that it is written to.
      case writes
    }

    /// The node at which the edge begins.
    public var from: Int
    /// The node at which the edge ends.
    public var to: Int
    /// The kind.
    public var kind: Kind

    /// Creates an edge.
    public init(from: Int, to: Int, kind: Kind) {
      self.from = from
      self.to = to
      self.kind = kind
    }
  }

  /// The nodes, in the order in which they were first encountered.
  public var nodes: [Node]
  /// The edges, likewise.
  public var edges: [Edge]

  /// Creates a graph of these parts.
  public init(nodes: [Node] = [], edges: [Edge] = []) {
    self.nodes = nodes
    self.edges = edges
  }

  /// The graph in the language of Graphviz: `dot -Tsvg` draws it.
  ///
  /// Sources are ellipses, operators boxes, properties have a bent corner; arguments are dashed lines, writes are bold
  /// ones.
  public var graphViz: String {
    var lines = ["digraph G {", "  rankdir=LR;"]
    for node in nodes {
      let shape = [Node.Kind.source: "ellipse", .operator: "box", .property: "note"][node.kind] ?? "box"
      lines.append("  n\(node.id) [label=\(GraphVizText.label(node.label)), shape=\(shape)];")
    }
    for edge in edges {
      let style = [Edge.Kind.argument: " [style=dashed]", .writes: " [style=bold]"][edge.kind] ?? ""
      lines.append("  n\(edge.from) -> n\(edge.to)\(style);")
    }
    return lines.map { $0 + "\n" }.joined() + "}\n"
  }

  /// The most Unicode scalars of a label that ``graphViz`` writes.
  public static var longestLabel: Int { GraphVizText.longestLabel }
}
