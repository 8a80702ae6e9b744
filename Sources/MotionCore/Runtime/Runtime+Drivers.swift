import MotionModel

extension Runtime {
  /// Settles who drives the properties whose writers changed: displaces, resumes, wakes what waited.
  ///
  /// Settling one may change others, so it goes on until nothing is left; every round takes claims away or wakes some,
  /// of which there are finitely many.
  func settle(in frame: Frame) {
    while !unsettled.isEmpty {
      let slots = unsettled
      unsettled.removeAll(keepingCapacity: true)
      for slot in slots where properties.isOccupied(slot) { settle(slot, in: frame) }
    }
  }

  private func settle(_ slot: PropertyTable.Slot, in frame: Frame) {
    let driver = properties[slot].stack.driver
    noteDriver(driver, of: slot)
    if let actor = properties[slot].actor, actor != driver, executors[actor] == nil || !isClaiming(actor, slot) {
      properties[slot].actor = nil
    }
    if let driver, let record = executors[driver] {
      if record.worker == nil { takeOver(slot, by: driver, in: frame) } else { awaitFirstWord(of: driver, on: slot) }
    } else if properties[slot].actor == nil {
      stand(slot)
    }
    displaceOneShots(on: slot, in: frame)
    wakeWaiting(on: slot, in: frame)
    informWriters(of: slot, in: frame)
  }

  /// Says that another executor, or none, is in charge.
  private func noteDriver(_ driver: ExecutorHandle?, of slot: PropertyTable.Slot) {
    guard properties[slot].driver != driver else { return }
    properties[slot].driver = driver
    trace(.didChangeDriver(properties[slot].reference, driver.flatMap { executors[$0]?.key }))
  }

  /// Whether an executor still has a plan, or a hand, on the property.
  private func isClaiming(_ executor: ExecutorHandle, _ slot: PropertyTable.Slot) -> Bool {
    properties[slot].stack.hasClaim(of: executor) || properties[slot].stack.isHeld(by: executor)
  }

  /// The driver moves the property from now on, from where it is; whoever did is told below.
  func takeOver(_ slot: PropertyTable.Slot, by driver: ExecutorHandle, in frame: Frame) {
    guard properties[slot].actor != driver else { return }
    properties[slot].actor = driver
    if executors[driver]?.worker == nil {
      properties[slot].motion = nil
      moving.remove(slot)
    }
  }

  /// A driver in a worker moves the property from its first word on; until then whoever did goes on, or nobody, and
  /// then the movement fades.
  private func awaitFirstWord(of driver: ExecutorHandle, on slot: PropertyTable.Slot) {
    guard properties[slot].actor != driver else { return }
    if properties[slot].motion == nil { properties[slot].motion = PropertyMotion() }
    properties[slot].motion?.blendsNext = true
    if properties[slot].actor == nil, properties[slot].velocity != .zero { moving.insert(slot) }
  }

  /// Retires the one-shots that have lost the property, but for those that go on until the new driver's first word.
  func displaceOneShots(on slot: PropertyTable.Slot, in frame: Frame) {
    let actor = properties[slot].actor
    for claim in properties[slot].stack.displacedOneShots() where claim.executor != actor {
      guard let record = executors[claim.executor] else { continue }
      let wasAdded = intentions[claim.identity]?.state == .added
      endIntention(claim.identity, .displaced, in: frame)
      if wasAdded { record.executor.remove(claim.identity) }
    }
  }

  /// Gives the driver the plans that waited for a manipulation to end: their time begins now.
  private func wakeWaiting(on slot: PropertyTable.Slot, in frame: Frame) {
    for identity in properties[slot].stack.wake() where intentions[identity]?.state == .waiting {
      handOver(identity, in: frame)
    }
  }

