public import MotionModel

/// The hash of the tokens that a worker's executors hold, by which both ends of a link detect a difference.
///
/// It is the sum of the hashes of its tokens. So it does not depend on any order, and a token that starts or ends costs
/// one addition or subtraction. docs/protocol.md defines it for other languages.
public enum TokenSetHash {
  /// The hash of a set of tokens, each with the executor that holds it and no token twice; 0 for an empty set.
  public static func hash(_ tokens: some Sequence<(ExecutorHandle, TokenName)>) -> UInt64 {
    tokens.reduce(0) { $0 &+ hash($1.1, of: $1.0) }
  }

  /// The hash of one token: its summand in the hash of a set.
  public static func hash(_ token: TokenName, of executor: ExecutorHandle) -> UInt64 {
    var hasher = StableHasher(seed: UInt64(executor.rawValue))
    hasher.combine(token.text)
    return hasher.finish()
  }
}
