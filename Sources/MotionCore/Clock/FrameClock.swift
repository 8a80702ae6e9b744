public import MotionModel

/// Decides when frames are due and what time they show: the clock of a runtime, fed with the boot clock.
///
/// Simulated time runs at `speed` with the boot clock, idle or not; it stands only while paused and for frames that had
/// to be skipped. Frames exist only while the clock is active; their numbers have no gaps, and each covers speed ÷ rate.
/// The next frame is always known beforehand (``next``), because workers are told of it; a change of speed affects the
/// frames after that one.
public struct FrameClock: Sendable {
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

  /// When the next frame is due, on the boot clock.
  private var due = Duration.zero
  /// Simulated time is `anchorTime` at `anchor`.
  private var anchor: Duration
  private var anchorTime = 0.0

  /// A clock that shows zero at `now` and is idle.
  ///
  /// - Precondition: the rate is within ``Limits/rate``.
  public init(ratePerSecond: Double, at now: Duration) {
    precondition(Limits.rate.contains(ratePerSecond), "a rate is 1 to 1000 frames per second, not \(ratePerSecond)")
    self.ratePerSecond = ratePerSecond
    anchor = now
  }

  /// The boot time between frames.
  public var period: Duration { .seconds(1 / ratePerSecond) }

  /// Whether frames are being taken.
  public var isActive: Bool { next != nil }

  /// The simulated time at `now`, in seconds; never less than that of the last frame.
  public func time(at now: Duration) -> Double {
    guard !isPaused else { return anchorTime }
    return max(last.time, anchorTime + (now - anchor).seconds * speed)
  }

  /// How time runs at `now`.
  public func state(at now: Duration) -> ClockState {
    ClockState(time: time(at: now), speed: speed, isPaused: isPaused)
  }

  /// When a timer has to wake whoever takes frames: `nil` while idle or paused.
  public var deadline: Duration? { isPaused || next == nil ? nil : due }

  /// When simulated time will be `time`, on the boot clock; `nil` while paused.
  public func bootTime(of time: Double) -> Duration? {
    isPaused ? nil : anchor + .seconds((time - anchorTime) / speed)
  }

  /// Something moves: the next frame is due now and takes the present time, one period after the last at the earliest.
  public mutating func activate(at now: Duration) {
    guard next == nil else { return }
    let dt = speed / ratePerSecond
    let earliest = last.number == 0 ? 0 : last.time + dt
    let present = time(at: now)
    next = Frame(number: last.number + 1, time: max(present, earliest), dt: dt)
    due = present < earliest ? now + .seconds((earliest - present) / speed) : now
  }

  /// Nothing moves any more: no frame follows.
  public mutating func deactivate() { next = nil }

  /// What is due at `now`.
  public struct Due: Hashable, Sendable {
    /// Whether the next frame is due.
    public var frame: Frame?
    /// How many frames were skipped before it.
    public var skipped: UInt64
    /// How late it is.
    public var lateness: Duration
  }

  /// Takes the next frame if it is due. Ask again until there is none: what is late is caught up frame by frame.
  ///
  /// Of more than four late frames (``Limits/catchUpFrames``) the others are skipped: simulated time stands for them, so
  /// that nothing jumps.
  public mutating func take(at now: Duration) -> Due? {
    guard !isPaused, let frame = next, now >= due else { return nil }
    let late = now - due
    var skips: UInt64 = 0
    let behind = Int(min(late.seconds * ratePerSecond, 1e15))
    if behind > Limits.catchUpFrames {
      skips = UInt64(behind - Limits.catchUpFrames)
      let lost = Duration.seconds(Double(skips) / ratePerSecond)
      due += lost
      anchor += lost
      skipped += skips
    }
    let lateness = now - due
    accept(frame)
    due += period
    return Due(frame: frame, skipped: skips, lateness: lateness)
  }

  /// Takes the next frame now, while paused: a step.
  public mutating func step() -> Frame? {
    guard isPaused, let frame = next else { return nil }
    accept(frame)
    return frame
  }

  /// Lets time stand.
  public mutating func pause(at now: Duration) {
    guard !isPaused else { return }
    anchorTime = next == nil ? time(at: now) : last.time
    anchor = now
    isPaused = true
  }

  /// Lets time run on; a frame that had been announced is due one period from now.
  public mutating func resume(at now: Duration) {
    guard isPaused else { return }
    isPaused = false
    anchor = now
    guard let next else { return }
    due = now + period
    (anchorTime, anchor) = (next.time, due)
  }

  /// Lets time run at `speed` simulated seconds per second.
  ///
  /// - Precondition: the speed is above 0 and at most ``Limits/speed``.
  public mutating func setSpeed(_ speed: Double, at now: Duration) {
    precondition(speed > 0 && speed <= Limits.speed, "a speed is above 0 and at most 1000, not \(speed)")
    if let next, !isPaused {
      (anchorTime, anchor) = (next.time, due)
    } else {
      (anchorTime, anchor) = (time(at: now), now)
    }
    self.speed = speed
  }

  /// Makes `frame` the last one and plans the one after it.
  private mutating func accept(_ frame: Frame) {
    last = frame
    let dt = speed / ratePerSecond
    next = Frame(number: frame.number + 1, time: frame.time + dt, dt: dt)
    if isPaused { anchorTime = frame.time }
  }
}

extension Duration {
  /// The length in seconds, as a number; exact to 2⁻⁵³ of itself.
  var seconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }
}
