import MotionModel

/// The targets and plans whose changes have not been reported for checkpoints, in the order in which they first changed.
struct CheckpointLog {
  /// Whether changes are kept.
  var isKept = false
  private var touched: [Touched] = []

  /// Whether all changes have been reported, so that a checkpoint may be written.
  var isEmpty: Bool { touched.isEmpty }

  /// Notes that a target or a plan has changed and must be reported.
  mutating func touch(_ record: some Checkpointed) {
    guard isKept, !record.marks.contains(.touched) else { return }
    record.marks.insert(.touched)
    touched.append(record.touched)
  }

  /// Notes that a target is forgotten.
  mutating func touchGone(_ target: TargetRecord) { markGone(target) }

  /// Notes that a plan has ended. A target that was staged is reported with its plans; when they are gone before their
  /// turn, it is reported by itself.
  mutating func touchGone(_ plan: IntentionRecord) {
    if !plan.target.marks.contains(.told) { touch(plan.target) }
    markGone(plan)
  }

  /// Gives a plan another place in the order of additions. For a reader of the changes it is another plan.
  mutating func renumber(_ plan: IntentionRecord, order: UInt64) {
    if plan.marks.contains(.told) {
      touched.append(.former(order: plan.order))
      plan.marks.remove(.told)
    }
    plan.number(order: order)
    touch(plan)
  }

  private mutating func markGone(_ record: some Checkpointed) {
    guard isKept else { return }
    record.marks.insert(.gone)
    touch(record)
  }

  /// Notes that staged plans were added, one for each of these operations.
  mutating func touch(_ sequence: UInt64, _ operations: Range<UInt32>) {
    if isKept { touched.append(.run(sequence: sequence, operations: operations)) }
  }

  /// Reports everything again. Linear only in what compositions have emitted.
  mutating func touchEverything(emitted: some Sequence<IntentionRecord>) {
    guard isKept else { return }
    for record in emitted { touch(record) }
    touched += [.targets(from: 0), .plans(from: 0)]
  }

  /// Takes out the additions, changes and removals since the last call, oldest first, at most `limit` of them; `nil` if
  /// there are none. Linear in their number.
  mutating func take(atMost limit: Int, from plans: Plans) -> CheckpointChanges? {
    guard !touched.isEmpty else { return nil }
    var collection = CheckpointCollection(plans)
    var (taken, left) = (0, limit)
    while taken < touched.count, left > 0 {
      switch touched[taken] {
      case .target(let record):
        collection.add(record)
        left -= 1
      case .plan(let record):
        collection.add(record)
        left -= 1
      case .former(let order):
        collection.changes.plans.append(.gone(order: order))
        left -= 1
      case .run(let sequence, let operations):
        let now = operations.prefix(left)
        for operation in now { collection.add(sequence, operation) }
        left -= now.count
        guard now.count == operations.count else {
          touched[taken] = .run(sequence: sequence, operations: now.endIndex..<operations.upperBound)
          continue
        }
      case .targets(let first):
        let end = min(first + left, plans.targets.numbers)
        for number in first..<max(first, end) { collection.addAgain(plans.targets[number]) }
        left -= max(0, end - first)
        guard end >= plans.targets.numbers else {
          touched[taken] = .targets(from: end)
          continue
        }
      case .plans(let first):
        var page = first
        while page < plans.intentions.pageNumbers, left > 0 {
          let records = plans.intentions.records(onPage: page)
          for record in records { collection.addAgain(record) }
          left -= max(1, records.count)
          page += 1
        }
        guard page >= plans.intentions.pageNumbers else {
          touched[taken] = .plans(from: page)
          continue
        }
      }
      taken += 1
    }
    touched.removeFirst(taken)
    return collection.changes
  }
}

/// Collects changes for one report, with the present content of what changed.
private struct CheckpointCollection {
  private let plans: Plans
  var changes = CheckpointChanges()

  init(_ plans: Plans) { self.plans = plans }

  mutating func add(_ record: TargetRecord) {
    switch record.marks.takeEvents() {
    case .kept: changes.targets.append(kept(record))
    case .gone: changes.targets.append(.forgotten(ordinal: record.ordinal))
    case .nothing: break
    }
  }

  /// Reports a target whether or not it was reported before. A touched target is reported in its turn, and a staged
  /// target has no name yet.
  mutating func addAgain(_ record: TargetRecord?) {
    guard let record, !record.marks.contains(.touched), plans.targets[record.name] === record else { return }
    record.marks = .told
    changes.targets.append(kept(record))
  }

  mutating func addAgain(_ record: IntentionRecord?) {
    guard let record, !record.marks.contains(.touched) else { return }
    record.marks = .told
    changes.plans.append(.kept(order: record.order, record.checkpointed))
  }

  private func kept(_ record: TargetRecord) -> CheckpointChanges.TargetChange {
    var places: [RuntimeCheckpoint.Place] = []
    for slot in record.slots {
      let row = plans.movement.properties.columns.rows[slot]
      let reference = plans.movement.properties[slot].reference
      places.append(
        .init(
          reference.property, first: row.first, lanes: row.lanes, limits: plans.movement.properties.limits[reference]))
    }
    return .kept(ordinal: record.ordinal, record.name, places)
  }

  mutating func add(_ record: IntentionRecord) {
    switch record.marks.takeEvents() {
    case .kept: changes.plans.append(.kept(order: record.order, record.checkpointed))
    case .gone: changes.plans.append(.gone(order: record.order))
    case .nothing: break
    }
  }

  /// Reports a staged plan, and its target if that was staged, too. If either was touched besides, it is reported again
  /// in its turn. Plans that no longer exist need no report.
  mutating func add(_ sequence: UInt64, _ operation: UInt32) {
    guard let record = plans.intentions[IntentionIdentity(sequence: sequence, operation: operation)] else { return }
    if !record.target.marks.contains(.told) {
      record.target.marks.insert(.told)
      changes.targets.append(kept(record.target))
    }
    guard !record.marks.contains(.told) else { return }
    record.marks.insert(.told)
    changes.plans.append(.kept(order: record.order, record.checkpointed))
  }
}
