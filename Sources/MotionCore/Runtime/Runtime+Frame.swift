public import MotionModel
import MotionPhysics

extension Runtime {
  /// Runs a frame: applies what is due, steps what moves, updates executors, settles drivers (design §5).
  ///
  /// The caller sees to it that numbers have no gaps. Costs what moves, not what there is.
  public func run(_ frame: Frame) {
    precondition(frame.number == self.frame.number + 1, "frame \(frame.number) after frame \(self.frame.number)")
    self.frame = frame
    properties.begin(frame.number)
    isBetweenFrames = false
    applyDue(in: frame)
    isBetweenFrames = true
    stepBank(in: frame)
    updateExecutors(in: frame)
    moveOn(in: frame)
    tellReaders(in: frame)
    if computesHashes { frameHash = hash(of: frame) }
    refreshActivity()
    removeIdleExecutors(at: frame.time, all: !isActive)
  }

  /// Applies what was handed over: what workers said first, then transactions whose time has come, then the others.
  private func applyDue(in frame: Frame) {
    let events = pending
    pending = []
    for case .update(let worker, let update) in events { apply(.update(worker, update), in: frame) }
    for entry in waiting.take(dueAt: frame.time) {
      apply(.commit(sequence: entry.sequence, entry.transaction), in: frame)
    }
    for event in events {
      if case .update = event { continue }
      apply(event, in: frame)
    }
  }

  /// Steps everything that forces move, and tells the executors what has come to rest.
  private func stepBank(in frame: Frame) {
    guard bank.movingCount > 0 else { return }
    bank.step(dt: frame.dt)
    bank.forEachMoved { tag, value, velocity in
      properties.set(Int(tag), value: value, velocity: velocity)
    }
    for arrival in bank.arrivals {
      let slot = Int(arrival.tag)
      guard let actor = properties[slot].actor, let physics = executors[actor]?.executor as? PhysicsExecutor
      else { continue }
      physics.arrived(at: slot)
    }
    settle(in: frame)
  }

  /// Updates every executor that wants it, target by target.
  private func updateExecutors(in frame: Frame) {
    guard !updating.isEmpty else { return }
    if !updatingIsSorted {
      updating.sort { order(of: $0) < order(of: $1) }
      updatingIsSorted = true
    }
    for handle in updating {
      guard let record = executors[handle], let executor = record.executor as? any UpdatingExecutor else { continue }
      record.wantsUpdate = executor.update(frame)
    }
    for handle in updating {
      guard let record = executors[handle], !record.wantsUpdate else { continue }
      record.isListed = false
      refreshActivity(of: record)
    }
    updating.removeAll { executors[$0]?.isListed != true }
    settle(in: frame)
  }

  private func order(of handle: ExecutorHandle) -> (UInt64, UInt32) {
    (executors[handle]?.targetOrdinal ?? .max, handle.rawValue)
  }

  /// The hash of a frame and of everything that changed in it, in any order.
  private func hash(of frame: Frame) -> UInt64 {
    var hasher = StableHasher()
    hasher.combine(frame.number)
    hasher.combine(frame.time)
    hasher.combine(frame.dt)
    var sum: UInt64 = 0
    for slot in properties.changed {
      let entry = properties[slot]
      var lane = StableHasher(seed: UInt64(entry.handle.rawValue))
      for index in 0..<max(entry.lanes, 1) {
        lane.combine(entry.value[index])
        lane.combine(entry.velocity[index])
      }
      lane.combine(byte: entry.isLate ? 1 : 0)
      sum &+= lane.finish()
    }
    hasher.combine(sum)
    return hasher.finish()
  }

  // MARK: What came out

  /// A property that changed in the last frame, or between it and now.
  public struct Change {
    /// The property's short name.
    public let handle: PropertyHandle
    /// The property.
    public let reference: PropertyReference
    /// Where it is and how fast it moves.
    public let state: PropertyState
    /// Whether its driver is late or dead.
    public let isLate: Bool
  }

  /// The properties that changed in the last frame, each once, in the order of their first change.
  public var changes: some Sequence<Change> {
    properties.changed.lazy.map { [properties] slot in
      let entry = properties[slot]
      return Change(handle: entry.handle, reference: entry.reference, state: entry.state, isLate: entry.isLate)
    }
  }

  /// Every property, in the order of slots.
  public var allProperties: some Sequence<Change> {
    properties.occupied.lazy.map { [properties] slot in
      let entry = properties[slot]
      return Change(handle: entry.handle, reference: entry.reference, state: entry.state, isLate: entry.isLate)
    }
  }

  /// Takes out the plans that ended since the last call, in order.
  public func takeEnded() -> [EndedIntention] {
    defer { ended = [] }
    return ended
  }

  /// Takes out the record of the last frame: what was applied since the one before, and the hash of what came out.
  ///
  /// Call it after each frame while ``isRecording``; otherwise what is kept grows.
  public func takeRecord(skipped: UInt64 = 0) -> RecordedFrame {
    defer { (applied, appliedBetween) = ([], []) }
    return RecordedFrame(
      frame: frame, betweenFrames: appliedBetween, events: applied, skipped: skipped, hash: frameHash)
  }

  /// The simulated time for which the earliest transaction with an `at` waits.
  public var nextDueTime: Double? { waiting.earliest }
}
