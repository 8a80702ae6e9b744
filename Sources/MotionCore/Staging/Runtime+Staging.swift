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

/// A reference to a staged transaction that another object owns.
struct WeakStagedTransaction {
  weak var transaction: StagedTransaction?
}

extension Runtime {
  // MARK: Before the frame

  /// Whether a transaction of so many operations is worth staging, and there is room.
  func stages(_ operations: Int) -> Bool {
    let underWay = staging.reduce(0) { $0 + ($1.transaction?.operations ?? 0) }
    return operations >= fewestStaged && underWay + operations <= Runtime.operationsStaged
      && hasNumbers(executors: operations, properties: operations)
  }

  /// Registers a transaction that is being staged, so that it is notified of changes that invalidate its forecast.
  func register(_ staged: StagedTransaction) {
    staging.removeAll { $0.transaction == nil }
    staging.append(WeakStagedTransaction(transaction: staged))
  }

  /// Notifies staged transactions of a target that was made.
  func tellStaging(of target: TargetName, _ hash: NameHash, except applied: StagedTransaction? = nil) {
    for other in staging where other.transaction !== applied { other.transaction?.targetWasMade(target, hash) }
  }

  /// Drops the staged parts of transactions that wait no longer.
  func leaveStaged(_ sequences: some Sequence<UInt64>) {
    provenances.drop(sequences)
    guard !staged.isEmpty else { return }
    for sequence in sequences { staged[sequence] = nil }
  }

  /// Drops the staged part of an accepted transaction that will not be applied.
  package func discard(_ accepted: AcceptedTransaction) {
    staged[accepted.sequence] = nil
    provenances.drop(CollectionOfOne(accepted.sequence))
  }

  /// Takes out the remains of the large transactions that the last frame applied. Remains that no caller takes are
  /// released by the next frame.
  package func takeSpent() -> [SpentTransaction] {
    defer { spent = [] }
    return spent
  }

  // MARK: The frame

  /// The latest numbers that were given out.
  var lastNumbers: StagedNumbers {
    StagedNumbers(sequence: lastSequence, order: lastOrder, target: lastTarget, executor: lastExecutor)
  }

  /// Applies a transaction of which a part is staged: the staged runs, and the operations between them, in order.
  ///
  /// - Parameter fates: what becomes of the operations, if any are left out.
  func apply(
    _ staged: StagedTransaction, of transaction: Transaction, sequence: UInt64, _ fates: [Supersession.Fate]?
  ) {
    // Only the usual path can determine which of them exceed a limit.
    let hasNumbers = hasNumbers(
      executors: staged.operations, properties: staged.operations + Limits.propertiesPerTarget)
    if targets.count + staged.targetCount > Limits.targets || !hasNumbers { staged.leaveEverything() }
    staged.leaveScattered()
    staged.common.adopt(provenances.current)
    for (number, page) in staged.takePages().enumerated() {
      intentions.adopt(page.records, count: page.count, sequence: sequence, page: number)
    }
    var (operation, next) = (0, 0)
    while operation < transaction.log.count {
      let run = staged.run(from: next, at: operation)
      if run.isEmpty {
        if next < staged.rows.count, staged.rows[next].operation == operation { next += 1 }
        apply(
          operation, of: transaction, sequence: sequence, fates, staged.prepared?.readings[operation])
        operation += 1
      } else {
        link(run, of: staged, sequence: sequence)
        (operation, next) = (operation + run.count, run.upperBound)
      }
    }
    staging.removeAll { $0.transaction === staged }
    spent.append(SpentTransaction(staged, of: transaction))
  }

