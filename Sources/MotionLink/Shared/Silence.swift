/// Judges how long the other end was not heard, by the interval that it announced itself.
struct Silence: Hashable, Sendable {
  /// When the other end was heard last.
  private(set) var lastHeard: Duration
  /// When it said it would be heard next, from then.
  private(set) var interval: Duration
  private let missed: Int
  private let longest: Duration

  /// Begins to listen at `now` to somebody who has announced nothing yet: the idle interval holds.
  init(_ timing: LinkTiming, at now: Duration) {
    lastHeard = now
    interval = timing.heartbeatWhileIdle
    missed = timing.missedHeartbeats
    longest = timing.longestInterval
  }

  /// How long it may last.
  var limit: Duration { interval * missed }

  /// When the silence has lasted too long.
  var deadline: Duration { lastHeard + limit }

  /// A valid message came, of whatever kind.
  mutating func heard(at now: Duration) { lastHeard = max(lastHeard, now) }

  /// The other end announced its next heartbeat in `seconds`. What is no sensible length of time changes nothing.
  mutating func announced(_ seconds: Double) {
    guard seconds.isFinite, seconds > 0 else { return }
    interval = min(.seconds(min(seconds, 3600)), longest)
  }

  /// The other end may be silent for the idle interval again: it greets, and greetings become rare.
  mutating func relax(_ timing: LinkTiming) { interval = timing.heartbeatWhileIdle }
}
