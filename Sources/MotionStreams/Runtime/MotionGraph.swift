/// What is connected to what: the sources, operators and properties of a runtime.
public struct MotionGraph: Hashable, Sendable {
  /// A source, an operator or a property.
  public struct Node: Hashable, Sendable {
    /// Its number in the graph, from 0.
    public var id: Int
    /// What it is, as it was called.
    public var label: String
  }

  /// Something that flows from one node to another.
  public struct Edge: Hashable, Sendable {
    /// The node it comes from.
    public var from: Int
    /// The node it goes to.
    public var to: Int
  }

  /// The nodes, in the order in which they were first met.
  public private(set) var nodes: [Node] = []
  /// The edges, likewise.
  public private(set) var edges: [Edge] = []

  /// The graph of these chains. Those that begin alike share what is alike.
  init(chains: [Metadata]) {
    var known: [String: Int] = [:]
    for chain in chains {
      var path = ""
      var last: Int?
      for call in chain.calls {
        path += "\n" + call.text
        let id = known[path] ?? nodes.count
        if known[path] == nil {
          known[path] = id
          nodes.append(Node(id: id, label: call.text))
          if let last { edges.append(Edge(from: last, to: id)) }
        }
        last = id
      }
    }
  }

  /// The graph in the language of Graphviz: `dot -Tsvg` draws it.
  public var graphViz: String {
    let lines =
      nodes.map { "  n\($0.id) [label=\"\(Self.escaped($0.label))\"];" }
      + edges.map { "  n\($0.from) -> n\($0.to);" }
    return "digraph G {\n  node [shape=box];\n" + lines.map { $0 + "\n" }.joined() + "}\n"
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "\"": escaped += "\\\""
      case "\\": escaped += "\\\\"
      case "\n": escaped += "\\n"
      default: escaped.append(character)
      }
    }
    return escaped
  }
}
