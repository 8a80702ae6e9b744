import MotionModel

/// The latest failed plans, for queries.
struct FailedPlans {
  /// See ``Runtime/failuresKept``.
  static let kept = 1000

  /// The plans, the newest last; at most twice as many as are kept.
  private(set) var rows: [IntentionRow] = []
  /// How many of them are on each target, so that a removal from another one costs no search.
  private var counts: [TargetName: Int] = [:]

  /// Keeps a plan, and drops the oldest: half at a time, so that the amortised cost is small.
  mutating func append(_ row: IntentionRow) {
    rows.append(row)
    counts[row.target, default: 0] += 1
    guard rows.count >= 2 * Self.kept else { return }
    for row in rows.prefix(Self.kept) { discount(row) }
    rows.removeFirst(Self.kept)
  }

  /// Drops the plans that satisfy the predicate.
  mutating func forget(where isForgotten: (IntentionRow) -> Bool) {
    let gone = rows.filter(isForgotten)
    guard !gone.isEmpty else { return }
    for row in gone { discount(row) }
    rows.removeAll(where: isForgotten)
  }

  /// Drops the plans of a target that satisfy the predicate.
  mutating func forget(on target: TargetName, where isForgotten: (IntentionRow) -> Bool) {
    guard counts[target] != nil else { return }
    forget { $0.target == target && isForgotten($0) }
  }

  /// Whether one of a target satisfies the predicate.
  func contains(on target: TargetName, where isMeant: (IntentionRow) -> Bool) -> Bool {
    counts[target] != nil && rows.contains { $0.target == target && isMeant($0) }
  }

  private mutating func discount(_ row: IntentionRow) {
    let left = (counts[row.target] ?? 1) - 1
    counts[row.target] = left > 0 ? left : nil
  }
}

/// How often something was refused, or came too late.
struct RefusalCounts {
  /// Writes that were not finite, or of an executor that may not write the property.
  var writes: UInt64 = 0
  /// Tokens whose executor held ``/MotionModel/Limits/tokensPerExecutor``.
  var tokens: UInt64 = 0
  /// Drivers that were late for a frame.
  var late: UInt64 = 0
}
