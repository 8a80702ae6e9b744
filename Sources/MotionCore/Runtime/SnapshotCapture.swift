import MotionModel
import MotionPhysics

/// Writes what a checkpoint of a runtime lacks; ``SnapshotRestoration`` reads it in the same order.
struct SnapshotCapture {
  /// The format of the bytes: since 3 with the clients of stops, since 4 with the states on their way to workers, since 5
  /// with the demands beyond ranges.
  static let version: UInt64 = 5
  /// The oldest format that can be read.
  static let oldest: UInt64 = 2

  private let runtime: Runtime
  private var bytes = SnapshotWriter()

  private var position: FramePosition { runtime.position }
  private var plans: Plans { runtime.plans }
  private var movement: Movement { runtime.movement }
  private var workers: WorkerLedger { runtime.workers }
  private var retirement: Retirement { runtime.retirement }

  private init(_ runtime: Runtime) { self.runtime = runtime }

  /// The snapshot of a runtime that has nothing left over.
  static func capture(_ runtime: Runtime) -> RuntimeSnapshot {
    var capture = SnapshotCapture(runtime)
    capture.run()
    return RuntimeSnapshot(
      runtime.checkpoint(), quarantined: runtime.retirement.quarantinedPlans.map(RuntimeCheckpoint.Plan.init),
      details: capture.bytes.bytes)
  }

  private mutating func run() {
    let targets = plans.targets.map(\.value).sorted { $0.ordinal < $1.ordinal }
    let records = plans.intentions.map(\.value).sorted { $0.order < $1.order }
    bytes.write(Self.version)
    writePosition()
    for target in targets { writeContent(of: target) }
    for record in records { bytes.write(record.state.number) }
    writeWorkers()
    for target in targets { for record in executors(of: target) { write(record) } }
    for target in targets { for slot in target.slots { write(slot) } }
    writeLists()
  }

  private func executors(of target: TargetRecord) -> [ExecutorRecord] {
    target.executors.compactMap { plans.executors[$0] }
  }

  private mutating func writePosition() {
    bytes.write(position.moment)
    bytes.write(position.timeOfState)
    bytes.write(runtime.drivers.moves.hasStoodStill)
    for number in [
      UInt64(plans.last.executor), UInt64(movement.properties.lastHandle), plans.last.order, runtime.queue.lastApplied,
      runtime.queue.lastStored, runtime.log.refusals.writes, runtime.log.refusals.tokens, runtime.log.refusals.late,
      movement.properties.governors.entries,
    ] { bytes.write(number) }
    bytes.write(movement.properties.free) { $0.write(UInt64($1)) }
  }

  /// Writes the numbers of a target's properties and executors.
  private mutating func writeContent(of target: TargetRecord) {
    for slot in target.slots {
      bytes.write(slot)
      bytes.write(movement.handle(at: slot))
      bytes.write(movement.properties.changes.frame(of: slot))
    }
    bytes.write(executors(of: target)) { bytes, record in
      bytes.write(record.handle)
      bytes.write(record.type.text)
      bytes.write(record.worker) { $0.write($1) }
    }
  }

  private mutating func writeWorkers() {
    let movement = movement
    bytes.write(workers.records.sorted { $0.key < $1.key }) { bytes, entry in
      bytes.write(entry.key)
      bytes.write(entry.value.isProvisioned)
      for number in [entry.value.commandsSent, entry.value.lastFrame, entry.value.refusedWrites] { bytes.write(number) }
      bytes.write(entry.value.unacknowledged.sorted()) { $0.write($1) }
      bytes.write(entry.value.overdue.sorted()) { $0.write($1) }
      bytes.write(entry.value.reads.sent) { bytes, sent in
        bytes.write(sent.command)
        bytes.write(UInt64(sent.properties))
      }
      bytes.write(entry.value.reads.held.map { movement.handle(at: $0) }.sorted()) { $0.write($1) }
      bytes.write(entry.value.bisection) { bytes, bisection in
        bytes.write(bisection.since)
        bytes.write(bisection.tried.sorted()) { $0.write($1) }
        bytes.write(bisection.withheld.sorted()) { $0.write($1) }
      }
    }
    bytes.write(workers.quarantined.sorted { $0.key < $1.key }) { bytes, entry in
      bytes.write(entry.key.text)
      bytes.write(entry.value)
    }
  }

