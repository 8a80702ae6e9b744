public import MotionModel
import MotionPhysics

/// Decides when frames are due and their simulated times: the schedule of a runtime, driven by the boot clock.
///
/// Simulated time runs at `speed` with the boot clock, idle or not; it stands only while paused and for skipped frames.
/// Frames exist only while the clock is active; their numbers have no gaps, and each covers speed ÷ rate. The next
/// frame is always known beforehand (``next``), because it is announced to workers. A change of speed affects the
/// frames after that one.
public struct FrameSchedule: Sendable {
  /// Frames per second of the boot clock.
  public let ratePerSecond: Double
  /// Simulated seconds per second.
  public private(set) var speed = 1.0
  /// Whether time stands.
  public private(set) var isPaused = false
  /// The hold in effect, if there is one.
  public private(set) var hold: ClockHold?
  /// The part of the speed at which time runs, in steps: fewer than ``paces`` while a hold slows time down, and after
  /// its release.
  private var pace: Int
  private var paces: Int
  /// The last frame that was taken.
  public private(set) var last = Frame(number: 0, time: 0, dt: 0)
  /// The next frame, while active: its time is fixed.
  public private(set) var next: Frame?
  /// How many frames were skipped so far because they were too late to catch up.
  public private(set) var skipped: UInt64 = 0

  /// Simulated time is `anchorTime` at `anchor`, from then on at `speed`, and before it at `speedBefore`: a change of
  /// speed waits for the next frame, and the anchor is that frame while there is one.
  private var anchor: Duration
  private var anchorTime = 0.0
  private var speedBefore = 1.0
  /// How long the first frame after a restart is at least: what was in motion was to move by then.
  private var gap = 0.0

  /// A clock that shows zero at `now` and is idle.
  ///
  /// - Precondition: the rate is within ``/MotionModel/Limits/rate``.
  public init(ratePerSecond: Double, at now: Duration) {
    precondition(Limits.rate.contains(ratePerSecond), "a rate is 1 to 1000 frames per second, not \(ratePerSecond)")
    self.ratePerSecond = ratePerSecond
    anchor = now
    paces = Self.paces(in: Limits.rampSeconds, at: ratePerSecond)
    pace = paces
  }

  private static func paces(in seconds: Double, at rate: Double) -> Int {
    max(1, Int((min(max(seconds, Limits.rampSeconds), Limits.longestRampSeconds) * rate).rounded(.up)))
  }

  /// Continues from the state that another process left: time stood still meanwhile.
  ///
  /// - Parameter isInMotion: whether frames followed each other there. Then the next one covers all the time since the
  ///   last, however long the frames of the other process were.
  /// - Precondition: no frame was taken yet.
  package mutating func restore(
    _ clock: ClockState, after frame: Frame, isInMotion: Bool = false, at now: Duration
  ) {
    precondition(last.number == 0 && next == nil, "a clock goes on from a checkpoint at first")
    last = Frame(number: frame.number, time: frame.time, dt: frame.dt)
    (anchor, anchorTime) = (now, max(clock.time, frame.time))
    gap = isInMotion ? min(anchorTime - frame.time, LinearStep.longestStep) : 0
    (speed, speedBefore, isPaused) = (clock.speed, clock.speed, clock.isPaused)
    // Whatever was in motion stands since the other process ended.
    hold = clock.hold
    pace = hold == nil ? paces : 0
  }

  /// The process that continues from there begins to take frames: time has stood until now.
  package mutating func begin(at now: Duration) { if next == nil { anchor = now } }

  /// Whether time stands because of a hold.
  public var isHeldStill: Bool { hold != nil && pace == 0 }
  /// Whether time stands: it is paused, or a hold has slowed it down.
  public var stands: Bool { isPaused || isHeldStill }
  /// The speed of the next frame: not 0, also while time stands.
  private var pacedSpeed: Double { pace == paces ? speed : speed * Double(max(pace, 1)) / Double(paces) }

  /// The boot time between frames.
  public var period: Duration { .seconds(1 / ratePerSecond) }

  /// Whether frames are being taken.
  public var isActive: Bool { next != nil }

