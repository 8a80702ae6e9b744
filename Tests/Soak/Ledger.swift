import MotionWire
import Synchronization
import ZeroMQ

/// The acknowledgements that clients received, and the findings: shared by all threads.
final class Ledger: Sendable {
  struct State: Sendable {
    /// The plans that have to exist, by target, with their sequences.
    private(set) var live: [String: UInt64] = [:]
    /// Those of them that were not yet compared with the present plans.
    private var fresh: Set<String> = []
    private(set) var receipts = 0
    /// The number of acknowledged plans that were compared with the present ones at least once.
    private(set) var compared = 0
    /// The number of comparisons: most plans are compared more than once.
    private(set) var comparisons = 0
    /// Commits that were refused because nothing could be written, and repeated.
    var refusals = 0
    var slowest = Duration.zero
    var problems: [String] = []
    var frames = 0
    /// The messages that the subscriber beside motiond missed, and the one behind the bad network.
    var missedBeside: UInt64 = 0
    var missedAfar: UInt64 = 0
    var restartsSeen = 0
    /// The largest step that no velocity explains, by watched property.
    var jumps: [String: Double] = [:]
    private(set) var audits = 0
    /// Those of them that came right after a start of motiond.
    private(set) var auditsOfStarts = 0

    /// A commit was acknowledged: it added a plan to this target, and removed those of others.
    mutating func acknowledge(_ target: String, _ sequence: UInt64, forgetting old: [String]) {
      receipts += 1
      live[target] = sequence
      fresh.insert(target)
      for target in old {
        live[target] = nil
        fresh.remove(target)
      }
    }

    /// Compares the present plans with the acknowledged ones. No client may commit meanwhile.
    ///
    /// - Parameters:
    ///   - there: the plans that there are, by target, with their sequences.
    ///   - isOfStart: whether motiond was started since the one before.
    /// - Returns: the differences from the acknowledged plans.
    mutating func audit(_ there: [String: UInt64], isOfStart: Bool) -> [String] {
      audits += 1
      auditsOfStarts += isOfStart ? 1 : 0
      compared += fresh.count
      comparisons += live.count
      fresh = []
      let wrong = live.filter { there[$0.key] != $0.value }.map { target, sequence in
        "\(target) was acknowledged as \(sequence) and is \(there[target].map { "\($0)" } ?? "not there")"
      }
      let strange = there.keys.filter { live[$0] == nil }.map { "\($0) is there, and was not acknowledged" }
      return wrong.sorted() + strange.sorted()
    }
  }

  private let state = Mutex(State())
  private let paused = Atomic(false)
  private let over = Atomic(false)
  /// How many threads have detected the pause, or have ended.
  private let resting = Atomic(0)
  private let ended = Atomic(0)

  func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

  var now: State { state.withLock { $0 } }

  /// Records a problem. The first fifty are kept.
  func problem(_ text: String) {
    change { if $0.problems.count < 50 { $0.problems.append(text) } }
    tell("PROBLEM: \(text)")
  }

  var isPaused: Bool {
    get { paused.load(ordering: .acquiring) }
    set { paused.store(newValue, ordering: .releasing) }
  }

  var isOver: Bool { over.load(ordering: .acquiring) }

  func end() { over.store(true, ordering: .releasing) }

  func rest(_ isResting: Bool) { resting.add(isResting ? 1 : -1, ordering: .acquiringAndReleasing) }
  var restingCount: Int { resting.load(ordering: .acquiring) }

  func finish() { ended.add(1, ordering: .acquiringAndReleasing) }
  var endedCount: Int { ended.load(ordering: .acquiring) }
}
