import MotionModel

/// How often both ends of a link are to be heard, and how long each waits for the other. All on the boot clock.
public struct LinkTiming: Hashable, Sendable {
  /// Between heartbeats while something moves: five missed ones are one second, in which a dead worker is noticed even
  /// if the kernel does not tell of it.
  public var heartbeatWhileActive = Duration.milliseconds(200)
  /// Between heartbeats while nothing moves: one wake-up a second is what an idle machine may cost.
  public var heartbeatWhileIdle = Duration.seconds(1)
  /// How many intervals the other end may miss: one may be lost and one late, and there is no third excuse.
  public var missedHeartbeats = 5
  /// The longest interval that the other end may claim, so that nobody announces silence for ever.
  public var longestInterval = Duration.seconds(10)
  /// How long a process that was started may take to say hello: a debug build on a busy machine needs two seconds.
  public var startLimit = Duration.seconds(10)
  /// The first wait before a request (hello, resync) is sent again; each further wait is twice as long.
  public var firstRetry = Duration.milliseconds(200)
  /// The longest wait before a request is sent again.
  public var longestRetry = Duration.seconds(1)
  /// How long a worker asks without an answer before it exits: longer than any pause of a coordinator that it should
  /// live through, short enough that no forgotten process stays.
  public var unansweredLimit = Duration.seconds(60)
  /// How long a worker that was told to shut down waits until its last events are acknowledged.
  public var drainLimit = Duration.milliseconds(500)
  /// How long a worker waits for the commands that a tick announced before it asks for a snapshot. Ticks and commands
  /// come by different sockets, so that a tick may be early.
  public var tickTimeout = Duration.milliseconds(200)
  /// How long a worker waits before it says unacknowledged events again when no update carries them.
  public var eventRepeat = Duration.milliseconds(200)
  /// How late a deadline may be looked at: who is later was stopped itself, and does not judge the other end by it.
  public var stall = Duration.milliseconds(300)

  /// What holds between processes of one machine.
  public static let local = LinkTiming()

  /// What holds over a network: the same intervals, three times the timeout.
  public static let network = {
    var timing = LinkTiming()
    timing.missedHeartbeats = 15
    return timing
  }()

  /// The lease that comes with an assignment, and the longest that is ever granted: as long as the silence of somebody idle is
  /// borne.
  public var firstLease: Duration { heartbeatWhileIdle * missedHeartbeats }

  /// How long any lease can last that was granted, with its margin: what a coordinator waits after its own start before it
  /// gives the assignment of somebody whom it does not hear to another.
  public var longestLease: Duration { firstLease * (1 + Lease.margin) }

  /// The interval of heartbeats: no two are farther apart.
  func interval(isActive: Bool) -> Duration { isActive ? heartbeatWhileActive : heartbeatWhileIdle }

  /// When the heartbeat after one at `now` is due: at the next full interval of the boot clock, like everybody else's.
  func next(after now: Duration, isActive: Bool) -> Duration {
    Beat.next(after: now, every: interval(isActive: isActive))
  }
}