  private mutating func write(_ record: ExecutorRecord) {
    let movement = movement
    bytes.write(record.wantsUpdate)
    bytes.write(record.idleSince) { $0.write($1) }
    bytes.write(record.tokens.sorted { $0.key < $1.key }) { bytes, entry in
      bytes.write(entry.key.text)
      bytes.write(entry.value.slots) { $0.write(movement.handle(at: $1)) }
      let bases = entry.value.bases.map { (handle: movement.handle(at: $0.key), place: $0.value) }
      bytes.write(bases.sorted { $0.handle < $1.handle }) { bytes, base in
        bytes.write(base.handle)
        bytes.write(base.place)
      }
      bytes.write(entry.value.holdsWhatItWrites)
    }
    if record.worker != nil {
      bytes.write(record.unacknowledged) { $0.write($1) }
      for number in [record.askedIn, record.answeredIn, record.owesSince] { bytes.write(number) }
      bytes.write(record.silentSince) { $0.write($1) }
      // Of a property that was forgotten, nothing is left.
      let written = record.written.filter { movement.properties.columns.rows[$0].isOccupied }.map(movement.handle)
      bytes.write(written.sorted()) { $0.write($1) }
    }
    record.physics?.write(to: &bytes)
    record.follows?.write(to: &bytes)
    record.waves?.write(to: &bytes)
    record.moves?.write(to: &bytes)
  }

  private mutating func write(_ slot: PropertyTable.Slot) {
    let entry = movement.properties[slot]
    bytes.write(entry.driver) { $0.write($1) }
    bytes.write(entry.leading) { $0.write($1) }
    bytes.write(entry.leadingSince)
    bytes.write(entry.actor) { $0.write($1) }
    bytes.write(entry.silent) { $0.write($1) }
    bytes.write(entry.stack.isRanked)
    bytes.write(entry.stack.grips) { bytes, grip in
      bytes.write(grip.executor)
      bytes.write(grip.token) { $0.write($1.text) }
    }
    bytes.write(movement.properties.motions[slot]) { $1.write(to: &$0) }
    let isGoverned = movement.properties.governors.contains(slot)
    bytes.write(isGoverned)
    if isGoverned { movement.properties.governors.write(slot, to: &bytes) }
  }

  private mutating func writeLists() {
    let properties = movement.properties
    for slots in [movement.watched.filter(properties.isOccupied), properties.governors.activeSlots] {
      // Their order does not matter: each property moves by itself.
      bytes.write(slots.map { properties.handle(at: $0) }.sorted()) { $0.write(UInt64($1.rawValue)) }
    }
    bytes.write(plans.inputs.rows) { bytes, row in
      bytes.write(row.name.text)
      bytes.write(row.value)
      bytes.write(row.time)
      bytes.write(row.device.text)
      bytes.write(row.isHeld)
    }
    bytes.write(retirement.ending.sorted { $0.key < $1.key }) { bytes, entry in
      bytes.write(entry.key)
      bytes.write(entry.value.outcome.rawValue)
      bytes.write(entry.value.reason)
    }
    bytes.write(Array(retirement.lingering)) { $0.write($1) }
    properties.formerPlans.write(to: &bytes, handle: properties.handle)
    let held = properties.ranges.heldSlots.map { (handle: properties.handle(at: $0), slot: $0) }
    bytes.write(held.sorted { $0.handle < $1.handle }) { bytes, row in
      bytes.write(UInt64(row.handle.rawValue))
      bytes.write(properties.heldDemand(of: row.slot)) { $0.write($1) }
    }
  }
}

extension IntentionRow.State {
  /// Its number in snapshots; plans that have ended are not in any.
  var number: Int {
    switch self {
    case .waiting: 0
    case .owed: 1
    case .added, .failed: 2
    }
  }

  init?(number: Int) {
    switch number {
    case 0: self = .waiting
    case 1: self = .owed
    case 2: self = .added
    default: return nil
    }
  }
}

extension RuntimeCheckpoint.Plan {
  /// A plan that was quarantined.
  init(_ row: IntentionRow) {
    self.init(row.identity, row.intention, named: row.name, on: row.target)
    provenance = row.provenance
  }
}
