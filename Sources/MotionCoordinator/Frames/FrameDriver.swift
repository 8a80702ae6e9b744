import LinuxSystem
import MotionCore
import MotionModel

/// Decides which frame runs next: one that is due by the clock, one before an event between frames, or one of a step
/// while time stands.
///
/// It only decides; its owner runs the frames. Each call is one event.
struct FrameDriver {
  /// A frame to run now.
  struct Run: Equatable {
    let frame: Frame
    /// How many frames were skipped before it.
    var skipped: UInt64 = 0
    /// How many skipped frames the log has to report now; 0 for none.
    var reportedSkips: UInt64 = 0
  }

  /// The frames of one turn of the loop: at most as many as are caught up, and no other after one that cost more than its
  /// period. One is always due then, and messages of workers and clients and requests to stop must be received between
  /// any two.
  struct Turn {
    private var frames = 0
    private var last: Duration?

    fileprivate mutating func permits(at now: Duration, period: Duration) -> Bool {
      defer { (frames, last) = (frames + 1, now) }
      return frames < Limits.catchUpFrames && last.map { now - $0 <= period } ?? true
    }
  }

  /// What follows from a change of whether frames are wanted.
  enum Change: Equatable {
    case none
    /// Frames begin, and this is the first. Workers are sent it now: one that was provisioned while time stands has not
    /// been sent the frame that is stepped next.
    case announce(Frame)
    /// No frame follows.
    case rest
  }

  /// The next part of a step.
  enum StepAction {
    /// Nothing is to be done now.
    case wait
    /// Run this frame, and call again.
    case run(Frame)
    /// The step has run all its frames.
    case finish
  }

  /// The counters of frames.
  struct Counters {
    var frames: UInt64 = 0
    var lateFrames: UInt64 = 0
    var stepTimeouts: UInt64 = 0
  }

  /// How many frames are stepped in one turn at most, so that a long step starves neither workers nor clients.
  static let stepsPerTurn = 64
  /// The interval between reports of skipped frames.
  static let skipReports = Duration.seconds(1)

  private(set) var clock: FrameSchedule
  /// The step in progress.
  private(set) var stepping: Stepping?
  /// The lateness of the frames that were due by the clock.
  private(set) var lateness = FrameLateness()
  private(set) var counters = Counters()
  /// The simulated time as the lines of the log show it.
  private let shownTime: SimulatedTime
  private var skips = ReportLimit(per: Self.skipReports)
  /// Whether something took effect between frames, after the last one. The next frame has it in its record.
  private(set) var hasEvents = false

  /// Drives the frames of a clock, whose time the log shows.
  init(_ clock: FrameSchedule, showing time: SimulatedTime) {
    (self.clock, shownTime) = (clock, time)
  }

  // MARK: The clock

  /// Something took effect between frames. If none are taken, one follows at once, so that the history and recordings have
  /// it; while time stands, the frame follows when time runs again.
  mutating func noteEvent() { hasEvents = true }

  /// A frame is taken.
  private mutating func count() {
    counters.frames += 1
    hasEvents = false
  }

  /// A turn begins: the log shows the present time.
  func showTime(at now: Duration) { shownTime.seconds = clock.time(at: now) }

  /// When the next frame, or a wait that only time ends, is due.
  ///
  /// - Parameters:
  ///   - due: the simulated time of the first transaction that waits for its time.
  ///   - write: when the journal needs the present time, so that no restart lets that transaction wait much longer.
  func deadline(forWaiting due: Double?, writingBy write: Duration?) -> Duration? {
    if let deadline = clock.deadline { return deadline }
    guard !clock.isActive, let due, let time = clock.bootTime(of: due) else { return nil }
    return write.map { min(time, $0) } ?? time
  }

  /// Takes the next frame if it is due. Call it until it returns `nil`, with one turn.
  mutating func take(at now: Duration, in turn: inout Turn) -> Run? {
    guard turn.permits(at: now, period: clock.period), let due = clock.take(at: now) else { return nil }
    count()
    // Lateness counts from the time at which the frame was due, before the skipped frames moved the schedule.
    lateness.add(due.lateness + clock.period * Int(min(due.skipped, 1_000_000)), at: now)
    if due.lateness > clock.period { counters.lateFrames += 1 }
    return Run(frame: due.frame, skipped: due.skipped, reportedSkips: skips.report(due.skipped, at: now) ?? 0)
  }

  /// Takes a frame at the present time if none are taken, before something takes effect between frames. Otherwise what
  /// begins would begin at the last frame, which may be long ago.
  mutating func takePresent(at now: Duration) -> Run? {
    guard !clock.isActive, !clock.stands else { return nil }
    clock.activate(at: now)
    guard let due = clock.take(at: now) else { return nil }
    count()
    return Run(frame: due.frame, skipped: due.skipped)
  }