  /// The simulated time at `now`, in seconds. While there is a next frame, it does not pass that frame's time. Except
  /// for the rounding of the last digits it never goes back.
  public func time(at now: Duration) -> Double {
    guard !stands else { return max(last.time, anchorTime) }
    let sinceAnchor = (now - anchor).seconds
    let time = max(last.time, anchorTime + sinceAnchor * (sinceAnchor < 0 ? speedBefore : speed))
    return min(time, next?.time ?? .infinity)
  }

  /// The simulated time, in seconds, of an outside event at `moment` of the boot clock, a little earlier or later than
  /// now. It uses the present speed. While time stands, every event belongs to the next frame.
  public func time(ofEventAt moment: Duration) -> Double {
    guard !stands else { return next?.time ?? max(anchorTime, last.time + speed / ratePerSecond) }
    let sinceAnchor = (moment - anchor).seconds
    return anchorTime + sinceAnchor * (sinceAnchor < 0 ? speedBefore : speed)
  }

  /// The state of simulated time at `now`.
  public func state(at now: Duration) -> ClockState {
    ClockState(time: time(at: now), speed: speed, isPaused: isPaused, hold: hold)
  }

  /// When a timer has to wake the caller that takes frames: `nil` while idle or paused.
  public var deadline: Duration? { stands || next == nil ? nil : anchor }

  /// When simulated time will have reached `time`, on the boot clock, rounded up; `nil` while paused.
  ///
  /// A time farther away than ``/MotionModel/Limits/durationSeconds`` counts as that far away.
  public func bootTime(of time: Double) -> Duration? {
    guard !stands else { return nil }
    let ahead = time - anchorTime
    // Rounded up by what a time of this size and a nanosecond cannot express: a timer set to it is not early.
    let margin = time.ulp / speed + 1e-9
    let wait = ahead / (ahead < 0 ? speedBefore : speed) + margin
    return anchor + .seconds(max(-Limits.durationSeconds, min(wait, Limits.durationSeconds)))
  }

  /// Activates the schedule because something moves. The next frame is due now and takes the present time. Its time is
  /// at least one period after the last, and it is due later if necessary.
  public mutating func activate(at now: Duration) {
    guard next == nil else { return }
    let paced = pacedSpeed
    let (present, dt) = (time(at: now), max(paced / ratePerSecond, gap))
    gap = 0
    let time = max(present, last.time + dt)
    next = Frame(number: last.number + 1, time: time, dt: dt)
    guard !stands else { return anchorTime = present }
    (anchor, anchorTime, speedBefore) = (now + .seconds((time - present) / paced), time, paced)
  }

  /// Deactivates the schedule because nothing moves: no frame follows.
  ///
  /// After a release time runs at its speed then.
  public mutating func deactivate() {
    next = nil
    if hold == nil { pace = paces }
  }

  /// A frame that is due at `now`.
  public struct Due: Hashable, Sendable {
    /// The frame.
    public var frame: Frame
    /// How many frames were skipped before it.
    public var skipped: UInt64
    /// How late it is.
    public var lateness: Duration
  }

  /// Takes the next frame if it is due. Call it until it returns `nil`: late frames are caught up one by one.
  ///
  /// Of more than four late frames (``/MotionModel/Limits/catchUpFrames``) the others are skipped: simulated time
  /// stands for them, so that nothing jumps.
  public mutating func take(at now: Duration) -> Due? {
    guard !stands, let frame = next, now >= anchor else { return nil }
    let behind = ((now - anchor).seconds * ratePerSecond).rounded(.down)
    // A pause of the machine of 10⁹ years would still be counted.
    let skips = UInt64(min(max(behind - Double(Limits.catchUpFrames), 0), 1e18))
    skipped += skips
    anchor += .seconds(Double(skips) / ratePerSecond)
    let lateness = now - anchor
    accept(frame)
    anchor += period
    return Due(frame: frame, skipped: skips, lateness: lateness)
  }

  /// Takes a frame at the present time if time has passed without frames before the next one, so that what begins does
  /// not begin at the last frame. While time stands it covers no time: nothing moves.
  public mutating func takeAfterRest(at now: Duration) -> Frame? {
    guard let next, next.time > last.time + next.dt else { return nil }
    guard stands else { return take(at: now)?.frame }
    accept(Frame(number: next.number, time: max(last.time, anchorTime), dt: 0))
    return last
  }

