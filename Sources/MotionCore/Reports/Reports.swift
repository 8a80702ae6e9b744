import MotionModel

/// The outputs of a runtime besides values: events for tracers, ended and failed plans, changes of drivers, and
/// counts of what was refused.
final class Reports {
  /// See ``Runtime/endedKept``.
  static let endedKept = 1_000_000
  /// See ``Runtime/failuresKept``.
  static let failuresKept = 1000

  private let position: FramePosition
  /// The tracers, which receive every event, in order.
  var tracers: [any Tracer] = []
  /// The plans that ended, in order, until a caller takes them.
  private(set) var ended: [EndedIntention] = []
  /// The latest failed plans, the newest last.
  private(set) var failures: [IntentionRow] = []
  /// Whether changes of drivers are kept.
  var keepsDriverChanges = false {
    didSet { if !keepsDriverChanges { driverChanges = [] } }
  }
  /// The changes of drivers, in order, until a caller takes them.
  private var driverChanges: [DriverChange] = []
  /// How many writes were refused because they were not finite, or because the executor may not write the property.
  var refusedWrites: UInt64 = 0
  /// How many starts of tokens were refused because their executor held ``/MotionModel/Limits/tokensPerExecutor``.
  var refusedTokens: UInt64 = 0
  /// How many times a driver was late for a frame.
  var lateUpdates: UInt64 = 0

  /// Nothing to report yet.
  init(at position: FramePosition) { self.position = position }

  /// Passes an event to every tracer; without a tracer, the event is not even created.
  func trace(_ event: @autoclosure () -> TraceEvent) {
    guard !tracers.isEmpty else { return }
    let event = event()
    for tracer in tracers { tracer.trace(event, frame: position.frame.number) }
  }

  /// Keeps the ending of a plan for ``takeEnded()``, and traces it; failed plans are kept for queries, too.
  func report(
    _ plan: EndedIntention, of intention: Intention, kind: IntentionKind, _ key: ExecutorKey,
    by provenance: @autoclosure () -> Provenance?
  ) {
    // Half at a time, so that the amortised cost of dropping is small.
    if ended.count >= Self.endedKept { ended.removeFirst(Self.endedKept / 2) }
    ended.append(plan)
    guard plan.outcome == .failed else { return trace(.didFinish(plan.identity, plan.outcome, key)) }
    failures.append(
      IntentionRow(
        identity: plan.identity, target: plan.target, name: plan.name, intention: intention, kind: kind,
        executor: key.type, state: .failed, reason: plan.reason, provenance: provenance()))
    if failures.count >= 2 * Self.failuresKept { failures.removeFirst(Self.failuresKept) }
    trace(.didFail(plan.identity, reason: plan.reason, key))
  }

  /// Keeps a change of drivers for ``takeDriverChanges()``.
  func note(_ change: DriverChange) { driverChanges.append(change) }

  /// Keeps failed plans no longer that satisfy the predicate.
  func forgetFailures(where isForgotten: (IntentionRow) -> Bool) { failures.removeAll(where: isForgotten) }

  /// Takes out the plans that ended since the last call, in order.
  func takeEnded() -> [EndedIntention] {
    defer { ended = [] }
    return ended
  }

  /// Takes out the changes of drivers since the last call, in order.
  func takeDriverChanges() -> [DriverChange] {
    defer { driverChanges = [] }
    return driverChanges
  }
}
