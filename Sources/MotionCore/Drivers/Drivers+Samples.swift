import MotionModel

extension Drivers {
  /// Keeps a sample of an executor in a worker until the frame has moved everything else: as the mover's sample, or as
  /// the first sample of the driver that is to take over.
  ///
  /// - Parameter commands: the last command that its worker had applied.
  func keep(_ word: PropertyMotion.Sample, after commands: UInt64, on slot: PropertyTable.Slot) {
    var motion = movement.properties.motions[slot] ?? PropertyMotion()
    let newPlan = motion.newPlan.flatMap { $0.executor == word.executor && $0.command <= commands ? $0 : nil }
    if newPlan != nil { motion.newPlan = nil }
    // A plan that began before it was sent catches up instead.
    let isFromNewPlan = newPlan != nil && newPlan?.overdueSince == nil
    var word = word
    if let since = newPlan?.overdueSince {
      (word.cameLate, word.waited) = (true, max(word.waited, frame.time - since))
    }
    // A sample that is resent before the frame has moved on is as late as it was.
    if motion.hasLateSample(of: word.executor) { word.cameLate = true }
    if movement.properties[slot].actor == word.executor {
      let wasOfNewPlan = motion.word?.isFromNewPlan ?? false
      motion.word = motion.placed(word)
      motion.word?.isFromNewPlan = isFromNewPlan || wasOfNewPlan
    } else {
      motion.firstSample = word
    }
    movement.properties.motions[slot] = motion
    movement.watch(slot)
  }

  /// Notes that an executor in a worker, which moves properties or is about to, received another plan for them.
  ///
  /// - Parameter overdueSince: since when it was withheld, if its time had begun before.
  func noteNewPlan(_ record: IntentionRecord, of executor: ExecutorRecord, overdueSince: Double?) {
    guard let worker = executor.worker.flatMap({ workers.records[$0] }) else { return }
    for slot in record.slots {
      movement.properties.motions[slot, default: PropertyMotion()].newPlan = PropertyMotion.NewPlan(
        executor: executor.handle, command: worker.commandsSent, overdueSince: overdueSince)
    }
  }

  /// Moves every property on by the frame that has samples, changes its mover, or has a late driver.
  func moveOn() {
    watchLateWorkers()
    for (slot, executor) in movement.takeLost() { retreat(slot, fromLost: executor) }
    for slot in movement.takeWatched() where movement.properties.isOccupied(slot) { moveOn(slot) }
    settle()
  }

  /// Moves a property on by the frame, if it has not moved yet.
  func moveOn(_ slot: PropertyTable.Slot) {
    guard movement.properties[slot].isWatched else { return }
    movement.properties[slot].isWatched = false
    follow(slot)
    if isOnTheMove(slot) { movement.watch(slot) }
  }

  /// Moves a property on by the frame: by its mover's sample, or by extrapolation without one. Then its next driver
  /// takes over.
  private func follow(_ slot: PropertyTable.Slot) {
    var motion = movement.properties.motions[slot] ?? PropertyMotion()
    let word = motion.word
    motion.word = nil
    let actor = movement.properties[slot].actor
    var state = movement.properties.state(at: slot)
    let wasLate = motion.isLate
    if actor == nil, movement.properties[slot].stack.driver == nil, !motion.comesToRest,
      movement.properties.governors.contains(slot)
    {
      // It brakes, and lacks no sample.
      if wasLate { movement.properties.markChanged(slot) }
      return movement.properties.motions[slot] = nil
    }
    var (brakes, beginsHere) = (false, true)
    if var word, word.executor == actor, !motion.isCoasting {
      let catchesUp = word.framesBehind < motion.framesBehind
      let isBack = catchesUp || word.cameLate
      // The plan set its imposed values when it took over; catching up is no reason to jump.
      if isBack, !word.isFromNewPlan { word.imposes = [] }
      beginsHere = isBack || word.isFromNewPlan
      state =
        beginsHere
        ? motion.goOver(to: word, from: state, dt: frame.dt, at: frame.time) : motion.follow(word, at: frame.time)
    } else if !motion.isCoasting, actor == nil, let due = motion.firstSampleDue, frame.number <= due {
      state = motion.goOnEvenly(from: state, dt: frame.dt, at: frame.time)
    } else if motion.isCoasting || lacksSample(slot) {
      if let actor, !motion.isCoasting { logLate(actor, on: slot) }
      state = motion.coast(from: state, dt: frame.dt, at: frame.time)
      brakes = movement.properties.governors.contains(slot)
      if var word, word.executor == actor {
        // A late return is no reason to jump, either.
        if !word.isFromNewPlan { word.imposes = [] }
        state = motion.takeOver(word, from: state, at: frame.time)
        brakes = false
      }
    } else {
      state = motion.goOn(at: frame.time) ?? movement.properties.demand(at: slot)
      beginsHere = false
    }
    // Where it goes on from where the property is, nothing is left of lifted limits.
    if beginsHere { movement.properties.governors.endFade(slot) }
    if motion.isLate != wasLate { movement.properties.markChanged(slot) }
    movement.properties.motions[slot] = motion.isEmpty ? nil : motion
    if brakes {
      // Under limits, a property whose velocity cannot fade so fast brakes instead.
      movement.properties.governors.release(slot)
    } else {
      movement.properties.set(slot, value: state.value.storage, velocity: state.velocity.storage)
    }
    movement.properties.govern(slot, frame)
    handOver(slot)
  }

