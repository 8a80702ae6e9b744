import MotionModel
import MotionPhysics

/// What workers, executors and properties hold.
extension SnapshotRestoration {
  mutating func restoreWorkers() throws {
    let workers = runtime.workers
    for _ in 0..<(try bytes.count()) {
      let address = try bytes.worker()
      var record = workers.records[address] ?? WorkerRecord()
      record.isProvisioned = try bytes.flag()
      (record.commandsSent, record.lastFrame) = (try bytes.number(), try bytes.number())
      record.refusedWrites = try bytes.number()
      record.unacknowledged = Set(try bytes.list { try $0.executor() })
      record.overdue = Set(try bytes.list { try $0.executor() })
      if hasReads { record.reads = try reads() }
      record.bisection = try bytes.optional { bytes in
        WorkerRecord.Bisection(
          since: try bytes.double(), tried: Set(try bytes.list { try $0.identity() }),
          withheld: Set(try bytes.list { try $0.identity() }))
      }
      workers.records[address] = record
    }
    for _ in 0..<(try bytes.count()) {
      guard let plugin = try? PluginName(try bytes.text()) else { throw bytes.damage }
      workers.quarantined[plugin] = try bytes.text()
    }
  }

  private mutating func reads() throws -> ReadBacklog {
    var (sent, held): ([(command: UInt64, properties: Int)], Set<PropertyTable.Slot>) = ([], [])
    for _ in 0..<(try bytes.count()) {
      let command = try bytes.number()
      guard let properties = Int32(exactly: try bytes.number()), properties >= 0 else { throw bytes.damage }
      sent.append((command, Int(properties)))
    }
    for _ in 0..<(try bytes.count()) { held.insert(try slot()) }
    return ReadBacklog(sent, held: held)
  }

  // MARK: Executors

  mutating func restore(_ record: ExecutorRecord) throws {
    record.wantsUpdate = try bytes.flag()
    record.idleSince = try bytes.optional { try $0.double() }
    for _ in 0..<(try bytes.count()) {
      guard let name = try? TokenName(try bytes.text()), record.tokens[name] == nil else { throw bytes.damage }
      var token = ExecutorRecord.Token(slots: [], holdsWhatItWrites: false)
      for _ in 0..<(try bytes.count()) { token.slots.append(try slot()) }
      for _ in 0..<(try bytes.count()) {
        let slot = try slot()
        token.bases[slot] = try lanes(of: slot)
      }
      token.holdsWhatItWrites = try bytes.flag()
      record.tokens[name] = token
      runtime.activity.tokens += 1
    }
    if record.worker != nil {
      record.unacknowledged = try bytes.optional { try $0.number() }
      (record.askedIn, record.answeredIn) = (try bytes.number(), try bytes.number())
      record.owesSince = try bytes.number()
      record.silentSince = try bytes.optional { try $0.double() }
      record.written = []
      for _ in 0..<(try bytes.count()) { record.written.insert(try slot()) }
    }
    let plans = plans
    func planned(_ identity: IntentionIdentity) -> IntentionRecord? {
      plans.intentions[identity].flatMap { $0.executor == record.handle ? $0 : nil }
    }
    try record.physics?.restore(&bytes) { planned($0).flatMap { try? ForceLaw($0.intention) } }
    try record.follows?.restore(&bytes) { planned($0).flatMap { try? FollowIntention($0.intention) } }
    try record.waves?.restore(&bytes) {
      planned($0).flatMap { plan in
        (try? WaveIntention(plan.intention)).map { ($0, plan.start?.time ?? 0) }
      }
    }
    try record.moves?.restore(&bytes) { identity in
      planned(identity).flatMap { plan in
        plan.planned(from: plan.starts).map { ($0, plan.limits?.limits ?? PropertyLimits(), plan.duration) }
      }
    }
  }

  /// A property, by its handle.
  private mutating func slot() throws -> PropertyTable.Slot {
    guard let slot = movement.properties.slot(of: PropertyHandle(try bytes.number32())) else { throw bytes.damage }
    return slot
  }

