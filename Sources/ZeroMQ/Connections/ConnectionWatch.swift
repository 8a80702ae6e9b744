/// Decides when a connection that libzmq has given up is made anew.
///
/// libzmq tries again by itself when a connection is closed, or does not come about. After an error of the protocol, garbage
/// or a refused key, it does not, and says nothing: a socket that only listens would be silent for ever. Both begin with the
/// same event; that it tries again follows at once (libzmq 4.3.4, `session_base_t::engine_error`).
struct ConnectionWatch {
  /// What libzmq tells of a connection.
  enum Event {
    /// It has ended.
    case ended
    /// libzmq tries to make it again.
    case triedAgain
  }

  /// The first wait. That libzmq tries again is told within a millisecond unless its thread does not get to run; whoever
  /// does not wait long enough makes a connection anew that would have come back, which does no harm.
  static let shortestWait = Duration.milliseconds(100)
  /// The longest wait; each one without a good connection between doubles it up to here. A peer that refuses us, or says
  /// nothing but garbage, hears of us twice in that time at most.
  static let longestWait = Duration.seconds(2)

  /// When it is to be made anew; `nil` while libzmq sees to it.
  private(set) var due: Duration?
  private var wait = ConnectionWatch.shortestWait
  /// When it was made last.
  private var began: Duration

  /// A connection that is made at this time.
  init(at now: Duration) { began = now }

  /// Takes note of what libzmq tells.
  mutating func note(_ event: Event, at now: Duration) {
    switch event {
    case .ended:
      // Whatever lasted so long was good for something.
      if now - began > Self.longestWait { wait = Self.shortestWait }
      due = now + wait
    case .triedAgain: due = nil
    }
  }

  /// Lets time pass: whether to make it anew now.
  mutating func elapsed(at now: Duration) -> Bool {
    guard let due, now >= due else { return false }
    self.due = nil
    wait = min(wait * 2, Self.longestWait)
    began = now
    return true
  }
}