  /// Takes a frame at the present time if time has passed without frames, before transactions that wait for the next one
  /// take effect at once.
  mutating func takeAfterRest(at now: Duration) -> Frame? {
    guard let frame = clock.takeAfterRest(at: now) else { return nil }
    count()
    return frame
  }

  /// Whether frames are wanted may have changed.
  ///
  /// - Parameters:
  ///   - isWanted: whether the runtime needs frames.
  ///   - time: the simulated time of the first transaction that waits for its time.
  mutating func update(isWanted: Bool, waitingFor time: Double?, at now: Duration) -> Change {
    let isDue = time.map { clock.time(at: now) >= $0 } ?? false
    guard isWanted || isDue || stepping != nil || hasEvents && !clock.stands else {
      guard clock.isActive else { return .none }
      clock.standStill(at: now)
      clock.deactivate()
      return .rest
    }
    guard !clock.isActive else { return .none }
    clock.activate(at: now)
    return clock.next.map { .announce($0) } ?? .none
  }

  /// The coordinator begins to take frames: time has stood until now.
  mutating func begin(at now: Duration) { clock.begin(at: now) }

  mutating func pause(at now: Duration) { clock.pause(at: now) }

  /// - Precondition: no step is in progress.
  mutating func resume(at now: Duration) {
    precondition(stepping == nil, "time resumes during a step")
    clock.resume(at: now)
  }

  /// - Parameter seconds: how long time slows down.
  mutating func hold(_ hold: ClockHold, over seconds: Double, at now: Duration) {
    clock.hold(hold, over: seconds, at: now)
  }

  mutating func release(over seconds: Double, at now: Duration) { clock.release(over: seconds, at: now) }

  /// - Throws: ``MotionModel/Refusal`` of a speed out of range.
  mutating func setSpeed(_ speed: Double, at now: Duration) throws(Refusal) {
    guard Limits.speed.contains(speed) else {
      throw Refusal(
        .value, field: "speed", "\(speed) is no speed",
        remedy: "Give \(Limits.speed.lowerBound) to \(Limits.speed.upperBound), or pause")
    }
    clock.setSpeed(speed, at: now)
  }

  // MARK: Steps

  /// Begins to run `frames` frames while time stands; ``nextStep(after:at:isAwaited:)`` returns them.
  ///
  /// - Throws: ``MotionModel/Refusal`` while time runs, during another step, and for more than
  ///   ``MotionModel/Limits/framesPerStep``.
  mutating func beginStepping(_ frames: UInt64, for requester: Requester, at now: Duration) throws(Refusal) {
    guard clock.hold == nil else {
      throw Refusal(.held, "motion is held", remedy: "Release it before stepping: motionctl release")
    }
    guard clock.isPaused else {
      throw Refusal(.value, "time runs", remedy: "Pause it before stepping: motionctl pause")
    }
    guard stepping == nil else {
      throw Refusal(.limit, "another step is under way", remedy: "Step again when it is done")
    }
    guard frames <= Limits.framesPerStep else {
      throw Refusal(
        .limit, "\(frames) frames are too many for one step", remedy: "Step \(Limits.framesPerStep) frames at a time")
    }
    stepping = Stepping(remaining: frames, deadline: now + Stepping.timeout, requester: requester)
  }

  /// Decides how the step in progress continues.
  ///
  /// - Parameters:
  ///   - steps: how many of its frames were run in this turn.
  ///   - isAwaited: whether a worker that needs the frame has not answered its tick yet.
  mutating func nextStep(after steps: Int, at now: Duration, isAwaited: (Frame) -> Bool) -> StepAction {
    guard var step = stepping, clock.isPaused, let next = clock.next else { return .wait }
    guard step.remaining > 0 else { return .finish }
    let (isTooLate, isAwaited) = (now >= step.deadline, isAwaited(next))
    step.isReady = isTooLate || !isAwaited
    stepping = step
    guard step.isReady, steps < Self.stepsPerTurn, let frame = clock.step() else { return .wait }
    if isTooLate, isAwaited { counters.stepTimeouts += 1 }
    count()
    step.remaining -= 1
    step.deadline = now + Stepping.timeout
    stepping = step
    return .run(frame)
  }

  /// Ends the step in progress, wherever it is.
  ///
  /// - Returns: the requester, who is answered now; `nil` if there is no step.
  mutating func finishStepping() -> Requester? { stepping.take()?.requester }
}
