import MotionModel
import MotionPhysics

/// Rows of a staged transaction that are in the runtime and do not move yet.
struct StagedRun {
  let transaction: StagedTransaction
  let rows: Range<Int>
  /// How many properties were unsettled before it: it begins after these.
  let position: Int
}

/// What is left of a transaction that was staged and is applied: nobody looks at it any more, and letting go of its
/// hundred thousands of references takes as long as applying it. Whoever has a thread for that lets it go there.
package final class SpentTransaction: @unchecked Sendable {
  // Unchecked, because the runtime that applied it keeps no reference: whoever has this one lets it go, and does nothing
  // else with it. What it refers to and the runtime still has is only counted once less, which is atomic.
  private let staged: StagedTransaction?
  private let transaction: Transaction

  init(_ staged: StagedTransaction?, of transaction: Transaction) {
    (self.staged, self.transaction) = (staged, transaction)
  }
}

/// A staged transaction that somebody else keeps.
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

  /// A transaction is being staged: it hears of what the world overtakes.
  func register(_ staged: StagedTransaction) {
    staging.removeAll { $0.transaction == nil }
    staging.append(WeakStagedTransaction(transaction: staged))
  }

  /// Tells staged transactions of a target that was made.
  func tellStaging(of target: TargetName, _ hash: NameHash, except applied: StagedTransaction? = nil) {
    for other in staging where other.transaction !== applied { other.transaction?.targetWasMade(target, hash) }
  }

  /// The transactions of these sequences wait no longer: what is staged of them goes.
  func leaveStaged(_ sequences: some Sequence<UInt64>) {
    provenances.drop(sequences)
    guard !staged.isEmpty else { return }
    for sequence in sequences { staged[sequence] = nil }
  }

  /// A transaction that was accepted is not applied: what is staged of it goes.
  package func discard(_ accepted: AcceptedTransaction) {
    staged[accepted.sequence] = nil
    provenances.drop(CollectionOfOne(accepted.sequence))
  }

  /// Takes out what is left of the large transactions that the last frame applied; the next frame lets go of what nobody
  /// took.
  package func takeSpent() -> [SpentTransaction] {
    defer { spent = [] }
    return spent
  }

  // MARK: The frame

  /// The numbers that were given last.
  var lastNumbers: StagedNumbers {
    StagedNumbers(sequence: lastSequence, order: lastOrder, target: lastTarget, executor: lastExecutor)
  }

  /// Applies a transaction of which some is staged: run by run, and what is not staged between them, in order.
  ///
  /// - Parameter isSkipped: the operations that are left out, if any are.
  func apply(_ staged: StagedTransaction, of transaction: Transaction, sequence: UInt64, _ isSkipped: [Bool]?) {
    // Which of them are too many, only the usual way can say.
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
        apply(operation, of: transaction, sequence: sequence, isSkipped)
        operation += 1
      } else {
        link(run, of: staged, sequence: sequence)
        (operation, next) = (operation + run.count, run.upperBound)
      }
    }
    staging.removeAll { $0.transaction === staged }
    spent.append(SpentTransaction(staged, of: transaction))
  }

  /// Puts rows into the tables: from now on everybody sees them.
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
    // One table after the other: counting a reference makes the processor wait for what it still looks for in the last.
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

  /// Numbers rows as if they were made now, unless they are numbered so already, as they are if nothing came between.
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

  /// The motions of staged rows begin whose turn it is, when so many properties that were unsettled are settled.
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
  /// The rows, from `next` on, that are of one operation behind the other from `operation` on; empty if the operation
  /// is not staged.
  fileprivate func run(from next: Int, at operation: Int) -> Range<Int> {
    var end = next
    while end < rows.count, !rows[end].isDropped, Int(rows[end].operation) == operation + end - next { end += 1 }
    return next..<end
  }
}
