/// Decides when to check the runtime directory after a removal in it, and which action follows.
///
/// A removal of a directory takes a moment: files that are restored at once would be removed again.
struct RuntimeWatch {
  /// The action that follows from a check.
  enum Action: Equatable {
    /// None: everything is there.
    case nothing
    /// Restore the missing files.
    case restore
    /// End: the directory was removed so often, and each restoration costs descriptors that cannot be released.
    case giveUp
  }

  /// The delay between the first change and the check. In this time a tree of a dozen files is removed. It is much less
  /// than the second within which clients have to be able to connect again.
  static let settleTime = Duration.milliseconds(200)
  /// The first retry interval when the directory cannot be made; each retry doubles it up to ``longestRetry``.
  static let shortestRetry = Duration.milliseconds(500)
  /// The longest retry interval, so that motiond notices soon when there is room for the directory again, or it is
  /// given back.
  static let longestRetry = Duration.seconds(8)
  /// The most restorations: libzmq's old listeners stay, with six descriptors each time, because all connections that
  /// came through them would end with them.
  static let mostRestorations = 64

  /// When the next check is due; `nil` while nothing has changed.
  private(set) var due: Duration?
  private var restorations = 0
  private var retry = RuntimeWatch.shortestRetry

  /// Records a change in the directory.
  mutating func changed(at now: Duration) { due = due ?? now + Self.settleTime }

  /// Takes the result of a check.
  mutating func looked(isWhole: Bool) -> Action {
    due = nil
    if isWhole {
      retry = Self.shortestRetry
      return .nothing
    }
    return restorations < Self.mostRestorations ? .restore : .giveUp
  }

  /// Records a restoration; another check follows, to see whether it lasts.
  mutating func restored(at now: Duration) {
    restorations += 1
    retry = Self.shortestRetry
    due = now + Self.settleTime
  }

  /// Records that the directory could not be made.
  mutating func failed(at now: Duration) {
    due = now + retry
    retry = min(retry * 2, Self.longestRetry)
  }
}