  /// Puts rows into the tables: from now on they are visible.
  private func link(_ run: Range<Int>, of staged: StagedTransaction, sequence: UInt64) {
    number(run, of: staged, sequence: sequence)
    let isAlone = staging.allSatisfy { $0.transaction == nil || $0.transaction === staged }
    for row in staged.rows[run] where row.isFirst {
      let target = Int(row.target)
      let (number, hash) = (staged.makings[target].number, staged.makings[target].hash)
      if !isAlone, let name = staged.name(of: target) { tellStaging(of: name, hash, except: staged) }
      lastTarget += 1
      targets.show(number, hash)
      targetOrder.append(number, ordinal: lastTarget)
    }
    // One table after the other: counting a reference stalls the processor until its outstanding memory accesses to the
    // previous table are done.
    for row in staged.rows[run] where row.isFirst {
      lastExecutor += 1
      executors[ExecutorHandle(lastExecutor)] = staged.takeExecutor(Int(row.target))
    }
    for row in staged.rows[run] { properties.showSlot(Int(row.slot)) }
    lastOrder += UInt64(run.count)
    let first = staged.rows[run.lowerBound].operation
    touch(sequence, first..<first + UInt32(run.count))
    staged.common.start = (moment.number, moment.start)
    if !readers.isEmpty {
      for row in staged.rows[run] {
        properties[Int(row.slot)].isRead = readers[properties[Int(row.slot)].reference] != nil
      }
    }
    stagedRuns.append(StagedRun(transaction: staged, rows: run, position: unsettled.count))
    if !tracers.isEmpty { traceAdditions(of: run, in: staged, sequence) }
  }

  /// Numbers rows as if they were made now. They are numbered so already if nothing was added in between.
  private func number(_ run: Range<Int>, of staged: StagedTransaction, sequence: UInt64) {
    var last = lastNumbers
    last.sequence = sequence
    func plan(of row: StagedTransaction.Row) -> IntentionRecord? {
      intentions[IntentionIdentity(sequence: sequence, operation: row.operation)]
    }
    guard let first = plan(of: staged.rows[run.lowerBound]), !staged.isNumbered(run, after: last, first) else { return }
    for row in staged.rows[run] {
      last.order += 1
      if row.isFirst {
        (last.target, last.executor) = (last.target + 1, last.executor + 1)
        staged.number(
          Int(row.target), target: last.target, executor: ExecutorHandle(last.executor), sequence: sequence)
      }
      let handle = staged.makings[Int(row.target)].handle
      plan(of: row)?.number(sequence: sequence, executor: handle, order: last.order)
      properties.changeReserved(Int(row.slot)) { entry in
        entry.stack.number(handle, sequence: sequence)
        entry.leading?.sequence = sequence
        (entry.driver, entry.actor) = (handle, handle)
      }
    }
  }

  private func traceAdditions(of run: Range<Int>, in staged: StagedTransaction, _ sequence: UInt64) {
    for row in staged.rows[run] {
      guard let record = intentions[IntentionIdentity(sequence: sequence, operation: row.operation)],
        let executor = executors[record.executor]
      else { continue }
      if row.isFirst { trace(.didCreateExecutor(executor.key)) }
      traceAddition(of: record, executor)
    }
  }

  /// Begins the motions of staged rows whose turn it is once so many unsettled properties have been settled.
  func beginStaged(after settled: Int) {
    while let run = stagedRuns.first, run.position <= settled {
      stagedRuns.removeFirst()
      var beginning = SpringBank.Beginning(of: run.rows.count)
      for row in run.transaction.rows[run.rows] {
        let (_, value, velocity) = place(of: Int(row.slot))
        bank.begin(row.motion, value: value, velocity: velocity, in: &beginning)
        if keepsDriverChanges || !tracers.isEmpty { sayDriver(of: Int(row.slot), isAnother: true) }
      }
      bank.end(beginning)
    }
  }
}

extension StagedTransaction {
  /// The rows from `next` on that belong to consecutive operations from `operation` on; empty if the operation is not
  /// staged.
  fileprivate func run(from next: Int, at operation: Int) -> Range<Int> {
    var end = next
    while end < rows.count, !rows[end].isDropped, Int(rows[end].operation) == operation + end - next { end += 1 }
    return next..<end
  }
}
