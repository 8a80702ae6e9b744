import MotionModel
import MotionPhysics

/// Rows of a staged transaction that are in the runtime and do not move yet.
struct StagedRun {
  let transaction: StagedTransaction
  let rows: Range<Int>
  /// How many properties were unsettled before the run: its motions begin after these are settled.
  let position: Int
}

/// The remains of a staged transaction that has been applied. The runtime no longer uses them, and releasing the
/// hundreds of thousands of references takes as long as applying the transaction. A caller with a thread for such work
/// releases them there.
package final class SpentTransaction: @unchecked Sendable {
  // Unchecked, because the runtime that applied the transaction keeps no reference. The owner of this object only
  // releases it. For objects that the runtime still holds, that only decrements a reference count, which is atomic.
  private let staged: StagedTransaction?
  private let transaction: Transaction

  init(_ staged: StagedTransaction?, of transaction: Transaction) {
    (self.staged, self.transaction) = (staged, transaction)
  }
}