  /// Takes the next frame now, while paused: a step.
  public mutating func step() -> Frame? {
    guard isPaused, hold == nil, let frame = next else { return nil }
    accept(frame)
    anchorTime = frame.time
    return frame
  }

  /// Lets time stand; the next frame stays as it was announced.
  public mutating func pause(at now: Duration) {
    guard !isPaused else { return }
    anchorTime = time(at: now)
    isPaused = true
    if hold != nil { pace = 0 }
  }

  /// Resumes time; a frame that had been announced is due when its time has come.
  public mutating func resume(at now: Duration) {
    guard isPaused else { return }
    let present = time(at: now)
    isPaused = false
    guard !stands else { return anchorTime = present }
    run(from: present, at: now)
  }

  /// Time, which stood at `present`, runs from `now` on.
  private mutating func run(from present: Double, at now: Duration) {
    (anchor, anchorTime, speedBefore) = (now, present, speed)
    guard let next else { return }
    // Before the announced frame, time runs as it did at the announcement: the frame covers one period.
    speedBefore = next.dt * ratePerSecond
    (anchor, anchorTime) = (now + .seconds(max(0, next.time - present) / speedBefore), next.time)
  }

  /// Holds all motion: time slows down frame by frame until it stands, and stands until ``release(over:at:)``. Where no
  /// frame follows, or time is paused, it stands at once. During a hold only whether it refuses transactions is changed.
  ///
  /// - Parameter seconds: how long it slows down, at least ``/MotionModel/Limits/rampSeconds`` and at most
  ///   ``/MotionModel/Limits/longestRampSeconds`` of the boot clock.
  public mutating func hold(_ hold: ClockHold, over seconds: Double, at now: Duration) {
    guard self.hold == nil else {
      self.hold?.refuses = hold.refuses
      return
    }
    self.hold = hold
    setRamp(seconds)
    if next == nil || isPaused { standStill(at: now) }
  }

  /// During a hold, lets time stand at once: nothing moves.
  public mutating func standStill(at now: Duration) {
    guard hold != nil, pace > 0 else { return }
    anchorTime = time(at: now)
    pace = 0
  }

  /// Ends a hold: time speeds up frame by frame, in as many seconds.
  public mutating func release(over seconds: Double, at now: Duration) {
    guard hold != nil else { return }
    let (present, stood) = (time(at: now), isHeldStill)
    hold = nil
    setRamp(seconds)
    if next == nil || isPaused { pace = paces }
    if stood, !isPaused { run(from: present, at: now) }
  }

  /// Sets in how many frames time slows down or speeds up, and keeps its present part of the speed.
  private mutating func setRamp(_ seconds: Double) {
    let former = (pace, paces)
    paces = Self.paces(in: seconds, at: ratePerSecond)
    pace = Int((Double(former.0) / Double(former.1) * Double(paces)).rounded(.up))
  }

  /// Sets the speed to `speed` simulated seconds per second.
  ///
  /// - Precondition: the speed is within ``/MotionModel/Limits/speed``.
  public mutating func setSpeed(_ speed: Double, at now: Duration) {
    precondition(Limits.speed.contains(speed), "a speed is 0.000001 to 1000, not \(speed)")
    if next == nil, !stands { (anchorTime, anchor) = (time(at: now), now) }
    self.speed = speed
  }

  /// Makes `frame` the last one and plans the one after it.
  private mutating func accept(_ frame: Frame) {
    last = frame
    pace = hold == nil ? min(pace + 1, paces) : max(pace - 1, 0)
    let paced = pacedSpeed
    let dt = paced / ratePerSecond
    let planned = Frame(number: frame.number + 1, time: frame.time + dt, dt: dt)
    next = planned
    (anchorTime, speedBefore) = (stands ? frame.time : planned.time, paced)
  }
}

extension Duration {
  /// The length in seconds, as a number; exact to 2⁻⁵³ of itself.
  var seconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }
}
