import MotionModel

/// Finds the plans of a large transaction that later plans of the same transaction displace before they begin. Of
/// several one-shots on one property, without a name and without an initial velocity, only the last is handed to its
/// executor.
///
/// It is computed operation by operation while the transaction is checked, or when it is applied, with the same result:
/// it depends on the log alone. The result for a target holds only if the target has the property when the transaction
/// begins (``Runtime/skipped(of:by:)``), because the first of the plans would create it otherwise.
struct Supersession {
  /// The plans of a property that may displace each other.
  private struct Row {
    let property: PropertyName
    let lanes: Int
    let type: ExecutorType
    var last: Int
  }

  private struct Entry {
    /// Whether the target was forgotten by then, and is created again if an operation follows.
    var isForgotten = false
    var rows = SmallList<Row>()

    /// Notes a plan.
    ///
    /// - Returns: the plan before it that it displaces.
    mutating func note(_ row: Row) -> Row? {
      guard !isForgotten else { return nil }
      guard let place = rows.firstIndex(where: { $0.property == row.property }), rows[place].lanes == row.lanes else {
        rows.removeAll { $0.property == row.property }
        rows.append(row)
        return nil
      }
      defer { rows[place] = row }
      return rows[place]
    }
  }

  /// The condition on a property under which the plans for it are superseded.
  struct Condition {
    let target: TargetName
    let property: PropertyName
    let lanes: Int
    let executor: ExecutorType
  }

  /// For each operation so far that is superseded, the place of its condition; below 0 for the others.
  private(set) var conditionOf: [Int32] = []
  private(set) var conditions: [Condition] = []
  private var placeOfCondition: [PropertyReference: Int32] = [:]
  private var entries: [TargetName: Entry] = [:]

  /// Nothing yet, of a log with so many operations.
  init(_ operations: Int) {
    conditionOf.reserveCapacity(operations)
  }

  /// Whether nothing is superseded.
  var isEmpty: Bool { conditions.isEmpty }

  /// Notes the next operation.
  ///
  /// - Parameter reading: its plan, if it adds one that could be read.
  mutating func note(_ operation: Transaction.Operation, _ reading: PlanReading?) {
    conditionOf.append(-1)
    let target = operation.target
    guard case .add(_, nil, _) = operation, let reading, let row = Self.row(of: reading, conditionOf.count - 1) else {
      // Any other operation on the target separates the plans before it from those after it.
      entries[target]?.rows = SmallList()
      if case .forget = operation { entries[target, default: Entry()].isForgotten = true }
      return
    }
    if let former = entries[target, default: Entry()].note(row) { supersede(former, of: target) }
  }

  private mutating func supersede(_ row: Row, of target: TargetName) {
    let reference = PropertyReference(target, row.property)
    if let known = placeOfCondition[reference], conditions[Int(known)].lanes == row.lanes {
      return conditionOf[row.last] = known
    }
    conditions.append(Condition(target: target, property: row.property, lanes: row.lanes, executor: row.type))
    placeOfCondition[reference] = Int32(conditions.count - 1)
    conditionOf[row.last] = Int32(conditions.count - 1)
  }

  /// The row of a plan that can be displaced by another of its kind without a trace.
  private static func row(of reading: PlanReading, _ index: Int) -> Row? {
    guard reading.isForce, !reading.mayRead, reading.kind == .oneShot, reading.written.count == 1,
      let law = try? reading.force(), law.isOneShot, law.initialVelocity == nil, law.follows == nil,
      let lanes = reading.requirements.first(where: { $0.property == reading.written[0] })?.lanes
    else { return nil }
    return Row(property: reading.written[0], lanes: lanes, type: reading.entry.description.executor, last: index)
  }
}

/// Plans that ended before they began, and have yet to be reported: in one frame not more than
/// ``Runtime/arrivalsPerFrame``.
struct SupersededPlans {
  private struct Batch {
    let transaction: Transaction
    let sequence: UInt64
    let frame: UInt64
    let isSkipped: [Bool]
    var next = 0
  }

  private var batches: [Batch] = []

  /// Whether all were taken.
  var isEmpty: Bool { batches.isEmpty }

  /// Keeps those operations of a transaction.
  mutating func add(_ transaction: Transaction, sequence: UInt64, frame: UInt64, _ isSkipped: [Bool]) {
    batches.append(Batch(transaction: transaction, sequence: sequence, frame: frame, isSkipped: isSkipped))
  }

  /// Takes out the next ones, in order, at most so many.
  ///
  /// - Returns: the transactions of which all were taken: releasing one takes as long as applying it.
  mutating func take(_ count: Int, _ body: (EndedIntention, Intention) -> Void) -> [Transaction] {
    var (left, done) = (count, [Transaction]())
    while left > 0, !batches.isEmpty {
      while left > 0, batches[0].next < batches[0].isSkipped.count {
        let (operation, batch) = (batches[0].next, batches[0])
        batches[0].next += 1
        guard batch.isSkipped[operation],
          case .add(let intention, let name, let target) = batch.transaction.log[operation]
        else { continue }
        left -= 1
        let identity = IntentionIdentity(sequence: batch.sequence, operation: UInt32(operation))
        body(
          EndedIntention(
            identity: identity, target: target, type: intention.type, name: name, frame: batch.frame,
            outcome: .displaced, reason: ""), intention)
      }
      if batches[0].next == batches[0].isSkipped.count { done.append(batches.removeFirst().transaction) }
    }
    return done
  }
}

extension Runtime {
  /// The operations of a large transaction that are skipped if it is applied now, because later ones displace them;
  /// `nil` if there are none.
  func skipped(of transaction: Transaction, by found: Supersession?) -> [Bool]? {
    guard transaction.log.count >= fewestStaged else { return nil }
    let supersession = found ?? supersession(of: transaction)
    guard !supersession.isEmpty else { return nil }
    let slots = supersession.conditions.map(slot)
    var isSkipped = [Bool](repeating: false, count: transaction.log.count)
    var isAny = false
    for (index, condition) in supersession.conditionOf.enumerated() where condition >= 0 {
      guard slots[Int(condition)] != nil else { continue }
      (isSkipped[index], isAny) = (true, true)
    }
    return isAny ? isSkipped : nil
  }

  private func supersession(of transaction: Transaction) -> Supersession {
    var supersession = Supersession(transaction.log.count)
    for operation in transaction.log {
      var reading: PlanReading?
      if case .add(let intention, nil, _) = operation { reading = read(intention) }
      supersession.note(operation, reading)
    }
    return supersession
  }

  /// The property that fulfils a condition.
  private func slot(_ condition: Supersession.Condition) -> PropertyTable.Slot? {
    guard let target = targets[condition.target], let slot = slot(of: condition.property, on: target),
      properties.lanes(at: slot) == condition.lanes,
      target.executors.contains(where: { executors[$0]?.type == condition.executor })
    else { return nil }
    return slot
  }

  /// Reports plans of large transactions that ended before they began.
  func reportSuperseded() {
    guard !superseded.isEmpty else { return }
    let done = superseded.take(Runtime.arrivalsPerFrame) { plan, intention in
      guard let reading = read(intention) else { return }
      let key = ExecutorKey(plan.target, reading.entry.description.executor)
      report(plan, of: intention, kind: reading.kind, key, by: nil)
    }
    spent += done.map { SpentTransaction(nil, of: $0) }
  }
}