  private mutating func lanes(of slot: PropertyTable.Slot) throws -> Lanes {
    let lanes = try bytes.lanes()
    guard lanes.count == movement.properties.lanes(at: slot) else { throw bytes.damage }
    return lanes
  }

  // MARK: Properties

  mutating func restore(_ slot: PropertyTable.Slot) throws {
    movement.properties[slot].driver = try bytes.optional { try $0.executor() }
    movement.properties[slot].leading = try bytes.optional { try $0.identity() }
    movement.properties[slot].leadingSince = try bytes.anyDouble()
    movement.properties[slot].actor = try bytes.optional { try $0.executor() }
    movement.properties[slot].silent = try bytes.list { try $0.executor() }
    let isRanked = try bytes.flag()
    let grips = try bytes.list { bytes in
      let executor = try bytes.executor()
      let token = try bytes.optional { bytes in
        guard let name = try? TokenName(try bytes.text()) else { throw bytes.damage }
        return name
      }
      return WriterStack.Grip(executor: executor, token: token)
    }
    movement.properties[slot].stack.restore(grips, isRanked: isRanked)
    if let motion = try bytes.optional({ try PropertyMotion(&$0) }) {
      guard motion.has(lanes: movement.properties.lanes(at: slot)) else { throw bytes.damage }
      movement.properties.motions[slot] = motion
    }
    let state = movement.properties.state(at: slot)
    if try bytes.flag() {
      try movement.properties.governors.restore(slot, from: state, &bytes)
      movement.properties.changes.flag(slot)
    } else if movement.properties.governors.contains(slot) {
      throw bytes.damage
    }
  }

  // MARK: Lists

  mutating func restoreLists() throws {
    for _ in 0..<(try bytes.count()) { movement.watch(try slot()) }
    var active: [PropertyTable.Slot] = []
    for _ in 0..<(try bytes.count()) { active.append(try slot()) }
    movement.properties.governors.restore(active: active)
    for _ in 0..<(try bytes.count()) {
      guard let name = try? InputName(try bytes.text()) else { throw bytes.damage }
      let (value, time) = (try bytes.lanes(), try bytes.double())
      guard let device = try? DeviceName(try bytes.text()) else { throw bytes.damage }
      let row = InputRow(name, value, time: time, device: device, isHeld: try bytes.flag())
      plans.inputs.restore(row)
      for record in executors { record.follows?.restore(row) }
    }
    var ending: [IntentionIdentity: (outcome: Outcome, reason: String)] = [:]
    for _ in 0..<(try bytes.count()) {
      let identity = try bytes.identity()
      guard let outcome = Outcome(rawValue: try bytes.text()) else { throw bytes.damage }
      ending[identity] = (outcome, try bytes.text())
    }
    let lingering = try bytes.list { try $0.identity() }
    runtime.retirement.restore(ending: ending, lingering: lingering, quarantined: quarantined)
    let properties = movement.properties
    try movement.properties.formerPlans.restore(&bytes, hasStoppers: hasStoppers) { properties.slot(of: $0) }
    for _ in 0..<(hasHolds ? try bytes.count() : 0) {
      let (slot, demand) = (try slot(), try bytes.optional { try $0.state() })
      // Nothing begins here: the log has it.
      guard movement.properties.ranges.note(slot, demand: demand) == true else { throw bytes.damage }
      movement.properties.governors.held += 1
    }
    let idle = executors.compactMap { record in record.idleSince.map { (since: $0, handle: record.handle) } }
    for entry in idle.sorted(by: { ($0.since, $0.handle) < ($1.since, $1.handle) }) {
      runtime.activity.restore(idle: entry.handle, since: entry.since)
    }
  }

  private var quarantined: [IntentionRow] {
    snapshot.quarantined.compactMap { plan in
      runtime.registry.catalog[plan.intention.type].map { entry in
        IntentionRow(
          identity: plan.identity, target: plan.target, name: plan.name, intention: plan.intention,
          kind: entry.description.kind(of: plan.intention), executor: entry.description.executor, state: .added,
          provenance: plan.provenance)
      }
    }
  }
}
