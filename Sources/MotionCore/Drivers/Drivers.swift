import MotionModel
import MotionPhysics

/// Decides who moves each property: adds plans, hands them to executors, settles the writers of properties, and moves
/// the properties that workers drive.
///
/// It is the host of the executors in this process, whose calls may come at any time.
final class Drivers {
  /// See ``Runtime/arrivalsPerFrame``.
  static let arrivalsPerFrame = 4_000

  let position: FramePosition
  let movement: Movement
  let plans: Plans
  let reader: PlanReader
  let workers: WorkerLedger
  let activity: Activity
  let log: EventLog
  let staging: StagingArea
  let retirement: Retirement
  let moves: MoveGroups
  /// Whether it is being settled who drives the properties whose writers changed.
  private var isSettling = false

  init(_ activity: Activity, _ retirement: Retirement) {
    (self.activity, self.retirement, moves) = (activity, retirement, MoveGroups(retirement))
    (position, movement, plans, reader) = (activity.position, activity.plans.movement, activity.plans, activity.reader)
    (workers, log, staging) = (activity.workers, activity.log, activity.staging)
  }

  /// The last frame that was run, or the frame under way.
  var frame: Frame { position.frame }

  /// Settles who drives the properties whose writers changed: displaces one-shots, resumes drivers, wakes waiting
  /// plans.
  ///
  /// Settling one property may change others, so it is repeated until no property is left. Every round removes claims
  /// or wakes some, of which there are finitely many.
  func settle() {
    guard !isSettling else { return }
    isSettling = true
    var next = 0
    while true {
      if !staging.runs.isEmpty { beginStaged(after: next) }
      if !movement.properties.overflowed.isEmpty { failOverflowed() }
      guard next < movement.unsettled.count else { break }
      let slot = movement.unsettled[next]
      next += 1
      guard movement.properties.isOccupied(slot), movement.properties[slot].isUnsettled else { continue }
      movement.properties[slot].isUnsettled = false
      settle(slot)
    }
    movement.unsettled.removeAll(keepingCapacity: true)
    if !movement.givenWhileSilent.isEmpty { movement.givenWhileSilent.removeAll(keepingCapacity: true) }
    isSettling = false
  }

  private func settle(_ slot: PropertyTable.Slot) {
    movement.properties.finishFade(slot, frame)
    // This happens first, so that a waiting plan inherits the manipulation's velocity, and only that velocity. Of
    // several waiting plans the last one remains, and must not begin with an initial velocity that an earlier one would
    // have set.
    let (value, velocity) = (movement.properties.value(at: slot), movement.properties.velocity(at: slot))
    let before = movement.properties[slot].stack
    for identity in before.wakeable {
      movement.properties.set(slot, value: value, velocity: velocity)
      wake(identity)
    }
    let driver = movement.properties[slot].stack.driver
    noteDriver(driver, of: slot)
    if let actor = movement.properties[slot].actor, actor != driver, !movement.properties[slot].stack.speaks(actor) {
      movement.properties[slot].actor = nil
      movement.properties.motions.changeIfPresent(slot) { $0.letGo() }
      // What it demanded is void: the next driver begins where the property is.
      if !movement.properties.governors.isEmpty { movement.properties.governors.release(slot) }
      expectFirstSample(of: driver, on: slot)
    }
    movement.properties.holdDriven(slot)
    if let driver, let record = plans.executors[driver] {
      if record.worker == nil { takeOver(slot, by: driver) } else { awaitFirstSample(of: driver, on: slot) }
    } else {
      movement.rest(slot)
    }
    // A one-shot that still moves the property continues until the new driver's first sample; one that waited does not.
    let settled = movement.properties[slot].stack
    for claim in settled.lost {
      let other = movement.properties[slot].stack.outranking(claim)
      guard claim.isWaiting || claim.executor != movement.properties[slot].actor else { continue }
      retirement.displace(claim.identity, by: other)
    }
    informWriters(of: slot)
    if let actor = movement.properties[slot].actor {
      plans.executors[actor]?.physics?.settled(slot) { fail($0, of: actor) }
    }
  }

  /// Notes that another executor, or none, drives the property, or that the same executor drives it for another plan.
  private func noteDriver(_ driver: ExecutorHandle?, of slot: PropertyTable.Slot) {
    let leading = movement.properties[slot].stack.leading
    guard movement.properties[slot].driver != driver || movement.properties[slot].leading != leading else { return }
    // A plan that has ended was noted when it did.
    if let former = movement.properties[slot].leading, former != leading, let record = plans.intentions[former] {
      retirement.noteFormer(record, .displaced, of: slot)
    }
    movement.properties[slot].driver = driver
    movement.properties[slot].leading = leading
    movement.properties[slot].leadingSince = position.moment.start
    if log.keeps.contains(.drivers) { logDriver(of: slot) }
  }

