import MotionModel

/// The large transactions that are prepared before their frame, and those that a frame has switched in and that have yet
/// to move.
final class StagingArea {
  /// See ``Runtime/fewestStaged``.
  static let fewest = 1_000
  /// See ``Runtime/operationsStaged``.
  static let operationsStaged = 2 * Limits.operationsPerTransaction

  /// The fewest operations for which a transaction is staged: ``StagingArea/fewest-type.property``, except in tests.
  var fewest = StagingArea.fewest
  /// The staged parts of accepted transactions, by their sequence.
  private var accepted: [UInt64: StagedTransaction] = [:]
  /// All staged transactions: those that wait, and those that are only being checked.
  private var underWay: [WeakStagedTransaction] = []
  /// Rows that are applied and are settled in their turn.
  var runs: [StagedRun] = []
  /// Plans that ended before they began, and have not been reported yet.
  var superseded = SupersededPlans()

  /// A reference to a staged transaction that another object owns.
  private struct WeakStagedTransaction {
    weak var transaction: StagedTransaction?
  }

  /// How many operations are staged.
  var operations: Int { underWay.reduce(0) { $0 + ($1.transaction?.operations ?? 0) } }

  /// Registers a transaction that is being staged, so that it is notified of changes that invalidate its forecast.
  func register(_ staged: StagedTransaction) {
    underWay.removeAll { $0.transaction == nil }
    underWay.append(WeakStagedTransaction(transaction: staged))
  }

  /// Keeps the staged part of a transaction that has got its sequence.
  func accept(_ staged: StagedTransaction?, as sequence: UInt64) { accepted[sequence] = staged }

  /// Takes out the staged part of a transaction that is applied now.
  func take(_ sequence: UInt64) -> StagedTransaction? { accepted.removeValue(forKey: sequence) }

  /// Drops the staged parts of transactions that will not be applied.
  func drop(_ sequences: some Sequence<UInt64>) {
    guard !accepted.isEmpty else { return }
    for sequence in sequences { accepted[sequence] = nil }
  }

  /// Notifies staged transactions of a target that was made.
  func targetWasMade(_ target: TargetName, _ hash: NameHash, by applied: StagedTransaction? = nil) {
    for other in underWay where other.transaction !== applied { other.transaction?.targetWasMade(target, hash) }
  }

  /// Notifies staged transactions that types were registered or removed.
  func registryDidChange() {
    for entry in underWay { entry.transaction?.registryDidChange() }
  }

  /// Whether nothing but this transaction is staged.
  func hasOnly(_ staged: StagedTransaction) -> Bool {
    underWay.allSatisfy { $0.transaction == nil || $0.transaction === staged }
  }

  /// Whether nothing is staged.
  var isEmpty: Bool { underWay.isEmpty }

  /// A transaction has been applied.
  func finish(_ staged: StagedTransaction) { underWay.removeAll { $0.transaction === staged } }
}
