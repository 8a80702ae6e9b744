import Glibc
import Logging
import MotionModel
import MotionTestKit
import MotionWire
import ZeroMQ

@testable import MotionCoordinator
@testable import MotionCore
@testable import MotionJournal

/// Ends and starts of the coordinator. After a start the state must be that of before.
extension World {
  /// Starts a coordinator, and connects all clients to it.
  func start() throws {
    restart = nil
    machine.sender = nil
    do {
      if starts > 0, random.chance(Self.chanceOfKilledStart) { try startAndKill() }
      coordinator = try Coordinator(settings, logger: Logger(label: "simulation") { _ in log })
    } catch let error as StartError where storage.failedOpening {
      return try startLater(because: error)
    }
    starts += 1
    hinder()
    inside { $0.begin() }
    guard
      let (context, control, values) = inside({
        ($0.sockets.context, $0.listeners.directory.control, $0.listeners.directory.values)
      })
    else { return }
    for client in everybody { try client.connect(context, to: control) }
    follower = try Follower(context, to: values)
    try checkStart()
    mix(UInt64(starts))
    try turn(hearing: Follower.name)
  }

  private static let chanceOfKilledStart = 0.1

  /// A start that is killed before it serves: the next one finds what it would have found.
  private func startAndKill() throws {
    _ = try Coordinator(settings, logger: Logger(label: "simulation") { _ in log })
    diary.add("  killed before it serves")
    census.note(.killedBeforeServing)
    storage.die()
    machine.crash()
    try storage.abandon(losesPower: false)
  }

  /// A disk that fails prevents the start; the service manager retries.
  private func startLater(because error: StartError) throws {
    diary.add("  no start: \(error)")
    census.note(.startRefusedByDisk)
    storage.die()
    machine.crash()
    try storage.abandon(losesPower: false)
    restart = machine.now + .milliseconds(Int.random(in: 100...2000, using: &random))
  }

  /// A fault delays the checkpoints until `time`, by default until now.
  func hinder(until time: Duration? = nil) { unhinderedSince = max(unhinderedSince, time ?? machine.now) }

  // MARK: Ends

  /// The coordinator's process ends at an arbitrary point, and data that had not reached the disk is lost.
  ///
  /// - Parameter losesPower: whether the power is lost as well: then some of the unsynced data is lost.
  func crash(losesPower: Bool) throws {
    noteEnd(losesPower ? .powerLost : .killed)
    observer.killed(
      at: askedToEnd ?? machine.now, unhinderedSince: max(unhinderedSince, coordinatorStoppedUntil))
    mayHaveGaps = true
    storage.die()
    try gone(losesPower: losesPower)
  }

  /// Ends a coordinator that was asked to stop, once its workers have ended.
  func finishEnding() throws {
    guard isEnding, inside({ $0.executor.isStopped }) ?? false else { return }
    noteEnd(.endedOrderly)
    // Commits that waited for the disk may have been given up with it.
    mayHaveGaps = true
    inside { $0.close() }
    try gone(losesPower: false)
    restart = machine.now + .milliseconds(Int.random(in: 5...1500, using: &random))
  }

  private func noteEnd(_ path: Census.Path) {
    census.note(path)
    let checkpoint = openingCheckpoint
    lastWords = inside { [lastWords] in
      LastWords(of: $0, at: machine.now, hinderedUntil: unhinderedSince, since: checkpoint, after: lastWords)
    }
    lastFrame = inside { LastFrame(of: $0) } ?? nil
    census.note(.endedWithRing, if: lastFrame != nil)
    for path in inside({ Self.paths(ofEndOf: $0) }) ?? [] { census.note(path) }
  }

  private func gone(losesPower: Bool) throws {
    isEnding = false
    askedToEnd = nil
    for worker in workers { census.add(worker.census) }
    if let follower { census.add(follower.census) }
    coordinator = nil
    follower = nil
    machine.crash(losesPower: losesPower)
    let ring = RingFolder(at: "\(settings.runtimeDirectory)/ring")
    if losesPower || LastFrame.isIncomplete(ring, boot: machine.boot) { lastFrame = nil }
    try storage.abandon(losesPower: losesPower)
    spawning = [:]
    for client in everybody { client.disconnect() }
    // The kernel kills them immediately, with a scheduling delay.
    for worker in workers {
      worker.dies = (machine.now + .milliseconds(Int.random(in: 0...20, using: &random)), .signalled(SIGKILL))
    }
    toCoordinator.lose()
    subscriptions.lose()
  }