  /// Logs who drives the property now.
  func logDriver(of slot: PropertyTable.Slot) {
    let change = DriverChange(
      movement.properties[slot].reference, frame: position.moment.number, time: position.moment.start,
      driver: movement.properties[slot].leading.flatMap(present))
    log.note(.drivers, .driver(change))
  }

  /// Counts and logs that the mover of the property is late for the frame.
  func logLate(_ mover: ExecutorHandle, on slot: PropertyTable.Slot) {
    log.refusals.late += 1
    guard log.keeps.contains(.refusals), let key = plans.executors[mover]?.key else { return }
    log.note(.refusals, .late(movement.properties[slot].reference, key))
  }

  /// The driving plan in the form that subscribers receive.
  private func present(_ identity: IntentionIdentity) -> DriverChange.Driver? {
    guard let record = plans.intentions[identity], let executor = plans.executors[record.executor] else { return nil }
    return DriverChange.Driver(
      executor: executor.type, identity: identity, type: record.intention.type, name: record.name)
  }

  /// Makes a driver in this process move the property from now on, from its present state. The former mover is notified
  /// below.
  private func takeOver(_ slot: PropertyTable.Slot, by driver: ExecutorHandle) {
    guard movement.properties[slot].actor != driver else { return }
    movement.properties[slot].actor = driver
    if !movement.properties.motions.isEmpty { movement.properties.motions[slot] = nil }
    if !movement.properties.governors.isEmpty { movement.properties.governors.discardDemand(slot) }
    movement.properties.noteDemand(nil, beyondRangeOf: slot)
  }

  /// Lets a driver in a worker move the property from its first sample on. Until then the former mover continues.
  /// Without a former mover, the velocity fades.
  private func awaitFirstSample(of driver: ExecutorHandle, on slot: PropertyTable.Slot) {
    if movement.properties[slot].actor == nil, movement.properties.velocity(at: slot) != .zero { movement.watch(slot) }
  }

  /// Notes when the first sample of the next driver is due: the mover has ended, the driver receives its plan now, and
  /// its sample cannot arrive before the next frame.
  private func expectFirstSample(of driver: ExecutorHandle?, on slot: PropertyTable.Slot) {
    guard movement.properties.velocity(at: slot) != .zero, let worker = driver.flatMap({ plans.executors[$0]?.worker }),
      workers.records[worker]?.isProvisioned == true
    else { return }
    let due = frame.number + 1
    movement.properties.motions.change(slot) { $0.firstSampleDue = due }
  }

  /// Hands a plan that waited for a manipulation, or for a plan of a higher priority, to its executor once none delays
  /// it on any of its properties. Its time begins now.
  private func wake(_ identity: IntentionIdentity) {
    guard let record = plans.intentions[identity], let executor = plans.executors[record.executor],
      !record.slots.contains(where: { movement.properties[$0].stack.delays(identity) })
    else { return }
    for slot in record.slots {
      movement.properties[slot].stack.wake(identity)
      movement.unsettle(slot)
    }
    handOver(record, to: executor)
  }

  /// Notifies every writer that does not move the property that it is displaced, and the driver, if it was displaced,
  /// that it may resume.
  private func informWriters(of slot: PropertyTable.Slot) {
    // The one writer of most properties drives, and was never displaced.
    if movement.properties[slot].silent.isEmpty, movement.properties[slot].stack.hasNoRival { return }
    let (driver, actor) = (movement.properties[slot].stack.driver, movement.properties[slot].actor)
    let stack = movement.properties[slot].stack
    let speakers = stack.speakers
    let property = movement.properties[slot].reference.property
    movement.properties[slot].silent.removeAll { !speakers.contains($0) }
    for writer in speakers where writer != driver && writer != actor {
      if movement.properties[slot].silent.contains(writer) {
        guard let given = movement.givenWhileSilent.firstIndex(where: { $0.slot == slot && $0.executor == writer })
        else { continue }
        movement.givenWhileSilent.remove(at: given)
      } else {
        movement.properties[slot].silent.append(writer)
      }
      guard let record = plans.executors[writer] else { continue }
      displace(record, from: property)
      // A hand that drives again later continues from the property's value then.
      record.forgetBase(of: slot)
    }
    guard let driver, movement.properties[slot].silent.contains(driver) else { return }
    movement.properties[slot].silent.removeAll { $0 == driver }
    guard let record = plans.executors[driver] else { return }
    resume(record, property, from: movement.properties.state(at: slot))
    if record.abilities.contains(.updates) { record.wantsUpdate = true }
    activity.refresh(record)
  }

}
