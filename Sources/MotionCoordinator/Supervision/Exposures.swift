import MotionModel

/// What a worker was given lately: what a death of it may be due to.
struct Exposures {
  /// An intention that the worker was given.
  struct Exposure: Equatable {
    let identity: IntentionIdentity
    /// The command that it came with, or the last one before its snapshot.
    let command: UInt64
    let handedAt: Duration
    /// When the worker had taken it up; `nil` before.
    var acknowledgedAt: Duration?
  }

  private var list: [Exposure] = []
  /// How many of them were looked at and are too old to matter.
  private var forgotten = 0
  /// The first that is not acknowledged.
  private var firstOwed = 0

  /// Whether any of them is not acknowledged.
  var areOwed: Bool { firstOwed < list.count }

  mutating func add(_ identity: IntentionIdentity, command: UInt64, at now: Duration) {
    list.append(Exposure(identity: identity, command: command, handedAt: now))
  }

  /// Those up to a command are acknowledged, and those that have been for so long are forgotten. Costs what changes.
  mutating func acknowledge(_ command: UInt64, at now: Duration, forgetting age: Duration) {
    while firstOwed < list.count, list[firstOwed].command <= command {
      list[firstOwed].acknowledgedAt = now
      firstOwed += 1
    }
    while forgotten < firstOwed, let time = list[forgotten].acknowledgedAt, now - time > age { forgotten += 1 }
    // Cut off the front when it is the larger part, so that forgetting costs nothing in the mean.
    guard forgotten > 0, forgotten * 2 >= list.count else { return }
    // After a large transaction this is megabytes, which an emptied array would keep.
    if forgotten == list.count { list = [] } else { list.removeFirst(forgotten) }
    firstOwed -= forgotten
    forgotten = 0
  }

  /// The worker has ended.
  ///
  /// - Returns: what it was given at most so long before `time`, or had not acknowledged, each once.
  mutating func end(at time: Duration, within age: Duration) -> [Exposure] {
    defer { self = Exposures() }
    var seen = Set<IntentionIdentity>()
    return list.filter { exposure in
      guard exposure.acknowledgedAt.map({ time - $0 <= age }) ?? true else { return false }
      return seen.insert(exposure.identity).inserted
    }
  }
}
