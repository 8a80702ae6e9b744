import MotionModel

/// What is connected to what: the sources, operators and properties of a runtime.
public struct MotionGraph: Hashable, Sendable {
  /// A source, an operator or a property.
  public struct Node: Hashable, Sendable {
    /// What a node stands for.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
      /// The beginning of a stream.
      case source
      /// What is made of another stream.
      case `operator`
      /// A property that is written or read.
      case property
    }

    /// Its number in the graph, from 0.
    public var id: Int
    /// What it stands for.
    public var kind: Kind
    /// What it is, as it was called; a property's name.
    public var label: String

    /// A node.
    public init(id: Int, kind: Kind, label: String) {
      self.id = id
      self.kind = kind
      self.label = label
    }
  }

  /// Something that flows from one node to another.
  public struct Edge: Hashable, Sendable {
    /// What an edge stands for.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
      /// From a stream to what is made of it.
      case values
      /// From a stream or a property to the call that it is an argument of.
      case argument
      /// From a stream to the property that it is written to.
      case writes
    }

    /// The node it comes from.
    public var from: Int
    /// The node it goes to.
    public var to: Int
    /// What it stands for.
    public var kind: Kind

    /// An edge.
    public init(from: Int, to: Int, kind: Kind) {
      self.from = from
      self.to = to
      self.kind = kind
    }
  }

  /// The nodes, in the order in which they were first met.
  public var nodes: [Node]
  /// The edges, likewise.
  public var edges: [Edge]

  /// A graph of these parts.
  public init(nodes: [Node] = [], edges: [Edge] = []) {
    self.nodes = nodes
    self.edges = edges
  }

  /// The graph in the language of Graphviz: `dot -Tsvg` draws it.
  ///
  /// Sources are ellipses, operators boxes, properties have a bent corner; arguments come along dashed lines, writes go
  /// along bold ones.
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

  /// How much of a label ``graphViz`` writes, in Unicode scalars.
  public static var longestLabel: Int { GraphVizText.longestLabel }
}
