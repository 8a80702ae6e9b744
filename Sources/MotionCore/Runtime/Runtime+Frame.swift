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
    self.frame = frame
    moment = frame
    isBusy = true
    if !spent.isEmpty { spent = [] }
    properties.begin(frame.number)
    applyDue()
    settle()
    let updated = takeUpdating()
    stepBank()
    moment = Frame(number: frame.number, time: frame.time, dt: 0)
    settleArrivals()
    update(updated)
    moveOn()
    endLingering()
    applyEndings()
    reportSuperseded()
    tellReaders()
    if computesHashes { frameHash = hash() }
    properties.end()
    isBusy = false
    refreshActivity()
    removeIdleExecutors()
  }

  /// Applies the waiting events: first those that concern workers, then transactions whose time has come, then client
  /// events and input in order of arrival. If a client commits a plan and then sends input for its target, the plan
  /// receives the input.
  private func applyDue() {
    let events = pending
    pending = []
    waitingInputs = 0
    isInFrame = true
    for event in events where event.concernsWorkers { apply(event) }
    for entry in waiting.take(dueAt: frame.time) {
      isRecovering = entry.isStored
      apply(.commit(sequence: entry.sequence, entry.transaction))
      isRecovering = false
    }
    for event in events where !event.concernsWorkers { apply(event) }
    isInFrame = false
  }

  /// Steps everything that forces move.
  private func stepBank() {
    bank.step(dt: frame.dt)
    properties.follow(bank)
    failOverflowed()
  }

  /// Notifies the executors of the properties that have come to rest.
  private func settleArrivals() {
    takeArrivals()
    settle()
  }

  /// The executors that want this frame, target by target.
  private func takeUpdating() -> [ExecutorHandle] {
    if !updatingIsSorted {
      updating.sort { order(of: $0) < order(of: $1) }
      updatingIsSorted = true
    }
    return updating
  }

  private func order(of handle: ExecutorHandle) -> (UInt64, UInt32) {
    (executors[handle]?.target.ordinal ?? .max, handle.rawValue)
  }

  /// Updates executors, and removes those from the list that want no further frame.
  private func update(_ handles: [ExecutorHandle]) {
    guard !handles.isEmpty else { return }
    for handle in handles {
      guard let record = executors[handle], let executor = record.updating else { continue }
      record.wantsUpdate = executor.update(frame)
    }
    settle()
    updating.removeAll { handle in
      guard let record = executors[handle] else { return true }
      record.isListed = record.wantsUpdate
      refreshActivity(of: record)
      return !record.wantsUpdate
    }
  }

  /// The hash of the frame and of everything that changed in it, independent of the order.
  private func hash() -> UInt64 {
    var hasher = StableHasher()
    hasher.combine(frame.number)
    hasher.combine(frame.time)
    hasher.combine(frame.dt)
    var sum: UInt64 = 0
    for slot in properties.changed {
      let row = properties.columns.rows[slot]
      var property = StableHasher(seed: UInt64(row.handle))
      for lane in row.first..<row.first + row.lanes {
        property.combine(properties.columns.values[lane])
        property.combine(properties.columns.velocities[lane])
      }
      property.combine(byte: properties.isLate(slot) ? 1 : 0)
      sum &+= property.finish()
    }
    hasher.combine(sum)
    return hasher.finish()
  }
}

extension RuntimeEvent {
  /// Whether it concerns workers; such events are applied before transactions, in the order in which they arrived.
  fileprivate var concernsWorkers: Bool {
    switch self {
    case .update, .provisioned, .lost, .quarantined, .restored, .withheld, .planQuarantined: true
    case .commit, .stop, .withdraw, .input: false
    }
  }
}
