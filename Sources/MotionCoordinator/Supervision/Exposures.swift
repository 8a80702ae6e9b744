import MotionModel

/// The intentions that a worker was sent lately, which may be the cause of its death.
struct Exposures {
  /// An intention that the worker was sent.
  struct Exposure: Equatable {
    let identity: IntentionIdentity
    /// The command that it came with, or the last one before its snapshot.
    let command: UInt64
    let handedAt: Duration
    /// When the worker acknowledged it; `nil` before.
    var acknowledgedAt: Duration?
  }

  private var list: [Exposure] = []
  /// How many entries at the front are too old to matter.
  private var forgotten = 0
  /// The index of the first that is not acknowledged.
  private var firstOwed = 0

  /// Whether any of them is not acknowledged.
  var areOwed: Bool { firstOwed < list.count }

  mutating func add(_ identity: IntentionIdentity, command: UInt64, at now: Duration) {
    list.append(Exposure(identity: identity, command: command, handedAt: now))
  }

  /// Marks those up to a command as acknowledged, and forgets those that were acknowledged long ago. Costs only the
  /// change.
  mutating func acknowledge(_ command: UInt64, at now: Duration, forgetting age: Duration) {
    while firstOwed < list.count, list[firstOwed].command <= command {
      list[firstOwed].acknowledgedAt = now
      firstOwed += 1
    }
    while forgotten < firstOwed, let time = list[forgotten].acknowledgedAt, now - time > age { forgotten += 1 }
    // The front is removed when it is the larger part, so that removal takes constant time on average.
    guard forgotten > 0, forgotten * 2 >= list.count else { return }
    // After a large transaction this is megabytes, which an emptied array would keep.
    if forgotten == list.count { list = [] } else { list.removeFirst(forgotten) }
    firstOwed -= forgotten
    forgotten = 0
  }

  /// The worker has ended.
  ///
  /// - Returns: the intentions that it acknowledged at most `age` before `time`, or had not acknowledged, each once.
  mutating func end(at time: Duration, within age: Duration) -> [Exposure] {
    defer { self = Exposures() }
    var seen = Set<IntentionIdentity>()
    return list.filter { exposure in
      guard exposure.acknowledgedAt.map({ time - $0 <= age }) ?? true else { return false }
      return seen.insert(exposure.identity).inserted
    }
  }
}
