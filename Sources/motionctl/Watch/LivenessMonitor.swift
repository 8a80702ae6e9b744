/// Detects that a silent daemon is gone, and that it is back.
///
/// Silence alone is normal: where nothing moves, nothing is sent. The monitor decides when to check, and the caller
/// checks.
struct LivenessMonitor {
  /// The duration of silence before the first check, and the interval between checks.
  static let timeout = Duration.seconds(1)

  /// A change of the daemon's state.
  enum Change: Equatable {
    /// It was reachable, and no longer is.
    case lost
    /// It was gone, and is reachable again.
    case returned
  }

  /// Whether the daemon was gone at the last check.
  private(set) var isLost = false
  private var nextLook: ContinuousClock.Instant

  /// Starts with a reachable daemon.
  init(at now: ContinuousClock.Instant) {
    nextLook = now + Self.timeout
  }

  /// Records that a message was received, which proves that the daemon runs.
  mutating func heard(at now: ContinuousClock.Instant) -> Change? {
    nextLook = now + Self.timeout
    defer { isLost = false }
    return isLost ? .returned : nil
  }

  /// Checks whether the daemon is reachable, if a check is due.
  mutating func look(at now: ContinuousClock.Instant, _ isReachable: () -> Bool) -> Change? {
    guard now >= nextLook else { return nil }
    nextLook = now + Self.timeout
    let wasLost = isLost
    isLost = !isReachable()
    if isLost == wasLost { return nil }
    return isLost ? .lost : .returned
  }
}
