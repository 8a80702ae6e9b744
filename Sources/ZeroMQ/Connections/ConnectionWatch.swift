/// Decides when to reconnect after libzmq has given up a connection.
///
/// libzmq reconnects by itself when a connection closes or cannot be established. After a protocol error, garbage or a
/// refused key it does not, and reports nothing: a socket that only receives would be silent for ever. Both cases begin
/// with the same event. If libzmq reconnects, its second event follows at once (libzmq 4.3.4,
/// `session_base_t::engine_error`).
struct ConnectionWatch {
  /// A libzmq event of a connection.
  enum Event {
    /// The connection has closed.
    case ended
    /// libzmq reconnects.
    case triedAgain
  }

  /// The first delay. libzmq reports its own reconnect within a millisecond, unless its thread does not run. If the
  /// delay is too short, a connection is replaced that libzmq would have restored, which does no harm.
  static let shortestWait = Duration.milliseconds(100)
  /// The longest delay. Each failed connection doubles the delay up to this value. A peer that refuses the connection,
  /// or sends only garbage, gets at most two attempts in this time.
  static let longestWait = Duration.seconds(2)

  /// When to reconnect; `nil` while libzmq maintains the connection.
  private(set) var due: Duration?
  private var wait = ConnectionWatch.shortestWait
  /// The time of the last connect.
  private var began: Duration

  /// A connection that is made at this time.
  init(at now: Duration) { began = now }

  /// Records an event from libzmq.
  mutating func note(_ event: Event, at now: Duration) {
    switch event {
    case .ended:
      // A connection that lasted this long was good: the delay starts again from its shortest.
      if now - began > Self.longestWait { wait = Self.shortestWait }
      due = now + wait
    case .triedAgain: due = nil
    }
  }

  /// Whether to reconnect now.
  mutating func elapsed(at now: Duration) -> Bool {
    guard let due, now >= due else { return false }
    self.due = nil
    wait = min(wait * 2, Self.longestWait)
    began = now
    return true
  }
}
