import MotionModel
import MotionPhysics

/// The additions of a transaction, prepared in small pieces before its frame and invisible until then. The frame that
/// applies the transaction switches them in.
///
/// Staging is only a forecast: it changes no bit of the results, only the duration of the frame that applies the
/// transaction. So it contains only plans whose result is certain: plans of forces on targets that do not exist, each
/// on a property of its own. All other plans are applied by that frame in the usual way, in their place in the log. So
/// are plans that a change of the runtime has invalidated meanwhile.
final class StagedTransaction {
  /// A plan with its property and its motion.
  struct Row {
    /// Its index in the log.
    let operation: UInt32
    let slot: UInt32
    /// Its entry in the bank, which is reserved.
    let motion: SpringBank.Handle
    let target: UInt32
    /// The row before it of the same target; ``none`` if it is the first, which creates target and executor.
    let former: UInt32
    var isDropped = false

    static let none = UInt32.max
    var isFirst: Bool { former == Self.none }
  }

  /// A target's one executor, and the target's other staging data.
  struct Making {
    /// `nil` once the runtime has taken it.
    var executor: ExecutorRecord?
    var handle: ExecutorHandle
    /// Its number in the runtime's table of targets, in which it is hidden.
    let number: UInt32
    let hash: NameHash
    var lastRow = Row.none
    var isDropped = false
  }

  /// How many operations its transaction has.
  let operations: Int
  /// The latest numbers when staging began: staged records are numbered as if nothing were added in between.
  private let lastNumbers: LastNumbers
  private weak var plans: Plans?
  @exclusivity(unchecked) private(set) var rows: [Row] = []
  /// The targets, by name and by number.
  @exclusivity(unchecked) private var targets = NameTable<TargetRecord>()
  /// Their staging data, by the same number.
  @exclusivity(unchecked) private(set) var makings: [Making] = []
  /// The plans, page by page as the table of intentions has them.
  @exclusivity(unchecked) private var pages: [[IntentionRecord?]] = []
  /// The part that the plans share: their time begins with the frame that applies them.
  let common = IntentionRecord.Common()
  /// How many plans were added so far, staged or not: each takes a place in the order of all.
  private var additions: UInt64 = 0
  /// Whether the runtime owns its content by now.
  private var isApplied = false
  /// What else was computed of its operations so far; `nil` if that no longer holds.
  var prepared: PreparedOperations?
  /// Whether a part was renumbered: then all that follows has to be.
  private(set) var isRenumbered = false

  /// Begins to stage a transaction of so many operations.
  init(_ operations: Int, in plans: Plans) {
    (self.operations, self.plans) = (operations, plans)
    lastNumbers = plans.last
    prepared = PreparedOperations(operations)
    rows.reserveCapacity(operations)
    makings.reserveCapacity(operations)
    targets.reserve(operations)
    plans.targets.reserve(plans.targets.count + operations)
  }

  deinit {
    guard !isApplied, let plans else { return }
    for row in rows where !row.isDropped {
      release(row, of: plans)
      if row.isFirst { plans.targets.removeHidden(makings[Int(row.target)].number) }
    }
  }

  // MARK: Rows

  /// How many targets it creates, including those that are left to the frame.
  var targetCount: Int { makings.count }

  /// The number of a target, whether it is staged or left to the frame.
  func number(of target: TargetName, _ hash: NameHash) -> Int? { targets.number(of: target, hash) }

  /// Whether a target is left to the frame.
  func hasLeft(_ number: Int) -> Bool { makings[number].isDropped }

  /// Touches the place of a name; see ``NameTable/touch(_:)``.
  func touch(_ hash: NameHash) -> UInt64 { targets.touch(hash) }

  /// Counts a plan that was added without being staged.
  func pass() { additions += 1 }

