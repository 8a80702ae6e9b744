/// The state of simulated time.
public struct ClockState: Hashable, Sendable {
  /// The simulated time, in seconds since the runtime's start.
  public var time = 0.0
  /// Simulated seconds per second.
  public var speed = 1.0
  /// Whether simulated time is paused.
  public var isPaused = false
  /// The hold in effect, if there is one.
  public var hold: ClockHold?
  /// Whether time stands, or is about to: it is paused or held.
  public var stands: Bool { isPaused || hold != nil }

  /// Creates a clock at time zero, running at speed 1.
  public init() {}

  /// Creates a clock in this state.
  public init(time: Double, speed: Double, isPaused: Bool, hold: ClockHold? = nil) {
    self.time = time
    self.speed = speed
    self.isPaused = isPaused
    self.hold = hold
  }
}

/// A hold: simulated time slows down until it stands, and stands until a release, also over restarts.
public struct ClockHold: Hashable, Sendable {
  /// Whether transactions are refused meanwhile. Otherwise they are accepted and wait.
  public var refuses: Bool
  /// When it began: nanoseconds since 1970. A client sends 0; motiond sets it.
  public var since: Int64
  /// The client that began it, as its connection identifies it. motiond sets it.
  public var by: Committer

  /// Creates a hold.
  public init(refuses: Bool = false, since: Int64 = 0, by: Committer = Committer()) {
    (self.refuses, self.since, self.by) = (refuses, since, by)
  }
}

/// A point in time, by two clocks of the daemon.
public struct Moment: Hashable, Sendable {
  /// The simulated time, in seconds since the runtime's start.
  public var time: Double
  /// The wall clock, in nanoseconds since 1970. It can be set at any time; no motion depends on it.
  public var wallTime: Int64

  /// Creates a moment.
  public init(time: Double, wallTime: Int64) {
    self.time = time
    self.wallTime = wallTime
  }
}

/// A client's command to simulated time.
public enum ClockCommand: Hashable, Sendable {
  /// Pause simulated time.
  case pause
  /// Resume simulated time.
  case resume
  /// Run simulated time at this many simulated seconds per second, above 0.
  case speed(Double)
  /// While paused, run this many frames, as fast as the workers answer.
  case step(UInt64)
  /// Slow simulated time down until it stands, and let it stand until a release, also over restarts.
  case hold(ClockHold)
  /// End a hold: time speeds up again.
  case release
}
