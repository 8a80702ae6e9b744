import MotionModel
import MotionPhysics

extension Drivers {
  /// Keeps a sample of an executor in a worker until the frame has moved everything else: as the mover's sample, or as
  /// the first sample of the driver that is to take over.
  ///
  /// - Parameter commands: the last command that its worker had applied.
  func keep(_ word: PropertyMotion.Sample, after commands: UInt64, on slot: PropertyTable.Slot) {
    let (isOfMover, now) = (movement.properties[slot].actor == word.executor, frame.time)
    movement.properties.motions.change(slot) { $0.keep(word, after: commands, isOfMover: isOfMover, now: now) }
    movement.watch(slot)
  }

  /// Notes that an executor in a worker, which moves properties or is about to, received another plan for them.
  ///
  /// - Parameter overdueSince: since when it was withheld, if its time had begun before.
  func noteNewPlan(_ record: IntentionRecord, of executor: ExecutorRecord, overdueSince: Double?) {
    guard let worker = executor.worker.flatMap({ workers.records[$0] }) else { return }
    for slot in record.slots {
      movement.properties.motions.change(slot) {
        $0.newPlan = PropertyMotion.NewPlan(
          executor: executor.handle, command: worker.commandsSent, overdueSince: overdueSince)
      }
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
    if let sample = movement.properties.motions.takeSample(slot, of: movement.properties[slot].actor) {
      movement.properties.set(slot, value: sample.value.storage, velocity: sample.velocity.storage)
      return movement.properties.govern(slot, frame)
    }
    let (actor, marks) = (movement.properties[slot].actor, movement.properties.motions.marks(of: slot))
    let isGoverned = movement.properties.governors.contains(slot)
    if actor == nil, movement.properties[slot].stack.driver == nil, !marks.comesToRest, isGoverned {
      // It brakes, and lacks no sample.
      if marks.isLate { movement.properties.markChanged(slot) }
      return movement.properties.motions[slot] = nil
    }
    let present = movement.properties.state(at: slot)
    let now = PropertyMotion.Situation(
      actor: actor, present: present,
      demand: movement.properties.governors.isEmpty ? present : movement.properties.demand(at: slot), frame: frame,
      mustBrake: isGoverned
        && !movement.properties.governors.permitFade(of: present.velocity, within: Coasting.seconds(frame.dt), slot),
      lacksSample: (actor == nil || marks.word != actor) && lacksSample(slot))
    let step = movement.properties.motions.change(slot) { $0.step(now) }
    if step.isLateNow, let actor { logLate(actor, on: slot) }
    // Where it goes on from where the property is, nothing is left of lifted limits.
    if step.beginsHere { movement.properties.governors.endFade(slot) }
    if step.hasChangedLateness { movement.properties.markChanged(slot) }
    if step.brakes {
      // Under limits, a property whose velocity cannot fade so fast brakes instead.
      movement.properties.governors.release(slot)
    } else {
      movement.properties.set(slot, value: step.state.value.storage, velocity: step.state.velocity.storage)
    }
    movement.properties.govern(slot, frame)
    handOver(slot)
  }

  /// Lets the driver take the property over from its state at the frame's end, if the driver's first sample has
  /// arrived.
  func handOver(_ slot: PropertyTable.Slot) {
    guard movement.properties.motions.marks(of: slot).hasFirstSample,
      var motion = movement.properties.motions[slot], var word = motion.firstSample
    else { return }
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
      let state = motion.takeOver(motion.placed(word), from: present, dt: frame.dt, at: frame.time)
      movement.properties.set(slot, value: state.value.storage, velocity: state.velocity.storage)
      movement.properties[slot].actor = word.executor
      movement.unsettle(slot)
      if motion.isMoving { movement.watch(slot) }
    }
    movement.properties.motions[slot] = motion
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
    let (present, start) = (movement.properties.state(at: slot), frame.start)
    movement.properties.motions.change(slot) { $0.retreat(to: value, within: seconds, from: present, at: start) }
  }

  /// Examines the properties of executors that want this frame and whose workers have not answered it. Properties at
  /// rest count, too: they may have to move by now, as with a tween after its delay.
  private func watchLateWorkers() {
    let late = workers.records.filter { $0.value.activity.wantingFrames > 0 && isLate($0.value) }
    for address in late.keys.sorted() {
      for handle in workers.executors(in: address) {
        guard let record = plans.executors[handle], record.owesSample(for: frame.number) else { continue }
        plans.visitWrittenSlots(of: record) { slot in
          guard movement.properties[slot].actor == handle, !movement.properties.motions.marks(of: slot).isCoasting
          else {
            return
          }
          movement.watch(slot)
        }
      }
    }
  }

  private func isLate(_ worker: WorkerRecord) -> Bool { worker.isProvisioned && worker.lastFrame < frame.number }

  /// Whether a property lacks a sample: it moves and has no mover, or its mover owes a sample for this frame and its
  /// worker has not answered the frame.
  private func lacksSample(_ slot: PropertyTable.Slot) -> Bool {
    let marks = movement.properties.motions.marks(of: slot)
    if marks.comesToRest { return false }
    // A plan that has ended and whose property has yet to arrive is owed nothing: its last sample is the demand.
    if let leading = movement.properties[slot].stack.leading, retirement.isArriving(leading) { return false }
    guard let actor = movement.properties[slot].actor, let record = plans.executors[actor] else {
      // A difference that was to fade into its mover's movement may stand for a moment.
      return movement.properties.velocity(at: slot) != .zero || marks.isMoving
    }
    guard record.owesSample(for: frame.number), let worker = record.worker.flatMap({ workers.records[$0] }) else {
      return false
    }
    return isLate(worker)
  }

  /// Whether the property has to be examined in the next frame.
  private func isOnTheMove(_ slot: PropertyTable.Slot) -> Bool {
    let marks = movement.properties.motions.marks(of: slot)
    if marks.isMoving { return true }
    return movement.properties[slot].actor == nil && movement.properties[slot].stack.driver != nil
      && movement.properties.velocity(at: slot) != .zero && !marks.isCoasting
  }
}