  // MARK: Requirements for a start

  /// The state continues from the last frame or, after a loss of power, from the checkpoint, with the rows after it.
  private func checkStart() throws {
    let contents = storage.contents
    openingCheckpoint = contents.checkpoint?.body
    let checkpoint = try contents.checkpoint.map { try JournalCoding.checkpoint(in: $0.body) } ?? RuntimeCheckpoint()
    let rows = try Self.valid(contents.rows).map { (row: $0.sequence, entry: try JournalCoding.entry(in: $0.body)) }
    let entries = rows.map(\.entry)
    let transactions = entries.compactMap {
      if case .commit(_, let commit, _) = $0.event { commit.transaction } else { nil }
    }
    let operations = (checkpoint.waiting.map(\.transaction) + transactions).flatMap(\.log)
    let forgotten = Set(operations.compactMap { if case .forget(let target) = $0 { target } else { nil } })
    let limited: [Places.Limited] = operations.compactMap {
      if case .limit(let property, let target, let setting) = $0 {
        .init(PropertyReference(target, property), setting)
      } else {
        nil
      }
    }
    let last = lastFrame
    lastFrame = nil
    if let last { ended.formUnion(last.unsettled) }
    var problems =
      inside {
        observer.started(
          $0.runtime, goingOnFrom: last == nil ? checkpoint.frame.number : nil,
          forgotten: forgotten, limited: limited, isUnchanged: entries.isEmpty)
          + (last?.differences(of: $0, rows) ?? [])
      } ?? []
    for entry in entries where try JournalCoding.entry(in: JournalCoding.bytes(of: entry)) != entry {
      problems.append("an entry of the journal is read as another: \(entry)")
    }
    if last == nil, let (found, pending) = inside({ ($0.runtime.kept, $0.runtime.queue.pending) }) {
      var (holdings, expected) = (Holdings(found, pending), Holdings(stored: checkpoint))
      for entry in entries { expected.apply(entry) }
      // A transaction whose row came late may be due: whether it waits as one or for the next frame, or has been
      // applied, is the same.
      holdings.passOnDue(at: found.frame.time)
      var applied = expected
      applied.passOnDue(at: found.frame.time)
      applied.finish()
      expected.finish()
      expected.passOnDue(at: found.frame.time)
      if applied.differences(of: holdings).isEmpty { expected = applied }
      if let hold = inside({ $0.clock.hold }), (hold != nil) != expected.isHeld {
        problems.append("after the start, motion is \(expected.isHeld ? "not " : "")held")
      }
      problems += expected.differences(of: holdings).map { "after the start, \($0)" }
      problems +=
        lastWords?.differences(
          of: holdings, checkpoint, stored: contents.checkpoint?.body, entries, ended: ended, expected) ?? []
      census.note(.startWithPending, if: !holdings.pending.isEmpty)
      note(checkpoint, entries, contents.rows)
    }
    failures += problems.map { "at \(machine.now), start \(starts): \($0)" }
  }

  /// The rows that are valid: without those that were taken back.
  private static func valid(_ rows: [JournalRow]) -> [JournalRow] {
    var takenBack: [[UInt8]: UInt64] = [:]
    for row in rows where !row.identity.isEmpty && row.answer.isEmpty { takenBack[row.identity] = row.sequence }
    return rows.filter { row in takenBack[row.identity].map { row.sequence > $0 } ?? true }
  }

  // MARK: Paths

  private static func paths(ofEndOf coordinator: isolated Coordinator) -> [Census.Path] {
    var paths: [Census.Path] = []
    if coordinator.clock.isPaused { paths.append(.killedWhilePaused) }
    if coordinator.clock.hold != nil { paths.append(coordinator.clock.stands ? .killedWhileHeld : .killedWhileSlowing) }
    if coordinator.frames.stepping != nil { paths.append(.killedWhileStepping) }
    if coordinator.runtime.activity.tokens > 0 { paths.append(.killedWhileATokenIsHeld) }
    let lanes = coordinator.runtime.checkpoint().targets.flatMap(\.properties).reduce(0) { $0 + $1.state.value.count }
    if coordinator.runtime.columns.values.count > lanes { paths.append(.killedWithFreeLanes) }
    if !coordinator.runtime.pendingCommits.isEmpty { paths.append(.killedWithCommitsUnderWay) }
    return paths
  }

