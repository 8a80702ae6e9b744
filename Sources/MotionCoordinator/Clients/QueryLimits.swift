import MotionCore
import MotionModel

/// The limits of answers to queries, in rows.
enum QueryLimits {
  /// The most rows of one answer: those of 200,000 properties take 20 MB. Their size is bounded besides, by the limits
  /// of receivers (``AnswerSize``).
  static let answerRows = 200_000
  /// The most nodes in one graph, besides streams: a hundred thousand targets, each with a property and a plan.
  static let graphNodes = 400_000
  /// The most rows of an answer that is made and encoded at once, in some 0.3 ms.
  static let rowsAtOnce = 128

  /// Refuses a query whose answer has more rows than the limit.
  static func check(_ query: Query, in runtime: Runtime) throws(Refusal) {
    let limit = if case .graph = query { graphNodes } else { answerRows }
    guard let (count, what) = rows(of: query, in: runtime.counts), count > limit else { return }
    throw Refusal(
      .limit, "the answer would contain \(count) \(what), more than the limit of \(limit)",
      remedy: "Query one target at a time")
  }

  /// The number of rows in the answer to a query about all targets; `nil` for the others, which have limits of their
  /// own.
  private static func rows(of query: Query, in counts: Status.Counts) -> (Int, String)? {
    switch query {
    case .targets: (counts.targets, "targets")
    case .properties(nil): (counts.properties, "properties")
    case .executors(nil): (counts.executors, "executors")
    case .intentions(nil): (counts.intentions, "intentions")
    case .tokens(nil): (counts.tokens, "tokens")
    case .graph(nil): (counts.all, "nodes")
    default: nil
    }
  }
}

extension Refusal {
  /// The refusal of an answer that does not fit in a message, with a narrower query as the remedy.
  static func tooLong(_ query: Query) -> Refusal {
    let remedy =
      switch query {
      case .types: "Query one type at a time"
      case .snapshot: "Look at a recording instead: motionctl record --last 10s FILE"
      case .properties(.some), .executors(.some), .intentions(.some), .tokens(.some), .graph(.some):
        "Distribute the plans of this target over several targets"
      default: "Query one target at a time"
      }
    return Refusal(
      .limit, "the answer is longer than the \(Limits.clientMessageBytes >> 20) MiB of a message", remedy: remedy)
  }
}

extension Status.Counts {
  /// The sum of all counts.
  fileprivate var all: Int { targets + properties + executors + intentions + tokens }
}