  /// Lets the driver take the property over from its state at the frame's end, if the driver's first sample has
  /// arrived.
  func handOver(_ slot: PropertyTable.Slot) {
    guard var motion = movement.properties.motions[slot], var word = motion.firstSample else { return }
    motion.firstSample = nil
    if word.executor == movement.properties[slot].stack.driver {
      let present = movement.properties.state(at: slot)
      movement.properties.governors.endFade(slot)
      // A property that another executor moved until now has no gap.
      if movement.properties[slot].actor != nil, movement.properties.changes.frame(of: slot) + 1 >= frame.number {
        word.waited = 0
      }
      motion.letGo()
      if let base = plans.executors[word.executor]?.base(of: slot) { motion.takeHold(at: present, countingFrom: base) }
      let state = motion.takeOver(motion.placed(word), from: present, at: frame.time)
      movement.properties.set(slot, value: state.value.storage, velocity: state.velocity.storage)
      movement.properties[slot].actor = word.executor
      movement.unsettle(slot)
      if motion.isMoving { movement.watch(slot) }
    }
    movement.properties.motions[slot] = motion.isEmpty ? nil : motion
  }

  /// Lets a property go where its limits say, if the worker that moved it was lost and neither it nor another driver has
  /// taken over by this frame.
  private func retreat(_ slot: PropertyTable.Slot, fromLost executor: ExecutorHandle) {
    guard movement.properties.isOccupied(slot), movement.properties[slot].actor == nil,
      movement.properties[slot].stack.driver ?? executor == executor
    else { return }
    if let worker = plans.executors[executor]?.worker, workers.records[worker]?.isProvisioned ?? false { return }
    let rule = movement.properties.limits.lossRule(of: movement.properties[slot].reference)
    guard let (value, seconds) = rule?.destination(lanes: movement.properties.lanes(at: slot)) else { return }
    movement.properties.motions[slot, default: PropertyMotion()].retreat(
      to: value, within: seconds, from: movement.properties.state(at: slot), at: frame.start)
  }

  /// Examines the properties of executors that want this frame and whose workers have not answered it. Properties at
  /// rest count, too: they may have to move by now, as with a tween after its delay.
  private func watchLateWorkers() {
    let late = workers.records.filter { $0.value.activity.wantingFrames > 0 && isLate($0.value) }
    for address in late.keys.sorted() {
      for handle in workers.executors(in: address) {
        guard let record = plans.executors[handle], record.owesSample(for: frame.number) else { continue }
        for slot in plans.writtenSlots(of: record)
        where movement.properties[slot].actor == handle && !movement.properties.isCoasting(slot) {
          movement.watch(slot)
        }
      }
    }
  }

  private func isLate(_ worker: WorkerRecord) -> Bool { worker.isProvisioned && worker.lastFrame < frame.number }

  /// Whether a property lacks a sample: it moves and has no mover, or its mover owes a sample for this frame and its
  /// worker has not answered the frame.
  private func lacksSample(_ slot: PropertyTable.Slot) -> Bool {
    if movement.properties.motions[slot]?.comesToRest == true { return false }
    // A plan that has ended and whose property has yet to arrive is owed nothing: its last sample is the demand.
    if let leading = movement.properties[slot].stack.leading, retirement.isArriving(leading) { return false }
    guard let actor = movement.properties[slot].actor, let record = plans.executors[actor] else {
      return movement.properties.velocity(at: slot) != .zero
    }
    guard record.owesSample(for: frame.number), let worker = record.worker.flatMap({ workers.records[$0] }) else {
      return false
    }
    return isLate(worker)
  }

  /// Whether the property has to be examined in the next frame.
  private func isOnTheMove(_ slot: PropertyTable.Slot) -> Bool {
    if let motion = movement.properties.motions[slot], motion.isMoving { return true }
    return movement.properties[slot].actor == nil && movement.properties[slot].stack.driver != nil
      && movement.properties.velocity(at: slot) != .zero && !movement.properties.isCoasting(slot)
  }
}