  /// Records the state that a start has found.
  private func note(_ checkpoint: RuntimeCheckpoint, _ entries: [JournalEntry], _ rows: [JournalRow]) {
    let isThere = checkpoint.frame.number > 0
    census.note(.startWithoutTargets, if: isThere && checkpoint.targets.isEmpty)
    census.note(.startWithWaiting, if: !checkpoint.waiting.isEmpty)
    census.note(.startWithEmitted, if: checkpoint.plans.contains { !$0.identity.path.isEmpty })
    census.note(.startWithNames, if: checkpoint.plans.contains { $0.name != nil })
    census.note(.startWithPriorities, if: checkpoint.plans.contains { $0.intention.priority != 0 })
    census.note(.startWithScenes, if: !checkpoint.scenes.isEmpty)
    census.note(.startWithCues, if: !checkpoint.cues.isEmpty)
    census.note(.startBeforeCue, if: checkpoint.cues.contains { $0.position.due != nil })
    census.note(.startBeforeBeginning, if: checkpoint.plans.contains { $0.begins != nil })
    census.note(.startWithHandover, if: !checkpoint.handovers.isEmpty)
    census.note(.startWithOwners, if: !checkpoint.owners.isEmpty)
    census.note(.startWithGroups, if: !checkpoint.groups.isEmpty)
    census.note(.startWhilePaused, if: checkpoint.clock.isPaused)
    census.note(.startWhileHeld, if: checkpoint.clock.hold != nil)
    census.note(.startWithVoidedRow, if: Self.valid(rows).count < rows.count)
    for entry in entries {
      switch entry.event {
      case .commit(_, let commit, _):
        let saves = commit.transaction.log.contains {
          if case .scene(_, let scene) = $0 { !scene.isEmpty } else { false }
        }
        census.note(.startAfterSceneSaved, if: saves)
        let moves = commit.transaction.log.contains {
          if case .cues(_, .position) = $0 { true } else { false }
        }
        census.note(.startAfterCue, if: moves)
        census.note(.startAfterForget, if: commit.transaction.log.contains { Census.Operation($0) == .forget })
      case .stop: census.note(.startAfterStop)
      case .withdraw: census.note(.startAfterWithdrawal)
      case .clock, .void: break
      }
      census.note(
        .startAppliesWaiting,
        if: checkpoint.waiting.contains { $0.at > checkpoint.frame.time && $0.at <= entry.frame.time })
    }
  }

  /// Records the rare paths of a turn.
  func notePaths() {
    for path in inside({ Self.paths(in: $0) }) ?? [] { census.note(path) }
    let hasProblem = inside { $0.commits.journal?.problem != nil } ?? false
    census.note(.journalHealed, if: journalProblem == starts && !hasProblem && coordinator != nil)
    journalProblem = hasProblem ? starts : nil
  }

  private static func paths(in coordinator: isolated Coordinator) -> [Census.Path] {
    var paths: [Census.Path] = []
    if !coordinator.runtime.workers.quarantined.isEmpty { paths.append(.pluginQuarantined) }
    if !coordinator.runtime.retirement.quarantinedPlans.isEmpty { paths.append(.planQuarantined) }
    if !coordinator.runtime.movement.properties.motions.handovers(at: coordinator.runtime.frame.time, atMost: 1).isEmpty
    {
      paths.append(.handoverInFlight)
    }
    if coordinator.commits.journal?.problem != nil { paths.append(.commitRefusedByDisk) }
    return paths
  }

  /// The items that all parts have produced.
  func everything() -> Census {
    var census = census
    census.add(notes.census)
    for client in everybody { census.add(client.census) }
    for worker in workers { census.add(worker.census) }
    if let follower { census.add(follower.census) }
    return census
  }
}
