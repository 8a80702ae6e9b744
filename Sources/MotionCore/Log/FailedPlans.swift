import MotionModel

/// The latest failed plans, for queries.
struct FailedPlans {
  /// See ``Runtime/failuresKept``.
  static let kept = 1000

  /// The plans, the newest last; at most twice as many as are kept.
  private(set) var rows: [IntentionRow] = []

  /// Keeps a plan, and drops the oldest: half at a time, so that the amortised cost is small.
  mutating func append(_ row: IntentionRow) {
    rows.append(row)
    if rows.count >= 2 * Self.kept { rows.removeFirst(Self.kept) }
  }

  /// Drops the plans that satisfy the predicate.
  mutating func forget(where isForgotten: (IntentionRow) -> Bool) { rows.removeAll(where: isForgotten) }
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
