import MotionModel
import MotionPhysics

/// Continues another runtime to the bit from a snapshot, in an unused one.
///
/// The records come first: targets, properties, executors and plans under their numbers. Then what each of them holds is
/// read and checked: a snapshot of a file may name what there is not.
struct SnapshotRestoration {
  let runtime: Runtime
  let snapshot: RuntimeSnapshot
  var bytes: SnapshotReader
  /// The executors, in the order in which they were written.
  var executors: [ExecutorRecord] = []
  /// Whether it has the clients of stops.
  var hasStoppers = true
  /// Whether workers have the states that are on their way to them.
  var hasReads = true
  /// Whether it has the demands beyond ranges.
  var hasHolds = true
  /// The empty slots of the other runtime, and the numbers that it gave out last.
  private var free: [UInt32] = []
  private var highestHandle: UInt32 = 0
  private var last = (executor: UInt32(0), handle: UInt32(0), order: UInt64(0))

  var checkpoint: RuntimeCheckpoint { snapshot.checkpoint }
  var plans: Plans { runtime.plans }
  var movement: Movement { runtime.movement }
  var drivers: Drivers { runtime.drivers }

  init(_ snapshot: RuntimeSnapshot, in runtime: Runtime) {
    (self.snapshot, self.runtime) = (snapshot, runtime)
    bytes = SnapshotReader(snapshot.details)
  }

  /// Restores everything.
  mutating func run() throws {
    let version = try bytes.number()
    guard (SnapshotCapture.oldest...SnapshotCapture.version).contains(version) else { throw SnapshotUnknown() }
    (hasStoppers, hasReads, hasHolds) = (version > 2, version > 3, version > 4)
    // Others follow it.
    guard checkpoint.frame.number <= PropertyChanges.lastFrame else { throw bytes.damage }
    try restorePosition()
    runtime.position.phase = .changing(isStored: true)
    defer { runtime.position.phase = .idle }
    movement.properties.begin(checkpoint.frame.number)
    movement.properties.makeEmptySlots(checkpoint.targets.reduce(free.count) { $0 + $1.properties.count })
    for limit in checkpoint.limits { runtime.transactions.restore(limit) }
    for row in checkpoint.groups { runtime.plans.groups.set(row.group, row.members) }
    for target in checkpoint.targets { try restore(target) }
    for plan in checkpoint.plans { try restore(plan) }
    try restoreWorkers()
    for record in executors { try restore(record) }
    for target in checkpoint.targets {
      guard let record = plans.targets[target.name] else { continue }
      for slot in record.slots { try restore(slot) }
    }
    try restoreLists()
    guard bytes.isAtEnd else { throw bytes.damage }
    // Numbers given out so far, and room for others: none may be given out twice, or overflow.
    guard last.executor >= executors.map(\.handle.rawValue).max() ?? 0, last.handle >= highestHandle,
      last.order >= plans.last.order, last.executor < UInt32.max - (1 << 20), last.handle < UInt32.max - (1 << 20),
      last.order <= UInt64.max / 2, plans.last.sequence <= UInt64.max / 2
    else { throw bytes.damage }
    (plans.last.executor, movement.properties.lastHandle, plans.last.order) = last
    guard free.allSatisfy({ movement.properties.offer($0) }) else { throw bytes.damage }
    movement.properties.free = free
    restoreWaiting()
    // Its writers are settled.
    for slot in movement.unsettled { movement.properties[slot].isUnsettled = false }
    movement.unsettled = []
    movement.properties.end()
    for record in executors { runtime.activity.refresh(record) }
    runtime.activity.refresh()
  }

  private mutating func restorePosition() throws {
    let (moment, time) = (try bytes.frame(), try bytes.double())
    runtime.position.restore(checkpoint.frame, moment: moment, timeOfState: time)
    drivers.moves.hasStoodStill = try bytes.flag()
    plans.last.sequence = checkpoint.lastSequence
    last = (try bytes.number32(), try bytes.number32(), try bytes.number())
    (runtime.queue.lastApplied, runtime.queue.lastStored) = (try bytes.number(), try bytes.number())
    runtime.log.refusals = RefusalCounts(
      writes: try bytes.number(), tokens: try bytes.number(), late: try bytes.number())
    movement.properties.governors.entries = try bytes.number()
    free = try bytes.list { try $0.number32() }
  }

