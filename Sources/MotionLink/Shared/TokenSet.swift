public import MotionModel
import MotionWire

/// The tokens that a worker's executors hold.
///
/// The coordinator computes its set from the events it applied; the worker keeps the set that its executors really
/// hold. If the sets differ after the same last event, one end is wrong.
public struct TokenSet: Hashable, Sendable {
  private var names: [ExecutorHandle: Set<TokenName>] = [:]

  /// No tokens.
  public init() {}

  /// Whether nothing is held.
  public var isEmpty: Bool { names.isEmpty }

  /// The tokens of one executor, in no particular order.
  public subscript(executor: ExecutorHandle) -> Set<TokenName> { names[executor] ?? [] }

  /// The hash by which both ends compare; see `TokenSetHash` for its cost.
  public var stableHash: UInt64 {
    TokenSetHash.hash(names.flatMap { executor, names in names.map { (executor, $0) } })
  }

  /// The executor holds the token; false if it held it before.
  @discardableResult
  public mutating func insert(_ name: TokenName, of executor: ExecutorHandle) -> Bool {
    names[executor, default: []].insert(name).inserted
  }

  /// The executor no longer holds the token; false if it did not before.
  @discardableResult
  public mutating func remove(_ name: TokenName, of executor: ExecutorHandle) -> Bool {
    guard names[executor]?.remove(name) != nil else { return false }
    if names[executor]?.isEmpty == true { names[executor] = nil }
    return true
  }
}
