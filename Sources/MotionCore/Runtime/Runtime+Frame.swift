public import MotionModel
import MotionPhysics

extension Runtime {
  /// Runs a frame: applies due events, steps motions, updates executors, settles drivers (design §5).
  ///
  /// The caller ensures that numbers have no gaps, that time does not go back, and that the frame covers no more than
  /// ``longestFrame``. The cost depends on what moves, not on the size of the runtime.
  public func run(_ frame: Frame) {
    precondition(
      frame.number == self.frame.number + 1 && frame.time >= self.frame.time
        && (0...Self.longestFrame).contains(frame.dt),
      "\(frame) after \(self.frame)")
    position.begin(frame)
    staging.dropSpent()
    movement.properties.begin(frame.number)
    applyDue()
    settle()
    let updated = activity.takeUpdating()
    stepBank()
    position.endMoment()
    settleArrivals()
    update(updated)
    moveOn()
    endLingering()
    applyEndings()
    reportSuperseded()
    tellReaders()
    recorder.end(frame, movement.properties)
    movement.properties.end()
    position.phase = .idle
    refreshActivity()
    removeIdleExecutors()
  }

  /// Applies the waiting events: first those that concern workers, then transactions whose time has come, then client
  /// events and input in order of arrival. If a client commits a plan and then sends input for its target, the plan
  /// receives the input.
  private func applyDue() {
    let events = queue.takePending()
    for event in events where event.concernsWorkers { apply(event) }
    for entry in queue.waiting.take(dueAt: frame.time) {
      position.phase = .applying(isStored: entry.isStored)
      apply(.commit(sequence: entry.sequence, entry.transaction))
      position.phase = .applying(isStored: false)
    }
    for event in events where !event.concernsWorkers { apply(event) }
    position.phase = .moving
  }

  /// Steps everything that forces move.
  private func stepBank() {
    movement.bank.step(dt: frame.dt)
    movement.properties.follow(movement.bank)
    failOverflowed()
  }

  /// Notifies the executors of the properties that have come to rest.
  private func settleArrivals() {
    takeArrivals()
    settle()
  }

  /// Updates executors, and removes those from the list that want no further frame.
  private func update(_ handles: [ExecutorHandle]) {
    guard !handles.isEmpty else { return }
    for handle in handles {
      guard let record = plans.executors[handle], let executor = record.updating else { continue }
      record.wantsUpdate = executor.update(frame)
    }
    settle()
    activity.endUpdating()
  }
}