  /// Adds a plan, unless only the frame can determine its result.
  ///
  /// - Parameters:
  ///   - placement: its place, found as if the target existed.
  ///   - known: the number of the target, if it is staged already.
  /// - Returns: whether it is staged; if not, its whole target has to be left to the frame.
  func add(
    _ reading: PlanReading, named name: IntentionName?, _ placement: Placement, operation: Int,
    to target: TargetName, _ hash: NameHash, known: Int?, in plans: Plans
  ) -> Bool {
    guard isForeseeable(reading, named: name, placement, known, in: plans), let law = try? reading.force() else {
      return false
    }
    let number = known ?? makeTarget(target, reading, hash, in: plans)
    guard let record = targets[number], let executor = makings[number].executor, let physics = executor.physics,
      executor.type == reading.entry.description.executor
    else { return false }
    let identity = IntentionIdentity(sequence: lastNumbers.sequence + 1, operation: UInt32(operation))
    let (property, lanes) = placement.properties[0]
    let entry = PropertyTable.Entry(
      drivenFromTheStart: PropertyReference(target, property), by: executor.handle, identity, reading.kind)
    let slot = plans.movement.properties.reserveSlot(
      for: entry, lanes: lanes, velocity: law.initialVelocity?.storage ?? .zero)
    guard let motion = physics.stage(law, as: identity, on: slot, of: property) else {
      plans.movement.properties.releaseSlot(slot)
      if known == nil { leave(number) }
      return false
    }
    additions += 1
    rows.append(
      Row(
        operation: UInt32(operation), slot: UInt32(slot), motion: motion, target: UInt32(number),
        former: makings[number].lastRow))
    makings[number].lastRow = UInt32(rows.count - 1)
    record.slots.append(slot)
    record.intentions += 1
    if let name { record.names[name] = identity }
    executor.intentions.append(identity)
    let plan = IntentionRecord(
      reading, as: identity, named: name, on: record, executor: executor.handle, slots: [slot],
      order: lastNumbers.order + additions, sharing: common)
    plan.state = .added
    keep(plan, operation)
    return true
  }

  /// Whether a plan has the result that it would have on an empty target.
  private func isForeseeable(
    _ reading: PlanReading, named name: IntentionName?, _ placement: Placement, _ known: Int?, in plans: Plans
  ) -> Bool {
    guard reading.isForce, reading.intention.priority == 0, reading.delay == 0, !reading.mayRead,
      placement.written == 1,
      placement.properties.count == 1,
      plans.hasNumbers(executors: 1, properties: Limits.propertiesPerTarget)
    else {
      return false
    }
    guard let known, let record = targets[known] else { return true }
    // A second plan of one property, or of one name, changes the effect of the first one.
    let property = placement.properties[0].name
    return !record.slots.contains { plans.movement.properties.reservedReference(at: $0).property == property }
      && name.map { record.names[$0] == nil } ?? true
  }

  private func makeTarget(_ name: TargetName, _ reading: PlanReading, _ hash: NameHash, in plans: Plans) -> Int {
    let count = makings.count + 1
    let record = TargetRecord(name, ordinal: lastNumbers.target + UInt64(count))
    let handle = ExecutorHandle(lastNumbers.executor + UInt32(count))
    let executor = ExecutorRecord(
      type: reading.entry.description.executor, on: record, handle: handle,
      physics: PhysicsExecutor(handle: handle, in: plans.movement), abilities: .ofPhysics)
    record.executors = [handle]
    targets.insert(record, hash)
    makings.append(Making(executor: executor, handle: handle, number: plans.targets.hide(record), hash: hash))
    return count - 1
  }

  private func keep(_ plan: IntentionRecord, _ operation: Int) {
    let (page, index) = operation.quotientAndRemainder(dividingBy: IntentionTable.pageCount)
    while page >= pages.count {
      pages.append([])
      pages[pages.count - 1].reserveCapacity(IntentionTable.pageCount)
    }
    while index > pages[page].count { pages[page].append(nil) }
    pages[page].append(plan)
  }

  // MARK: Parts left to the frame

  /// Leaves a target to the frame that applies the transaction.
  func leave(_ number: Int) {
    guard !isApplied, !makings[number].isDropped, let plans else { return }
    makings[number].isDropped = true
    plans.targets.removeHidden(makings[number].number)
    var next = makings[number].lastRow
    while next != Row.none {
      let row = rows[Int(next)]
      release(row, of: plans)
      rows[Int(next)].isDropped = true
      let (page, index) = Int(row.operation).quotientAndRemainder(dividingBy: IntentionTable.pageCount)
      pages[page][index] = nil
      next = row.former
    }
  }

  /// Leaves a target to the frame because the runtime has created it meanwhile: its forecast no longer holds.
  func targetWasMade(_ name: TargetName, _ hash: NameHash) {
    if let number = number(of: name, hash) { leave(number) }
  }

  /// Leaves everything to the frame, which reads every plan again: another executor may fulfil it by now.
  func registryDidChange() {
    leaveEverything()
    prepared = nil
  }