  // MARK: Records

  private mutating func restore(_ target: RuntimeCheckpoint.Target) throws {
    guard plans.targets[target.name] == nil else { throw bytes.damage }
    let record = drivers.makeTarget(target.name)
    for property in target.properties {
      let (number, handle, frame) = (try bytes.number32(), try bytes.number32(), try bytes.number())
      guard movement.properties.offer(number), handle > 0, movement.properties.slot(of: PropertyHandle(handle)) == nil,
        plans.slot(of: property.name, on: record) == nil, frame <= PropertyChanges.lastFrame
      else { throw bytes.damage }
      movement.properties.lastHandle = handle - 1
      highestHandle = max(highestHandle, handle)
      if let limits = property.limits {
        runtime.transactions.restore(.init(PropertyReference(target.name, property.name), limits))
      }
      let slot = plans.makeSlot(property.name, lanes: property.state.value.count, on: record)
      movement.properties.place(slot, at: property.state)
      movement.properties.changes.restore(slot, changedIn: frame)
    }
    for _ in 0..<(try bytes.count()) {
      let handle = try bytes.executor()
      guard handle.rawValue > 0, plans.executors[handle] == nil, let type = try? ExecutorType(try bytes.text()) else {
        throw bytes.damage
      }
      plans.last.executor = handle.rawValue - 1
      executors.append(drivers.makeExecutor(type, on: record, in: try bytes.optional { try $0.worker() }))
    }
  }

  private mutating func restore(_ plan: RuntimeCheckpoint.Plan) throws {
    guard let state = IntentionRow.State(number: try bytes.number(below: 3)), plans.intentions[plan.identity] == nil,
      let target = plans.targets[plan.target]
    else { throw bytes.damage }
    guard
      let reading = drivers.readAgain(
        plan.intention, named: plan.name, on: plan.target, as: plan.identity, by: plan.provenance)
    else { throw SnapshotUnknown(plan.intention.type) }
    let type = reading.entry.description.executor
    guard let executor = plans.executorsInOrder(on: plan.target).first(where: { $0.type == type })
    else { throw bytes.damage }
    let placement = try plans.place(reading, on: plan.target, target, hasBegun: true)
    var slots = SmallList<PropertyTable.Slot>()
    for index in 0..<placement.written {
      guard let slot = plans.slot(of: placement.properties[index].name, on: target) else { throw bytes.damage }
      slots.append(slot)
    }
    let record = runtime.transactions.makeRecord(of: plan, reading, on: target, executor.handle, slots)
    guard record.begins == nil || state == .waiting else { throw bytes.damage }
    drivers.note(record, of: executor, waits: state == .waiting)
    if state != .waiting { for slot in slots { movement.properties[slot].stack.wake(record.identity) } }
    record.state = state
    // Executors of this process that keep no state of their own here begin again from the plan's start.
    let keepsState = !executor.abilities.isDisjoint(with: [.moves, .follows, .waves])
    if state == .added, executor.executor != nil, !keepsState, reading.parts == nil {
      drivers.handOver(record, to: executor, reading)
    }
  }

  /// Transactions that wait for their time wait on.
  private func restoreWaiting() {
    for entry in checkpoint.waiting.sorted(by: { ($0.at, $0.sequence) < ($1.at, $1.sequence) }) {
      plans.provenances.accept(entry.provenance, as: entry.sequence)
      runtime.queue.waiting.insert(
        .init(
          at: entry.at, sequence: entry.sequence, transaction: entry.transaction, by: entry.provenance,
          isStored: false))
    }
  }
}

/// The error for a snapshot that this version cannot read, or whose plans it does not know.
struct SnapshotUnknown: Error, CustomStringConvertible {
  var type: IntentionType?

  init(_ type: IntentionType? = nil) { self.type = type }

  var description: String {
    type.map { "the snapshot has a plan of type \($0), which is not known here" }
      ?? "the snapshot was written by another version"
  }
}
