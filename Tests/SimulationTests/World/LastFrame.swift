import MotionModel

@testable import MotionCoordinator
@testable import MotionCore
@testable import MotionJournal

/// The state of a coordinator when it ended, from which the next one continues exactly: its last frame, and everything
/// that was acknowledged.
struct LastFrame {
  private let frame: Frame
  /// The simulated time that is shown while time is paused.
  private let paused: Double?
  private let states: [PropertyReference: PropertyState]
  private let holdings: Holdings
  /// The last row of the journal that had its effect.
  private let row: UInt64
  /// Plans that end with their worker, and plans that the next start tries again. No client is connected yet to receive their ends.
  let unsettled: Set<IntentionIdentity>

  /// - Returns: `nil` if it keeps no ring: the next start continues from a checkpoint.
  init?(of coordinator: isolated Coordinator) {
    guard coordinator.history?.status(at: coordinator.machine.clocks).continues == true else { return nil }
    let runtime = coordinator.runtime
    frame = runtime.frame
    paused = Self.paused(coordinator)
    states = Self.states(in: runtime)
    holdings = Holdings(runtime.kept, runtime.queue.pending)
    row = coordinator.commits.journal?.appliedRow ?? 0
    var unsettled = Set(runtime.retirement.lingering).union(runtime.retirement.quarantinedPlans.map(\.identity))
    // A composition ends with its last part.
    for identity in unsettled {
      for parent in sequence(first: identity, next: \.parent) { unsettled.insert(parent) }
    }
    self.unsettled = unsettled
  }

  /// Whether the ring lacks operations of large transactions, which the history's thread had not written: then a start
  /// continues from a checkpoint.
  static func isIncomplete(_ folder: RingFolder, boot: String) -> Bool {
    do throws(RecoveredRing.Unusable) {
      _ = try RecoveredRing(folder.files, ofStart: nil, boot: boot, apart: folder.bytes(ofTransaction:))
      return false
    } catch {
      return error.description.contains("had not been written")
    }
  }

  private static func paused(_ coordinator: isolated Coordinator) -> Double? {
    let clock = coordinator.clock
    return clock.isPaused && clock.hold == nil ? clock.time(at: coordinator.machine.now) : nil
  }

  private static func states(in runtime: Runtime) -> [PropertyReference: PropertyState] {
    Dictionary(uniqueKeysWithValues: runtime.currentProperties.map { ($0.reference, $0.state) })
  }

  /// The springs whose properties are exactly at their destinations: a long frame ends one that goes a short way.
  private static func arrived(_ holdings: Holdings, in runtime: Runtime) -> [IntentionIdentity] {
    holdings.plans.compactMap { identity, plan in
      guard plan.intention.type == "SpringTo", let spring = try? SpringToIntention(plan.intention) else { return nil }
      let state = runtime.state(of: PropertyReference(plan.target, spring.property))
      return state?.value == spring.destination ? identity : nil
    }
  }

  /// The differences of a started coordinator from this state.
  ///
  /// - Parameter entries: the entries of the journal that are valid, with their rows.
  func differences(of coordinator: isolated Coordinator, _ entries: [(row: UInt64, entry: JournalEntry)]) -> [String] {
    let runtime = coordinator.runtime
    var problems: [String] = []
    if let paused, let now = Self.paused(coordinator), abs(now - paused) > 1e-9 {
      problems.append("time stands at \(now), and stood at \(paused)")
    }
    var expected = holdings
    var changed: Set<TargetName> = []
    var stops = false
    var due: [UInt64: Double] = [:]
    for (row, entry) in entries where row > self.row {
      switch entry.event {
      case .commit(let sequence, let commit, _):
        changed.formUnion(commit.transaction.targets)
        due[sequence] = commit.at ?? entry.frame.time
      case .stop(let stop):
        // It had its effect, also where its row was late. It concerns the transactions before it that were not applied,
        // and not a plan that has begun since.
        guard stop.targets.isEmpty || due.values.contains(where: { $0 <= entry.frame.time }) else { continue }
        stops = true
      case .withdraw(let sequences): for sequence in sequences { due[sequence] = nil }
      case .clock, .void: break
      }
      expected.apply(entry)
    }
    expected.passOnDue(at: runtime.frame.time)
    // What had not been applied is by now; at rest, a frame does that.
    let mayHaveRun = !expected.pending.isEmpty && !coordinator.clock.stands
    if runtime.frame != frame, !mayHaveRun || runtime.frame.number != frame.number + 1 {
      problems.append("it continues from \(runtime.frame), and the last was \(frame)")
    }
    changed.formUnion(expected.pending.flatMap(\.targets))
    expected.finish(stands: coordinator.clock.stands)
    let mayBeGone = unsettled.union(runtime.frame != frame ? Self.arrived(expected, in: runtime) : [])
    problems += expected.differences(of: Holdings(runtime.kept, runtime.queue.pending)).filter { problem in
      !mayBeGone.contains { problem.hasPrefix("\($0) ") }
    }
    let found = Self.states(in: runtime)
    for (reference, state) in states where !changed.contains(reference.target) {
      guard let now = found[reference] else {
        problems.append("\(reference) is lost")
        continue
      }
      // What nothing drives any more stands: a hand has ended with its worker.
      let isLeft = runtime.plans.find(reference).map { runtime.movement.properties[$0].stack.driver == nil } ?? true
      let isSame = now.value == state.value && (stops || isLeft || now.velocity == state.velocity)
      if !isSame { problems.append("\(reference) continues at \(now), and was at \(state)") }
    }
    return problems.sorted()
  }
}
