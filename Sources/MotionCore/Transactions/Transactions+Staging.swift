import MotionModel
import MotionPhysics

extension Transactions {
  // MARK: The frame

  /// Applies a transaction of which a part is staged: the staged runs, and the operations between them, in order.
  ///
  /// - Parameter fates: what becomes of the operations, if any are left out.
  func apply(
    _ staged: StagedTransaction, of transaction: Transaction, sequence: UInt64, _ fates: [Supersession.Fate]?
  ) {
    // Only the usual path can determine which of them exceed a limit.
    let hasNumbers = plans.hasNumbers(
      executors: staged.operations, properties: staged.operations + Limits.propertiesPerTarget)
    if plans.targets.count + staged.targetCount > Limits.targets || !hasNumbers { staged.leaveEverything() }
    staged.leaveScattered()
    staged.common.adopt(plans.provenances.current)
    for (number, page) in staged.takePages().enumerated() {
      plans.intentions.adopt(page.records, count: page.count, sequence: sequence, page: number)
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
    staging.finish(staged)
    log.keep(SpentTransaction(staged, of: transaction))
  }

  /// Puts rows into the tables: from now on they are visible.
  private func link(_ run: Range<Int>, of staged: StagedTransaction, sequence: UInt64) {
    number(run, of: staged, sequence: sequence)
    let isAlone = staging.hasOnly(staged)
    for row in staged.rows[run] where row.isFirst {
      let target = Int(row.target)
      let (number, hash) = (staged.makings[target].number, staged.makings[target].hash)
      if !isAlone, let name = staged.name(of: target) { staging.targetWasMade(name, hash, by: staged) }
      plans.last.target += 1
      plans.targets.show(number, hash)
      plans.targetOrder.append(number, ordinal: plans.last.target)
    }
    // One table after the other: counting a reference stalls the processor until its outstanding memory accesses to the
    // previous table are done.
    for row in staged.rows[run] where row.isFirst {
      plans.last.executor += 1
      plans.executors[ExecutorHandle(plans.last.executor)] = staged.takeExecutor(Int(row.target))
    }
    for row in staged.rows[run] { movement.properties.showSlot(Int(row.slot)) }
    plans.last.order += UInt64(run.count)
    let first = staged.rows[run.lowerBound].operation
    plans.checkpoints.touch(sequence, first..<first + UInt32(run.count))
    staged.common.start = (position.moment.number, position.moment.start)
    if !plans.readers.isEmpty {
      for row in staged.rows[run] {
        movement.properties[Int(row.slot)].readers = plans.readers(of: movement.properties[Int(row.slot)].reference)
      }
    }
    staging.runs.append(StagedRun(transaction: staged, rows: run, position: movement.unsettled.count))
    if !log.keeps.isDisjoint(with: [.plans, .executors]) { logAdditions(of: run, in: staged, sequence) }
  }

  /// Numbers rows as if they were made now. They are numbered so already if nothing was added in between.
  private func number(_ run: Range<Int>, of staged: StagedTransaction, sequence: UInt64) {
    var last = plans.last
    last.sequence = sequence
    func plan(of row: StagedTransaction.Row) -> IntentionRecord? {
      plans.intentions[IntentionIdentity(sequence: sequence, operation: row.operation)]
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
      movement.properties.changeReserved(Int(row.slot)) { entry in
        entry.stack.number(handle, sequence: sequence)
        entry.leading?.sequence = sequence
        (entry.driver, entry.actor) = (handle, handle)
      }
    }
  }

  private func logAdditions(of run: Range<Int>, in staged: StagedTransaction, _ sequence: UInt64) {
    for row in staged.rows[run] {
      guard let record = plans.intentions[IntentionIdentity(sequence: sequence, operation: row.operation)],
        let executor = plans.executors[record.executor]
      else { continue }
      log.noteOperation(row.operation, of: sequence)
      if row.isFirst { log.note(.executors, .executorCreated(executor.key)) }
      drivers.logAddition(of: record, executor)
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