  /// Tells every writer that does not move the property to be silent, and the driver, if it was silent, to go on.
  private func informWriters(of slot: PropertyTable.Slot, in frame: Frame) {
    guard properties.isOccupied(slot) else { return }
    let entry = properties[slot]
    let speaking = [entry.stack.driver, entry.actor]
    for writer in entry.stack.speakers where !speaking.contains(writer) && !entry.silent.contains(writer) {
      properties[slot].silent.append(writer)
      (executors[writer]?.executor as? any YieldingExecutor)?.displaced(entry.reference.property)
    }
    properties[slot].silent.removeAll { !entry.stack.speakers.contains($0) }
    guard let driver = entry.stack.driver, properties[slot].silent.contains(driver) else { return }
    properties[slot].silent.removeAll { $0 == driver }
    guard let record = executors[driver] else { return }
    (record.executor as? any YieldingExecutor)?.resumed(
      entry.reference.property, from: properties[slot].state, at: frame.start)
    if record.executor is any UpdatingExecutor { record.wantsUpdate = true }
    refreshActivity(of: record)
  }

  // MARK: Words of drivers

  /// Lets every property that is written from outside, that changes hands or whose driver is late move on by a frame.
  func moveOn(in frame: Frame) {
    noteLateDrivers(in: frame)
    for slot in moving.sorted() where properties.isOccupied(slot) {
      if let word = properties[slot].motion?.incoming {
        properties[slot].motion?.incoming = nil
        hear(word, on: slot, in: frame)
      } else if properties[slot].motion?.late != nil || properties[slot].actor == nil {
        coast(slot, in: frame)
      }
      if properties[slot].motion?.isIdle ?? true { moving.remove(slot) }
    }
    settle(in: frame)
  }

  /// Lets properties follow these words at once, because what ends with them has to find them applied.
  func hearNow(_ writes: [PropertyWrite], in frame: Frame) {
    for write in writes {
      guard let slot = properties.slot(of: write.property), let word = properties[slot].motion?.incoming,
        word.executor == write.executor
      else { continue }
      properties[slot].motion?.incoming = nil
      hear(word, on: slot, in: frame)
    }
    settle(in: frame)
  }

  /// The property follows its driver's word; the first one hands the property over.
  private func hear(_ word: PropertyMotion.Incoming, on slot: PropertyTable.Slot, in frame: Frame) {
    guard properties[slot].stack.driver == word.executor || properties[slot].actor == word.executor else { return }
    if properties[slot].actor == nil { coast(slot, in: frame) }
    let present = properties[slot].state
    if properties[slot].actor != word.executor {
      guard properties[slot].stack.driver == word.executor else { return }
      properties[slot].actor = word.executor
      unsettled.append(slot)
    }
    guard var motion = properties[slot].motion else { return }
    let state = motion.follow(word, from: present, at: frame.time)
    properties[slot].motion = motion
    properties.set(slot, value: state.value.storage, velocity: state.velocity.storage)
  }

  private func coast(_ slot: PropertyTable.Slot, in frame: Frame) {
    var motion = properties[slot].motion ?? PropertyMotion()
    let state = motion.coast(from: properties[slot].state, dt: frame.dt)
    properties[slot].motion = motion
    properties.set(slot, value: state.value.storage, velocity: state.velocity.storage)
  }

  /// Notes the drivers in workers that owe a word for this frame: their properties coast.
  private func noteLateDrivers(in frame: Frame) {
    for handle in activeExecutors {
      guard let record = executors[handle], record.worker != nil, record.wantsUpdate, record.unacknowledged == nil
      else { continue }
      for identity in record.intentions {
        for slot in intentions[identity]?.slots ?? [] where properties[slot].actor == handle {
          guard properties[slot].motion?.incoming == nil, properties[slot].velocity != .zero else { continue }
          if properties[slot].motion?.late == nil { lateUpdates += 1 }
          var motion = properties[slot].motion ?? PropertyMotion()
          motion.fallLate(from: properties[slot].state)
          properties[slot].motion = motion
          properties.markChanged(slot)
          moving.insert(slot)
        }
      }
    }
  }
}
