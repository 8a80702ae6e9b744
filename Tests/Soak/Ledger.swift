import MotionWire
import Synchronization
import ZeroMQ

/// What clients were told, and what was found: of all threads.
final class Ledger: Sendable {
  struct State: Sendable {
    /// The plans that have to be there, by target, with their sequences.
    var live: [String: UInt64] = [:]
    var receipts = 0
    /// Commits that were refused because nothing could be written, and made again.
    var refusals = 0
    var slowest = Duration.zero
    var problems: [String] = []
    var frames = 0
    var missed: UInt64 = 0
    var restartsSeen = 0
    /// The largest step that no velocity explains, by what was watched.
    var jumps: [String: Double] = [:]
    var audits = 0
  }

  private let state = Mutex(State())
  private let paused = Atomic(false)
  private let over = Atomic(false)
  /// How many threads have seen that it is paused, or have ended.
  private let resting = Atomic(0)
  private let ended = Atomic(0)

  func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

  var now: State { state.withLock { $0 } }

  /// Something is not as it should be. The first fifty are kept.
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
