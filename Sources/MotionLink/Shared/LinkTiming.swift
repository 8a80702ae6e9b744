import MotionModel

/// The heartbeat intervals of both ends of a link, and how long each end waits for the other. All on the boot clock.
public struct LinkTiming: Hashable, Sendable {
  /// The interval between heartbeats while something moves. Five missed ones are one second, in which a dead worker is
  /// noticed even if the kernel does not report its end.
  public var heartbeatWhileActive = Duration.milliseconds(200)
  /// The interval between heartbeats while nothing moves: an idle machine may cost one wake-up a second.
  public var heartbeatWhileIdle = Duration.seconds(1)
  /// How many intervals may pass without a message of the other end. One heartbeat may be lost and one late; a longer
  /// silence has no other harmless cause.
  public var missedHeartbeats = 5
  /// The longest interval that the other end may announce, so that no peer announces an endless silence.
  public var longestInterval = Duration.seconds(10)
  /// How long a started process may take to send hello: a debug build on a busy machine needs two seconds.
  public var startLimit = Duration.seconds(10)
  /// The first wait before a request (hello, resync) is resent; each further wait is twice as long.
  public var firstRetry = Duration.milliseconds(200)
  /// The longest wait before a request is resent.
  public var longestRetry = Duration.seconds(1)
  /// How long a worker sends requests without an answer before it exits: longer than any pause of a coordinator that
  /// the worker should survive, and short enough that no orphaned process stays.
  public var unansweredLimit = Duration.seconds(60)
  /// How long a worker that was requested to shut down waits until its last events are acknowledged.
  public var drainLimit = Duration.milliseconds(500)
  /// How long a worker waits for the commands that a tick announced before it requests a snapshot. Ticks and commands
  /// come by different sockets, so that a tick may be early.
  public var tickTimeout = Duration.milliseconds(200)
  /// How long a worker waits before it resends unacknowledged events when no update carries them.
  public var eventRepeat = Duration.milliseconds(200)
  /// How late a deadline may be checked. A caller that checks later was suspended itself, and does not apply the
  /// timeout of the other end to that time.
  public var stall = Duration.milliseconds(300)

  /// The timing between processes of one machine.
  public static let local = LinkTiming()

  /// The timing over a network: the same intervals, three times the timeout.
  public static let network = {
    var timing = LinkTiming()
    timing.missedHeartbeats = 15
    return timing
  }()

  /// The lease that comes with an assignment, and the longest that is ever granted: as long as the silence of an idle
  /// peer is tolerated.
  public var firstLease: Duration { heartbeatWhileIdle * missedHeartbeats }

  /// The longest time that any granted lease can last, with its margin. After its own start, a coordinator waits this
  /// long before it gives the assignment of a silent holder to another process.
  public var longestLease: Duration { firstLease * (1 + Lease.margin) }

  /// The interval of heartbeats: no two are farther apart.
  func interval(isActive: Bool) -> Duration { isActive ? heartbeatWhileActive : heartbeatWhileIdle }

  /// When the heartbeat after one at `now` is due: at the next full interval of the boot clock, as for every other
  /// sender.
  func next(after now: Duration, isActive: Bool) -> Duration {
    Beat.next(after: now, every: interval(isActive: isActive))
  }
}
