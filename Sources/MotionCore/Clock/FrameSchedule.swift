public import MotionModel

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

  /// A clock that shows zero at `now` and is idle.
  ///
  /// - Precondition: the rate is within ``/MotionModel/Limits/rate``.
  public init(ratePerSecond: Double, at now: Duration) {
    precondition(Limits.rate.contains(ratePerSecond), "a rate is 1 to 1000 frames per second, not \(ratePerSecond)")
    self.ratePerSecond = ratePerSecond
    anchor = now
  }

  /// Continues from the state that another process left: time stood still meanwhile.
  ///
  /// - Precondition: no frame was taken yet.
  package mutating func restore(_ clock: ClockState, after frame: Frame, at now: Duration) {
    precondition(last.number == 0 && next == nil, "a clock goes on from a checkpoint at first")
    last = Frame(number: frame.number, time: frame.time, dt: frame.dt)
    (anchor, anchorTime) = (now, max(clock.time, frame.time))
    (speed, speedBefore, isPaused) = (clock.speed, clock.speed, clock.isPaused)
  }

  /// The boot time between frames.
  public var period: Duration { .seconds(1 / ratePerSecond) }

  /// Whether frames are being taken.
  public var isActive: Bool { next != nil }

  /// The simulated time at `now`, in seconds. While there is a next frame, it does not pass that frame's time. Except
  /// for the rounding of the last digits it never goes back.
  public func time(at now: Duration) -> Double {
    guard !isPaused else { return max(last.time, anchorTime) }
    let sinceAnchor = (now - anchor).seconds
    let time = max(last.time, anchorTime + sinceAnchor * (sinceAnchor < 0 ? speedBefore : speed))
    return min(time, next?.time ?? .infinity)
  }

  /// The simulated time, in seconds, of an outside event at `moment` of the boot clock, a little earlier or later than
  /// now. It uses the present speed. While time stands, every event belongs to the next frame.
  public func time(ofEventAt moment: Duration) -> Double {
    guard !isPaused else { return next?.time ?? max(anchorTime, last.time + speed / ratePerSecond) }
    let sinceAnchor = (moment - anchor).seconds
    return anchorTime + sinceAnchor * (sinceAnchor < 0 ? speedBefore : speed)
  }

  /// The state of simulated time at `now`.
  public func state(at now: Duration) -> ClockState {
    ClockState(time: time(at: now), speed: speed, isPaused: isPaused)
  }

  /// When a timer has to wake the caller that takes frames: `nil` while idle or paused.
  public var deadline: Duration? { isPaused || next == nil ? nil : anchor }

  /// When simulated time will have reached `time`, on the boot clock, rounded up; `nil` while paused.
  ///
  /// A time farther away than ``/MotionModel/Limits/durationSeconds`` counts as that far away.
  public func bootTime(of time: Double) -> Duration? {
    guard !isPaused else { return nil }
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
    let dt = speed / ratePerSecond
    let present = time(at: now)
    let time = max(present, last.time + dt)
    next = Frame(number: last.number + 1, time: time, dt: dt)
    guard !isPaused else { return anchorTime = present }
    (anchor, anchorTime, speedBefore) = (now + .seconds((time - present) / speed), time, speed)
  }

  /// Deactivates the schedule because nothing moves: no frame follows.
  public mutating func deactivate() {
    next = nil
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
    guard !isPaused, let frame = next, now >= anchor else { return nil }
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

  /// Takes the next frame now, while paused: a step.
  public mutating func step() -> Frame? {
    guard isPaused, let frame = next else { return nil }
    accept(frame)
    anchorTime = frame.time
    return frame
  }

  /// Lets time stand; the next frame stays as it was announced.
  public mutating func pause(at now: Duration) {
    guard !isPaused else { return }
    anchorTime = time(at: now)
    isPaused = true
  }

  /// Resumes time; a frame that had been announced is due when its time has come.
  public mutating func resume(at now: Duration) {
    guard isPaused else { return }
    let present = time(at: now)
    isPaused = false
    (anchor, anchorTime, speedBefore) = (now, present, speed)
    guard let next else { return }
    // Before the announced frame, time runs as it did at the announcement: the frame covers one period.
    speedBefore = next.dt * ratePerSecond
    (anchor, anchorTime) = (now + .seconds(max(0, next.time - present) / speedBefore), next.time)
  }

  /// Sets the speed to `speed` simulated seconds per second.
  ///
  /// - Precondition: the speed is within ``/MotionModel/Limits/speed``.
  public mutating func setSpeed(_ speed: Double, at now: Duration) {
    precondition(Limits.speed.contains(speed), "a speed is 0.000001 to 1000, not \(speed)")
    if next == nil, !isPaused { (anchorTime, anchor) = (time(at: now), now) }
    self.speed = speed
  }

  /// Makes `frame` the last one and plans the one after it.
  private mutating func accept(_ frame: Frame) {
    last = frame
    let dt = speed / ratePerSecond
    let planned = Frame(number: frame.number + 1, time: frame.time + dt, dt: dt)
    next = planned
    (anchorTime, speedBefore) = (planned.time, speed)
  }
}

extension Duration {
  /// The length in seconds, as a number; exact to 2⁻⁵³ of itself.
  var seconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }
}
