/// Decides when to look after the runtime directory, of which somebody else has removed something, and what to make of it.
///
/// Whoever removes a directory goes on for a moment: what is made again at once would be removed again.
struct RuntimeWatch {
  /// What to do about what was found.
  enum Action: Equatable {
    /// Nothing: all is there.
    case nothing
    /// To make again what is missing.
    case restore
    /// To end: it was removed so often that each time costs descriptors which nobody can give back.
    case giveUp
  }

  /// How long after the first change it is looked at: the time in which a tree of a dozen files is removed, and much less
  /// than the second within which clients are to be able to connect again.
  static let settleTime = Duration.milliseconds(200)
  /// How soon it is tried again when it cannot be made; each time doubles that up to ``longestRetry``.
  static let shortestRetry = Duration.milliseconds(500)
  /// The longest wait: whoever makes room for it, or gives it back, is not kept waiting.
  static let longestRetry = Duration.seconds(8)
  /// How often it is made again: libzmq's old listeners stay, with six descriptors each time, because all connections that
  /// came by them end with them.
  static let mostRestorations = 64

  /// When it is to be looked at; `nil` while nothing has changed.
  private(set) var due: Duration?
  private var restorations = 0
  private var retry = RuntimeWatch.shortestRetry

  /// Something in it has changed.
  mutating func changed(at now: Duration) { due = due ?? now + Self.settleTime }

  /// It was looked at.
  mutating func looked(isWhole: Bool) -> Action {
    due = nil
    if isWhole {
      retry = Self.shortestRetry
      return .nothing
    }
    return restorations < Self.mostRestorations ? .restore : .giveUp
  }

  /// It was made again; whether it stays is looked at once more.
  mutating func restored(at now: Duration) {
    restorations += 1
    retry = Self.shortestRetry
    due = now + Self.settleTime
  }

  /// It could not be made.
  mutating func failed(at now: Duration) {
    due = now + retry
    retry = min(retry * 2, Self.longestRetry)
  }
}
