/// Some rows of an answer that is produced in pieces, because it is long.
///
/// Each row is consistent in itself: its contents were valid at one instant. Two pieces may be of two frames.
package struct AnswerPiece: Sendable {
  /// The rows, all of one kind.
  package enum Rows: Sendable {
    /// Targets, in order of first mention.
    case targets([TargetRow])
    /// Properties, in order of first mention.
    case properties([PropertyRow])
    /// Executors, in order of creation.
    case executors([ExecutorRow])
    /// Intentions, each with its place in the order of all additions; the receiver has to sort them by it.
    case intentions([(order: UInt64, row: IntentionRow)])
    /// Tokens.
    case tokens([TokenRow])
    /// Transactions that wait for their time, in the order in which they will be applied.
    case waiting([WaitingRow])
    /// Nodes of a graph.
    case nodes([RuntimeGraph.Node])
    /// Edges of a graph; they follow after all its nodes.
    case edges([RuntimeGraph.Edge])
  }

  /// The rows.
  package var rows: Rows

  /// Creates a piece of these rows.
  package init(_ rows: Rows) { self.rows = rows }

  /// The number of rows.
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