  /// Leaves everything to the frame.
  func leaveEverything() {
    for number in makings.indices { leave(number) }
  }

  /// Removes so many of its rows, the last first, because its transaction will not be applied.
  ///
  /// - Returns: whether none is left.
  func giveUp(_ count: Int) -> Bool {
    guard let plans else { return true }
    for _ in 0..<min(count, rows.count) {
      let row = rows.removeLast()
      guard !row.isDropped else { continue }
      release(row, of: plans)
      let (page, index) = Int(row.operation).quotientAndRemainder(dividingBy: IntentionTable.pageCount)
      pages[page][index] = nil
      if row.isFirst {
        let number = Int(row.target)
        makings[number].isDropped = true
        makings[number].executor = nil
        plans.targets.removeHidden(makings[number].number)
      }
    }
    return rows.isEmpty
  }

  /// Leaves targets to the frame between whose plans an operation is applied in the usual way, which has to find the
  /// target in its state at that point. These are all targets whose plans are not consecutive, unless everything is
  /// staged.
  func leaveScattered() {
    guard rows.count < operations || rows.contains(where: \.isDropped) else { return }
    for (index, row) in rows.enumerated() where !row.isFirst && !row.isDropped {
      let isBehind = Int(row.former) + 1 == index && rows[Int(row.former)].operation + 1 == row.operation
      if !isBehind { leave(Int(row.target)) }
    }
  }

  private func release(_ row: Row, of plans: Plans) {
    plans.movement.bank.release(row.motion)
    plans.movement.properties.releaseSlot(Int(row.slot))
  }

  /// The outlook on a staged target after its operations so far, for a check that continues without staging it.
  func outlook(on number: Int, in plans: Plans) -> TargetOutlook {
    guard let record = targets[number] else { preconditionFailure("staged target \(number) was handed over") }
    let outlook = TargetOutlook(record.name)
    outlook.isMet = true
    for slot in record.slots {
      outlook.made.append(
        (plans.movement.properties.reservedReference(at: slot).property, plans.movement.properties.lanes(at: slot)))
    }
    for name in record.names.keys { outlook.names[name] = true }
    outlook.addedIntentions = record.intentions
    return outlook
  }

  // MARK: Applying

  /// Hands the plans over, page by page, with the number of plans on each page: the runtime owns them from now on.
  func takePages() -> [(records: [IntentionRecord?], count: Int)] {
    isApplied = true
    var counts = [Int](repeating: 0, count: pages.count)
    for row in rows where !row.isDropped { counts[Int(row.operation) / IntentionTable.pageCount] += 1 }
    defer { pages = [] }
    return zip(pages, counts).map { ($0, $1) }
  }

  /// Hands an executor over; it counts no reference of an object that has not been accessed for a while.
  func takeExecutor(_ number: Int) -> ExecutorRecord? { makings[number].executor.take() }

  /// The name of a target.
  func name(of number: Int) -> TargetName? { targets[number]?.name }

  /// Whether the first rows of a run have the numbers that the runtime would give them now, and so the others, too.
  func isNumbered(_ run: Range<Int>, after last: LastNumbers, _ first: IntentionRecord) -> Bool {
    guard !isRenumbered, lastNumbers.sequence + 1 == last.sequence, first.order == last.order + 1 else { return false }
    guard let maker = rows[run].first(where: \.isFirst) else { return true }
    return targets[Int(maker.target)]?.ordinal == last.target + 1
      && makings[Int(maker.target)].handle.rawValue == last.executor + 1
  }

  /// Renumbers a target and its executor, which the runtime does not have yet.
  func number(_ number: Int, target ordinal: UInt64, executor: ExecutorHandle, sequence: UInt64) {
    isRenumbered = true
    makings[number].handle = executor
    makings[number].executor?.number(executor, sequence: sequence)
    targets[number]?.number(ordinal, executor: executor, sequence: sequence)
  }
}

extension PropertyTable.Entry {
  /// A property that a plan created, whose executor drives it.
  fileprivate init(
    drivenFromTheStart reference: PropertyReference, by executor: ExecutorHandle, _ identity: IntentionIdentity,
    _ kind: IntentionKind
  ) {
    self.init(reference: reference)
    stack.add(identity, kind: kind, executor: executor, isWaiting: false)
    (driver, leading, actor) = (executor, identity, executor)
  }
}
