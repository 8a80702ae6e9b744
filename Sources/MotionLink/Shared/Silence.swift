/// The liveness timeout of the other end, based on the heartbeat interval that it announced itself.
struct Silence: Hashable, Sendable {
  /// When the last message of the other end was received.
  private(set) var lastHeard: Duration
  /// The interval after which the other end announced its next message, counted from then.
  private(set) var interval: Duration
  private let missed: Int
  private let longest: Duration

  /// Starts the timeout at `now` for a peer that has not announced an interval yet: the idle interval applies.
  init(_ timing: LinkTiming, at now: Duration) {
    lastHeard = now
    interval = timing.heartbeatWhileIdle
    missed = timing.missedHeartbeats
    longest = timing.longestInterval
  }

  /// How long the silence may last.
  var limit: Duration { interval * missed }

  /// When the silence has lasted too long.
  var deadline: Duration { lastHeard + limit }

  /// A valid message of any kind was received.
  mutating func heard(at now: Duration) { lastHeard = max(lastHeard, now) }

  /// The other end announced its next heartbeat in `seconds`. A value that is not finite or not positive changes
  /// nothing.
  mutating func announced(_ seconds: Double) {
    guard seconds.isFinite, seconds > 0 else { return }
    interval = min(.seconds(min(seconds, 3600)), longest)
  }

  /// The other end may be silent for the idle interval again: it sends hello, and retries of hello become rare.
  mutating func relax(_ timing: LinkTiming) { interval = timing.heartbeatWhileIdle }
}
