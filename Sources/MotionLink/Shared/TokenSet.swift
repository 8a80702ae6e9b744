public import MotionModel

/// The tokens that a worker's executors hold, with a hash that both ends can compare.
///
/// The coordinator folds it from the events it applied; the worker keeps the one its executors really hold. If they
/// have the same last event and differ, one end is wrong. Insertion and removal cost one hash of the name.
public struct TokenSet: Hashable, Sendable {
  private var names: [ExecutorHandle: Set<TokenName>] = [:]

  /// Equal sets have equal hashes, in whatever order they were made. The sum of the tokens' hashes; 0 when empty.
  public private(set) var stableHash: UInt64 = 0

  /// No tokens.
  public init() {}

  /// Whether nothing is held.
  public var isEmpty: Bool { names.isEmpty }

  /// The tokens of one executor, in no particular order.
  public subscript(executor: ExecutorHandle) -> Set<TokenName> { names[executor] ?? [] }

  /// The executor holds the token; false if it held it before.
  @discardableResult
  public mutating func insert(_ name: TokenName, of executor: ExecutorHandle) -> Bool {
    guard names[executor, default: []].insert(name).inserted else { return false }
    stableHash &+= Self.hash(name, executor)
    return true
  }

  /// The executor no longer holds the token; false if it did not before.
  @discardableResult
  public mutating func remove(_ name: TokenName, of executor: ExecutorHandle) -> Bool {
    guard names[executor]?.remove(name) != nil else { return false }
    if names[executor]?.isEmpty == true { names[executor] = nil }
    stableHash &-= Self.hash(name, executor)
    return true
  }

  private static func hash(_ name: TokenName, _ executor: ExecutorHandle) -> UInt64 {
    var hasher = StableHasher(seed: UInt64(executor.rawValue))
    hasher.combine(name.text)
    return hasher.finish()
  }
}
