import MotionModel

extension Runtime {
  /// Notes that the writers of a property changed.
  func unsettle(_ slot: PropertyTable.Slot) {
    guard !properties[slot].isUnsettled else { return }
    properties[slot].isUnsettled = true
    unsettled.append(slot)
  }

  /// Settles who drives the properties whose writers changed: displaces, resumes, wakes what waited.
  ///
  /// Settling one may change others, so it goes on until nothing is left; every round takes claims away or wakes some,
  /// of which there are finitely many.
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
    // First of all, so that what waited inherits the hand's velocity; that alone: of several the last is left, and what an
    // earlier one would have begun with is nothing to it.
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
    // A one-shot that still moves the property goes on until the new driver's first word.
    for claim in properties[slot].stack.lost where claim.executor != properties[slot].actor {
      displace(claim.identity)
    }
    informWriters(of: slot)
    if let actor = properties[slot].actor { executors[actor]?.physics?.settled(slot) }
  }

  /// Says that another executor, or none, is in charge, or that the same one is for another plan.
  private func noteDriver(_ driver: ExecutorHandle?, of slot: PropertyTable.Slot) {
    let leading = properties[slot].stack.leading
    let isAnother = properties[slot].driver != driver
    guard isAnother || properties[slot].leading != leading else { return }
    properties[slot].driver = driver
    properties[slot].leading = leading
    sayDriver(of: slot, isAnother: isAnother)
  }

  /// Tells tracers and subscribers who drives.
  func sayDriver(of slot: PropertyTable.Slot, isAnother: Bool) {
    let (driver, leading) = (properties[slot].driver, properties[slot].leading)
    if isAnother { trace(.didChangeDriver(properties[slot].reference, driver.flatMap { executors[$0]?.key })) }
    guard keepsDriverChanges else { return }
    let change = DriverChange(
      properties[slot].reference, frame: moment.number, time: moment.start, driver: leading.flatMap(present))
    driverChanges.append(change)
  }

  /// A plan that drives, as subscribers hear of it.
  private func present(_ identity: IntentionIdentity) -> DriverChange.Driver? {
    guard let record = intentions[identity], let executor = executors[record.executor] else { return nil }
    return DriverChange.Driver(
      executor: executor.type, identity: identity, type: record.intention.type, name: record.name)
  }

  /// A driver in this process moves the property from now on, from where it is; whoever did is told below.
  private func takeOver(_ slot: PropertyTable.Slot, by driver: ExecutorHandle) {
    guard properties[slot].actor != driver else { return }
    properties[slot].actor = driver
    if !properties.motions.isEmpty { properties.motions[slot] = nil }
  }

  /// A driver in a worker moves the property from its first word on; until then whoever did goes on, or nobody, and
  /// then the movement fades.
  private func awaitFirstSample(of driver: ExecutorHandle, on slot: PropertyTable.Slot) {
    if properties[slot].actor == nil, properties.velocity(at: slot) != .zero { watch(slot) }
  }

  /// The mover of a property has ended, and who follows is told now, and cannot be heard of before the next frame.
  private func expectFirstSample(of driver: ExecutorHandle?, on slot: PropertyTable.Slot) {
    guard properties.velocity(at: slot) != .zero, let worker = driver.flatMap({ executors[$0]?.worker }),
      workers[worker]?.isProvisioned == true
    else { return }
    properties.motions[slot, default: PropertyMotion()].firstSampleDue = frame.number + 1
  }

  /// Gives its executor a plan that waited for a manipulation to end, once nobody holds any of its properties: its time
  /// begins now.
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

  /// Tells every writer that does not move the property to be silent, and the driver, if it was silent, to go on.
  private func informWriters(of slot: PropertyTable.Slot) {
    // The one writer of most properties drives, and was never silent.
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
