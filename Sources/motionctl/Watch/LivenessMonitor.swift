/// Notices that a daemon which says nothing is gone, and that it is back.
///
/// Silence alone means nothing: where nothing moves, nothing is said. It decides when to look, and does not look itself.
struct LivenessMonitor {
  /// How long a silence lasts before somebody looks, and how often then.
  static let timeout = Duration.seconds(1)

  /// What became of the daemon.
  enum Change: Equatable {
    /// It was there, and is no longer.
    case lost
    /// It was gone, and is there again.
    case returned
  }

  /// Whether the daemon was gone when somebody looked last.
  private(set) var isLost = false
  private var nextLook: ContinuousClock.Instant

  /// Begins with a daemon that is there.
  init(at now: ContinuousClock.Instant) {
    nextLook = now + Self.timeout
  }

  /// Takes note that something was heard, which says that the daemon is there.
  mutating func heard(at now: ContinuousClock.Instant) -> Change? {
    nextLook = now + Self.timeout
    defer { isLost = false }
    return isLost ? .returned : nil
  }

  /// Looks whether the daemon is there, if it is time to.
  mutating func look(at now: ContinuousClock.Instant, _ isReachable: () -> Bool) -> Change? {
    guard now >= nextLook else { return nil }
    nextLook = now + Self.timeout
    let wasLost = isLost
    isLost = !isReachable()
    if isLost == wasLost { return nil }
    return isLost ? .lost : .returned
  }
}
