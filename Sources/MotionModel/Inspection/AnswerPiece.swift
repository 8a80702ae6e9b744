/// Some rows of an answer that is made piece by piece, because it is long.
///
/// Every row is of one instant: what it says held at once. Two pieces may be of two frames.
package struct AnswerPiece: Sendable {
  /// The rows, all of one kind.
  package enum Rows: Sendable {
    /// Targets, in order of first mention.
    case targets([TargetRow])
    /// Properties, in order of first mention.
    case properties([PropertyRow])
    /// Executors, in order of creation.
    case executors([ExecutorRow])
    /// Intentions, each with its place in the order of all additions, by which they have yet to be sorted.
    case intentions([(order: UInt64, row: IntentionRow)])
    /// Tokens.
    case tokens([TokenRow])
    /// Transactions that wait for their time, in the order in which they will be applied.
    case waiting([WaitingRow])
    /// Nodes of a graph.
    case nodes([RuntimeGraph.Node])
    /// Edges of a graph; they come when all its nodes are there.
    case edges([RuntimeGraph.Edge])
  }

  /// The rows.
  package var rows: Rows

  /// A piece of these rows.
  package init(_ rows: Rows) { self.rows = rows }

  /// How many rows it has.
  package var count: Int {
    switch rows {
    case .targets(let rows): rows.count
    case .properties(let rows): rows.count
    case .executors(let rows): rows.count
    case .intentions(let rows): rows.count
    case .tokens(let rows): rows.count
    case .waiting(let rows): rows.count
    case .nodes(let nodes): nodes.count
    case .edges(let edges): edges.count
    }
  }
}
