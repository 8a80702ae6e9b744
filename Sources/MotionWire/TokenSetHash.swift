public import MotionModel

/// The hash of the tokens that a worker's executors hold, by which both ends of a link notice that they disagree.
///
/// It does not depend on the order in which tokens were started. docs/protocol.md says it in words for other languages.
public enum TokenSetHash {
  /// The hash of a set of tokens, each with the executor that holds it. Sorts: n log n, and a copy of the set.
  ///
  /// The order is by executor, then by the bytes of the name: other languages do not sort text as Swift does.
  public static func hash(_ tokens: some Collection<(ExecutorHandle, TokenName)>) -> UInt64 {
    let sorted = tokens.sorted { a, b in
      a.0 == b.0 ? a.1.text.utf8.lexicographicallyPrecedes(b.1.text.utf8) : a.0 < b.0
    }
    var hasher = StableHasher()
    for (executor, token) in sorted {
      hasher.combine(UInt64(executor.rawValue))
      hasher.combine(token.text)
    }
    return hasher.finish()
  }
}
