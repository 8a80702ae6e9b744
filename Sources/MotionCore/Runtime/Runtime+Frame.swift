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
    log.beginFrame()
    movement.properties.begin(frame.number)
    drivers.moves.beginFrame()
    applyDue()
    drivers.settle()
    drivers.moves.settle()
    let updated = activity.takeUpdating()
    stepBank()
    position.endMoment()
    settleArrivals()
    update(updated)
    drivers.moveOn()
    movement.properties.govern(frame)
    log.noteHolds(of: movement)
    retirement.endLingering()
    drivers.settle()
    updates.applyEndings()
    transactions.reportSuperseded()
    drivers.tellReaders()
    log.noteResult(movement)
    movement.properties.end()
    position.phase = .idle
    activity.refresh()
    removeIdleExecutors()
    log.endFrame()
  }

  /// Applies the waiting events: first those that concern workers, then plans and transactions whose time has come, then client
  /// events and input in order of arrival. If a client commits a plan and then sends input for its target, the plan
  /// receives the input.
  private func applyDue() {
    let events = queue.takePending() + plans.inputs.takeWaiting()
    for event in events where event.concernsWorkers { apply(event) }
    drivers.beginDelayed(dueAt: frame.time)
    for entry in queue.waiting.take(dueAt: frame.time) {
      position.phase = .applying(isStored: entry.isStored)
      apply(.commit(sequence: entry.sequence, entry.transaction))
      position.phase = .applying(isStored: false)
    }
    for event in events where !event.concernsWorkers {
      position.phase = .applying(isStored: queue.isStored(event))
      apply(event)
    }
    position.phase = .moving
  }

  /// Steps everything that forces move.
  private func stepBank() {
    movement.bank.step(dt: frame.dt)
    movement.properties.follow(movement.bank)
    drivers.failOverflowed()
  }

  /// Notifies the executors of the properties that have come to rest.
  private func settleArrivals() {
    drivers.takeArrivals()
    drivers.settle()
  }

  /// Removes the executors that have been idle for long enough or, when no frame follows, all idle ones.
  func removeIdleExecutors() {
    guard retirement.removeIdleExecutors() else { return }
    activity.refresh()
  }

  /// Updates executors, and removes those from the list that want no further frame.
  private func update(_ handles: [ExecutorHandle]) {
    guard !handles.isEmpty else { return }
    for handle in handles {
      guard let record = plans.executors[handle], let executor = record.updating else { continue }
      record.wantsUpdate = executor.update(frame)
    }
    drivers.settle()
    activity.endUpdating()
  }

  /// The longest time that a frame can cover, in seconds: thirty years.
  public static let longestFrame = LinearStep.longestStep

  /// Runs the next frame, one period of ``ratePerSecond`` after the last: what a program without a clock calls.
  ///
  /// Runs it whether or not anything moves, so that simulated time continues.
  public func advance() {
    advance(by: 1 / ratePerSecond)
  }

  /// Runs the next frame, `seconds` of simulated time after the last.
  ///
  /// - Precondition: the time is above 0 and at most ``longestFrame``.
  public func advance(by seconds: Double) {
    precondition(
      seconds > 0 && seconds <= Self.longestFrame, "a frame covers a time above 0 and a limit, not \(seconds) s")
    run(Frame(number: frame.number + 1, time: frame.time + seconds, dt: seconds))
  }

  /// Runs frames of one period as long as they have something to do (``wantsFrames``), at most `limit` of them.
  ///
  /// - Returns: how many frames were run.
  @discardableResult
  public func advanceUntilRest(limit: Int = 100_000) -> Int {
    var frames = 0
    while wantsFrames, frames < limit {
      advance()
      frames += 1
    }
    return frames
  }

  /// Whether the next frame has something to do.
  ///
  /// An active runtime may want no frame: while executors hold tokens, or plans are owed to absent workers, nothing
  /// moves until something is submitted. Work that a frame left to the next, so as not to be late itself, needs that
  /// frame.
  public var wantsFrames: Bool { activity.wantsFrames }

  /// Whether anything moves, or may move with the next frame, an executor holds a token, or a plan is owed to a worker.
  ///
  /// Frames have something to do only while ``wantsFrames``.
  public var isActive: Bool { activity.isActive }

  /// Whether a worker needs the next tick: an executor in it needs updates, or has not acknowledged a command.
  public func wantsFrames(_ worker: WorkerAddress) -> Bool { workers.records[worker]?.activity.wantingFrames ?? 0 > 0 }

  /// Whether an executor in a worker is active: it needs frames, holds a token, or is owed something.
  public func isActive(_ worker: WorkerAddress) -> Bool { workers.records[worker]?.activity.active ?? 0 > 0 }
}
