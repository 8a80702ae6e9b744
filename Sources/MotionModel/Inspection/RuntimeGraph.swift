/// What a runtime holds and how it hangs together: who drives what, for which plan, by which streams.
///
/// Nodes are what queries list, and the calls of streams; edges say what one has to do with another, along the way that
/// values take. It is a snapshot between two frames, made for whoever draws or prints it; ``graphViz`` is one drawing.
public struct RuntimeGraph: Hashable, Sendable {
  /// Something that a runtime holds.
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
    /// The beginning of a stream, as it was called.
    case source(String)
    /// What is made of another stream, as it was called.
    case `operator`(String)

    /// What a node stands for.
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
      /// The beginning of a stream.
      case source
      /// What is made of another stream.
      case `operator`
    }

    /// What it stands for.
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

    /// The target that it belongs to; streams belong to that of their plan.
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

  /// What a node has to do with another.
  public struct Edge: Hashable, Sendable {
    /// What an edge says.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
      /// From a target to its properties and executors, from an executor to its plans and tokens.
      case holds
      /// From an executor to a property that it drives.
      case drives
      /// From an executor to a property that it goes on with when the driver ends; topmost first.
      case waits
      /// From a plan, or from the last call of one of its streams, to a property.
      case writes
      /// From a property to a plan that reads it.
      case reads
      /// From a plan to one that it emitted.
      case emits
      /// From a token to a property that a hand moves while it runs.
      case moves
      /// From a plan to the source of one of its streams, or of an argument of one.
      case connects
      /// From a call of a stream to the next one.
      case values
      /// From the last call of a stream to the call that it is an argument of.
      case argument
    }

    /// The index of the node it comes from.
    public var from: Int
    /// The index of the node it goes to.
    public var to: Int
    /// What it says.
    public var kind: Kind

    /// An edge.
    public init(from: Int, to: Int, kind: Kind) {
      self.from = from
      self.to = to
      self.kind = kind
    }
  }

  /// The nodes: target by target in order of first mention, each with what it holds behind it.
  public private(set) var nodes: [Node] = []
  /// The edges.
  public private(set) var edges: [Edge] = []
  /// What is missing from it, and why: a worker that did not answer in time.
  public var remarks: [String] = []

  /// A graph of nothing.
  public init() {}

  /// A graph of these; `nil` if an edge leads nowhere.
  public init?(nodes: [Node], edges: [Edge], remarks: [String] = []) {
    guard edges.allSatisfy({ nodes.indices.contains($0.from) && nodes.indices.contains($0.to) }) else { return nil }
    (self.nodes, self.edges, self.remarks) = (nodes, edges, remarks)
  }

  /// Adds a node, and returns its index.
  public mutating func add(_ node: Node) -> Int {
    nodes.append(node)
    return nodes.count - 1
  }

  /// Adds an edge.
  ///
  /// - Precondition: there are such nodes.
  public mutating func connect(_ from: Int, _ kind: Edge.Kind, _ to: Int) {
    precondition(
      nodes.indices.contains(from) && nodes.indices.contains(to),
      "an edge from \(from) to \(to) in a graph of \(nodes.count) nodes")
    edges.append(Edge(from: from, to: to, kind: kind))
  }
}
