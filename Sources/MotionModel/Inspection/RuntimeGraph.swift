/// The contents of a runtime as a graph: which executor drives which property, for which plan, through which streams.
///
/// The nodes are the rows that queries list, plus the calls of streams. The edges are relations between two nodes,
/// directed the way values flow. The graph is a snapshot between two frames, for clients that draw or print it.
public struct RuntimeGraph: Hashable, Sendable {
  /// An item that a runtime holds.
  public enum Node: Hashable, Sendable {
    /// A target.
    case target(TargetRow)
    /// A property of a target.
    case property(PropertyRow)
    /// An executor of a target, in this process or in a worker.
    case executor(ExecutorRow)
    /// A plan.
    case intention(IntentionRow)
    /// A running piece of remote execution.
    case token(TokenRow)
    /// The source of a stream, as it was called.
    case source(String)
    /// An operator applied to another stream, as it was called.
    case `operator`(String)

    /// The kind of item that a node represents.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
      /// A target.
      case target
      /// A property.
      case property
      /// An executor.
      case executor
      /// A plan.
      case intention
      /// A running piece of remote execution.
      case token
      /// The source of a stream.
      case source
      /// An operator applied to another stream.
      case `operator`
    }

    /// The kind of item that the node represents.
    public var kind: Kind {
      switch self {
      case .target: .target
      case .property: .property
      case .executor: .executor
      case .intention: .intention
      case .token: .token
      case .source: .source
      case .operator: .operator
      }
    }

    /// The target that the node belongs to. `nil` for the calls of a stream: they belong to the target of their plan.
    public var target: TargetName? {
      switch self {
      case .target(let row): row.target
      case .property(let row): row.reference.target
      case .executor(let row): row.key.target
      case .intention(let row): row.target
      case .token(let row): row.executor.target
      case .source, .operator: nil
      }
    }
  }

  /// A directed relation between two nodes.
  public struct Edge: Hashable, Sendable {
    /// The meaning of an edge.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
      /// From a target to its properties and executors, from an executor to its plans and tokens.
      case holds
      /// From an executor to a property that it drives.
      case drives
      /// From an executor to a property that it resumes driving when the present driver ends; topmost first.
      case waits
      /// From a plan, or from the last call of one of its streams, to a property.
      case writes
      /// From a property to a plan that reads it.
      case reads
      /// From a plan to one that it emitted.
      case emits
      /// From a token to a property that a hand moves while the token is held.
      case moves
      /// From a plan to the source of one of its streams, or of an argument of one.
      case connects
      /// From a call of a stream to the next one.
      case values
      /// From the last call of a stream to the call that it is an argument of.
      case argument
    }

    /// The index of the node that the edge starts at.
    public var from: Int
    /// The index of the node that the edge ends at.
    public var to: Int
    /// The meaning of the edge.
    public var kind: Kind

    /// Creates an edge.
    public init(from: Int, to: Int, kind: Kind) {
      self.from = from
      self.to = to
      self.kind = kind
    }
  }

  /// The nodes: target by target in order of first mention, each followed by the nodes that it holds.
  public private(set) var nodes: [Node] = []
  /// The edges.
  public private(set) var edges: [Edge] = []
  /// The missing parts of the graph, each with its reason: a worker that did not answer in time.
  public var remarks: [String] = []

  /// Creates an empty graph.
  public init() {}

  /// Creates a graph from these nodes and edges; `nil` if an edge refers to a node that does not exist.
  public init?(nodes: [Node], edges: [Edge], remarks: [String] = []) {
    guard edges.allSatisfy({ nodes.indices.contains($0.from) && nodes.indices.contains($0.to) }) else { return nil }
    (self.nodes, self.edges, self.remarks) = (nodes, edges, remarks)
  }

  /// Adds a node and returns its index.
  public mutating func add(_ node: Node) -> Int {
    nodes.append(node)
    return nodes.count - 1
  }

  /// Adds an edge.
  ///
  /// - Precondition: both nodes exist.
  public mutating func connect(_ from: Int, _ kind: Edge.Kind, _ to: Int) {
    precondition(
      nodes.indices.contains(from) && nodes.indices.contains(to),
      "an edge from \(from) to \(to) in a graph of \(nodes.count) nodes")
    edges.append(Edge(from: from, to: to, kind: kind))
  }
}

extension RuntimeGraph.Node {
  /// A short label of the node: `position`, `Tween in tween.0`, `12.3 SpringTo "home"`.
  public var label: String {
    switch self {
    case .target(let row): row.target.text
    case .property(let row): row.reference.property.text
    case .executor(let row): "\(row.key.type) in \(row.worker?.description ?? "motiond")"
    case .intention(let row): "\(row.identity) \(row.intention.type)" + (row.name.map { " \"\($0)\"" } ?? "")
    case .token(let row): row.token.text
    case .source(let call), .operator(let call): call
    }
  }
}
