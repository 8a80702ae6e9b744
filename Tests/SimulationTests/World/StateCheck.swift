import MotionModel
import Synchronization

@testable import MotionCoordinator
@testable import MotionCore

/// Checks that the states which the history's thread delivers are those of the loop's runtime, to the last bit, and that
/// the history lacks no event while nothing moves.
final class StateCheck: Sendable {
  /// The state is checked after one of so many moments.
  private static let interval = 61

  private let differences = Mutex<[String]>([])
  private let moments = Atomic<Int>(0)
  private let delivered = Atomic<Bool>(false)

  /// Whether a state was delivered.
  var paths: [Census.Path] { delivered.load(ordering: .relaxed) ? [.stateDelivered] : [] }

  /// Requests the present state, after some moments.
  func look(at coordinator: isolated Coordinator) {
    let runtime = coordinator.runtime
    if let history = coordinator.history, history.isKept, history.hasTrailing, !coordinator.clock.isActive,
      !coordinator.clock.stands
    {
      differences.withLock { $0.append("the history lacks an event after frame \(runtime.frame.number)") }
    }
    // Before the first frame, the loop alone notes that time has stood since the start; no move is there yet.
    guard runtime.frame.number > 0 else { return }
    guard moments.add(1, ordering: .relaxed).newValue % Self.interval == 0, coordinator.history?.isKept == true,
      let expected = runtime.snapshot()
    else { return }
    try? coordinator.deliverState(to: { self.compare($0, with: expected) }, at: coordinator.machine.now)
  }

  /// Takes out what was found since the last call.
  func take() -> [String] {
    differences.withLock { differences in
      defer { differences = [] }
      return differences
    }
  }

  private func compare(_ state: Result<RecordingHeader, Refusal>, with expected: RuntimeSnapshot) {
    guard case .success(let header) = state, let snapshot = header.snapshot else { return }
    delivered.store(true, ordering: .relaxed)
    let problem: String?
    do {
      let (found, expected) = (try Self.restored(snapshot, header), try Self.restored(expected, header))
      problem = found == expected ? nil : Self.parts(of: found, differingFrom: expected)
    } catch {
      problem = "\(error)"
    }
    guard let problem else { return }
    differences.withLock {
      $0.append("the state after frame \(expected.frame.number) is delivered as another: \(problem)")
    }
  }

  /// The snapshot of a runtime that continues from one, without what waits, and what was given out or stored for that:
  /// the history has what was applied.
  private static func restored(_ snapshot: RuntimeSnapshot, _ header: RecordingHeader) throws -> RuntimeSnapshot? {
    var (snapshot, registry) = (snapshot, ExecutorRegistry())
    (snapshot.checkpoint.waiting, snapshot.checkpoint.lastSequence) = ([], 0)
    for plugin in header.plugins { try registry.register(plugin) }
    let runtime = Runtime(registry: registry, ratePerSecond: header.ratePerSecond)
    try runtime.restore(snapshot)
    (runtime.queue.lastApplied, runtime.queue.lastStored) = (0, 0)
    return runtime.snapshot()
  }

  private static func parts(of snapshot: RuntimeSnapshot?, differingFrom expected: RuntimeSnapshot?) -> String {
    guard let snapshot, let expected else { return "it leaves something over" }
    var parts: [String] = []
    let mirrors = [snapshot, expected].map { Mirror(reflecting: $0.checkpoint).children }
    for (one, other) in zip(mirrors[0], mirrors[1]) where "\(one.value)" != "\(other.value)" {
      parts.append("\(one.label ?? "") \(one.value) instead of \(other.value)")
    }
    if snapshot.quarantined != expected.quarantined { parts.append("plans that are tried again") }
    if let place = zip(snapshot.details, expected.details).enumerated().first(where: { $1.0 != $1.1 })?.offset {
      parts.append("details from byte \(place)")
    }
    return parts.joined(separator: ", ")
  }
}
