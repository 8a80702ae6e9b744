import MotionModel

extension Runtime {
  /// Notes that the writers of a property changed.
  func unsettle(_ slot: PropertyTable.Slot) {
    guard !properties[slot].isUnsettled else { return }
    properties[slot].isUnsettled = true
    unsettled.append(slot)
  }

  /// Settles who drives the properties whose writers changed: displaces one-shots, resumes drivers, wakes waiting
  /// plans.
  ///
  /// Settling one property may change others, so it goes on until no property is left. Every round removes claims or
  /// wakes some, of which there are finitely many.
  func settle() {
    guard !isSettling else { return }
    isSettling = true
    var next = 0
    while true {
      if !stagedRuns.isEmpty { beginStaged(after: next) }
      if !properties.overflowed.isEmpty { failOverflowed() }
      guard next < unsettled.count else { break }
      let slot = unsettled[next]
      next += 1
      guard properties.isOccupied(slot), properties[slot].isUnsettled else { continue }
      properties[slot].isUnsettled = false
      settle(slot)
    }
    unsettled.removeAll(keepingCapacity: true)
    if !givenWhileSilent.isEmpty { givenWhileSilent.removeAll(keepingCapacity: true) }
    isSettling = false
  }

  private func settle(_ slot: PropertyTable.Slot) {
    // This happens first, so that a waiting plan inherits the manipulation's velocity, and only that velocity. Of
    // several waiting plans the last one remains, and must not begin with an initial velocity that an earlier one would
    // have set.
    let (value, velocity) = (properties.value(at: slot), properties.velocity(at: slot))
    for identity in properties[slot].stack.wakeable {
      properties.set(slot, value: value, velocity: velocity)
      wake(identity)
    }
    let driver = properties[slot].stack.driver
    noteDriver(driver, of: slot)
    if let actor = properties[slot].actor, actor != driver, !properties[slot].stack.speaks(actor) {
      properties[slot].actor = nil
      properties.motions[slot]?.letGo()
      expectFirstSample(of: driver, on: slot)
    }
    if let driver, let record = executors[driver] {
      if record.worker == nil { takeOver(slot, by: driver) } else { awaitFirstSample(of: driver, on: slot) }
    } else {
      rest(slot)
    }
    // A one-shot that still moves the property continues until the new driver's first sample.
    for claim in properties[slot].stack.lost where claim.executor != properties[slot].actor {
      displace(claim.identity)
    }
    informWriters(of: slot)
    if let actor = properties[slot].actor { executors[actor]?.physics?.settled(slot) }
  }

  /// Notes that another executor, or none, drives the property, or that the same executor drives it for another plan.
  private func noteDriver(_ driver: ExecutorHandle?, of slot: PropertyTable.Slot) {
    let leading = properties[slot].stack.leading
    let isAnother = properties[slot].driver != driver
    guard isAnother || properties[slot].leading != leading else { return }
    properties[slot].driver = driver
    properties[slot].leading = leading
    sayDriver(of: slot, isAnother: isAnother)
  }

  /// Notifies tracers and subscribers of the driver.
  func sayDriver(of slot: PropertyTable.Slot, isAnother: Bool) {
    let (driver, leading) = (properties[slot].driver, properties[slot].leading)
    if isAnother { trace(.didChangeDriver(properties[slot].reference, driver.flatMap { executors[$0]?.key })) }
    guard keepsDriverChanges else { return }
    let change = DriverChange(
      properties[slot].reference, frame: moment.number, time: moment.start, driver: leading.flatMap(present))
    driverChanges.append(change)
  }

  /// The driving plan in the form that subscribers receive.
  private func present(_ identity: IntentionIdentity) -> DriverChange.Driver? {
    guard let record = intentions[identity], let executor = executors[record.executor] else { return nil }
    return DriverChange.Driver(
      executor: executor.type, identity: identity, type: record.intention.type, name: record.name)
  }

  /// Makes a driver in this process move the property from now on, from its present state. The former mover is notified
  /// below.
  private func takeOver(_ slot: PropertyTable.Slot, by driver: ExecutorHandle) {
    guard properties[slot].actor != driver else { return }
    properties[slot].actor = driver
    if !properties.motions.isEmpty { properties.motions[slot] = nil }
  }

  /// Lets a driver in a worker move the property from its first sample on. Until then the former mover goes on. Without
  /// a former mover, the velocity fades.
  private func awaitFirstSample(of driver: ExecutorHandle, on slot: PropertyTable.Slot) {
    if properties[slot].actor == nil, properties.velocity(at: slot) != .zero { watch(slot) }
  }

  /// Notes when the first sample of the next driver is due: the mover has ended, the driver receives its plan now, and
  /// its sample cannot arrive before the next frame.
  private func expectFirstSample(of driver: ExecutorHandle?, on slot: PropertyTable.Slot) {
    guard properties.velocity(at: slot) != .zero, let worker = driver.flatMap({ executors[$0]?.worker }),
      workers[worker]?.isProvisioned == true
    else { return }
    properties.motions[slot, default: PropertyMotion()].firstSampleDue = frame.number + 1
  }

  /// Hands a plan that waited for a manipulation to its executor once no manipulation holds any of its properties. Its
  /// time begins now.
  private func wake(_ identity: IntentionIdentity) {
    guard let record = intentions[identity], let executor = executors[record.executor],
      !record.slots.contains(where: { properties[$0].stack.isHeld })
    else { return }
    for slot in record.slots {
      properties[slot].stack.wake(identity)
      unsettle(slot)
    }
    handOver(record, to: executor)
  }

  /// Notifies every writer that does not move the property that it is displaced, and the driver, if it was displaced,
  /// that it may resume.
  private func informWriters(of slot: PropertyTable.Slot) {
    // The one writer of most properties drives, and was never displaced.
    if properties[slot].silent.isEmpty, properties[slot].stack.hasNoRival { return }
    let (driver, actor) = (properties[slot].stack.driver, properties[slot].actor)
    let speakers = properties[slot].stack.speakers
    let property = properties[slot].reference.property
    properties[slot].silent.removeAll { !speakers.contains($0) }
    for writer in speakers where writer != driver && writer != actor {
      if properties[slot].silent.contains(writer) {
        guard let given = givenWhileSilent.firstIndex(where: { $0 == (slot, writer) }) else { continue }
        givenWhileSilent.remove(at: given)
      } else {
        properties[slot].silent.append(writer)
      }
      executors[writer]?.yielding?.displaced(property)
    }
    guard let driver, properties[slot].silent.contains(driver) else { return }
    properties[slot].silent.removeAll { $0 == driver }
    guard let record = executors[driver] else { return }
    record.yielding?.resumed(property, from: properties.state(at: slot), at: moment.start)
    if record.abilities.contains(.updates) { record.wantsUpdate = true }
    refreshActivity(of: record)
  }
}
