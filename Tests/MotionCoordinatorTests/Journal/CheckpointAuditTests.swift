import Logging
import MotionJournal
import MotionModel
import MotionTestKit
import MotionWire
import Synchronization
import Testing

@testable import MotionCoordinator
@testable import MotionCore

/// A checkpoint that a start could not read is detected before the previous one is replaced.
struct CheckpointAuditTests {
  private let disk = MemoryDisk()
  private let runtime = Runtime()

  init() { runtime.log.keeps.insert(.checkpoints) }

  private func writer() throws -> JournalWriter {
    let writer = JournalWriter { [disk] () throws(JournalError) in try MemoryJournal(on: disk) }
    _ = try writer.begin()
    return writer
  }

  private func commit(_ target: TargetName) throws {
    var transaction = Transaction()
    transaction.add(.anchoredSpring("x", 1), to: target)
    try runtime.commit(transaction)
    runtime.advance()
  }

  private func tell(_ writer: JournalWriter, atMost limit: Int = 1000) {
    while let changes = runtime.log.takeChanges(atMost: limit) {
      for change in changes.targets { writer.take(change) }
      for change in changes.plans { writer.take(change) }
    }
  }

  private func snapshot(compares: Bool = false) -> JournalSnapshot {
    JournalSnapshot(
      row: 0, head: runtime.checkpointHead(), columns: runtime.columns, world: compares ? runtime.checkpoint() : nil)
  }

  private func isWritten(_ outcome: JournalWriter.CheckpointOutcome) -> Bool {
    if case .written = outcome { true } else { false }
  }

  private func refusal(_ outcome: JournalWriter.CheckpointOutcome) -> String? {
    if case .refused(let problem, _) = outcome { problem.cause } else { nil }
  }

  private func world() throws -> RuntimeCheckpoint? {
    try disk.contents.checkpoint.map { try JournalCoding.checkpoint(in: $0.body) }
  }

  private static func plan(on target: TargetName, sequence: UInt64 = 1) -> RuntimeCheckpoint.Plan {
    RuntimeCheckpoint.Plan(
      IntentionIdentity(sequence: sequence, operation: 9), .anchoredSpring("x", 1), named: nil, on: target)
  }

  /// A change that contradicts the present state, as an error of the runtime would report it.
  enum Fault: CaseIterable {
    case planWithoutTarget, targetGoneUnderPlan, propertyOutsideOfColumns, planOfLaterTransaction, targetTwice

    func tell(_ writer: JournalWriter) {
      switch self {
      case .planWithoutTarget: writer.take(.kept(order: 700, plan(on: "ghost")))
      case .targetGoneUnderPlan: writer.take(.forgotten(ordinal: 0))
      case .propertyOutsideOfColumns: writer.take(.kept(ordinal: 600, "wide", [.init("x", first: 5, lanes: 2)]))
      case .planOfLaterTransaction: writer.take(.kept(order: 700, plan(on: "ball", sequence: 99)))
      case .targetTwice: writer.take(.kept(ordinal: 600, "ball", [.init("x", first: 0, lanes: 1)]))
      }
    }

    private func plan(on target: TargetName, sequence: UInt64 = 1) -> RuntimeCheckpoint.Plan {
      CheckpointAuditTests.plan(on: target, sequence: sequence)
    }

    var cause: String {
      switch self {
      case .planWithoutTarget: "1 plans on \"ghost\", which does not exist"
      case .targetGoneUnderPlan: "1 plans on \"ball\", which does not exist"
      case .propertyOutsideOfColumns: "lies outside of the 1 lanes"
      case .planOfLaterTransaction: "belongs to a transaction after 1"
      case .targetTwice: "2 targets \"ball\""
      }
    }
  }

  // Clauses: S17.34
  @Test(arguments: Fault.allCases)
  func `a checkpoint that contradicts itself is rolled back, and the next one is whole`(fault: Fault) throws {
    let writer = try writer()
    try commit("ball")
    let first = try #require(runtime.log.takeChanges())
    let ordinal = first.targets.compactMap { if case .kept(let ordinal, _, _) = $0 { ordinal } else { nil } }
    for change in first.targets { writer.take(change) }
    for change in first.plans { writer.take(change) }
    #expect(isWritten(writer.write(snapshot())))
    let before = disk.contents
    if fault == .targetGoneUnderPlan { writer.take(.forgotten(ordinal: ordinal[0])) } else { fault.tell(writer) }
    let cause = refusal(writer.write(snapshot()))
    #expect(cause?.contains(fault.cause) == true, "\(cause ?? "written")")
    #expect(disk.contents == before)
    #expect(writer.problem == nil, "rows are written as before")

    // Until the whole state was reported again no checkpoint is written, though changes and snapshots may still arrive.
    try commit("lamp")
    tell(writer)
    #expect(!isWritten(writer.write(snapshot())))
    #expect(disk.contents == before)
    writer.beginAnew()
    runtime.log.touchEverything()
    tell(writer, atMost: 1)
    #expect(isWritten(writer.write(snapshot())))
    #expect(try world() == runtime.checkpoint())
    try commit("another")
    tell(writer)
    #expect(isWritten(writer.write(snapshot(compares: true))))
  }

  // Clauses: S17.34
  @Test func `a checkpoint that differs from the runtime is replaced by a whole one`() throws {
    let writer = try writer()
    try commit("ball")
    try commit("lamp")
    tell(writer)
    #expect(isWritten(writer.write(snapshot(compares: true))))
    // Consistent in itself, but different from the runtime.
    writer.take(.kept(order: 700, Self.plan(on: "lamp")))
    let outcome = writer.write(snapshot(compares: true))
    #expect(refusal(outcome)?.contains("3 plans instead of 2") == true)
    #expect(try world() == runtime.checkpoint())
  }

  @Test func `the whole checkpoint is written in slices, with the changes made meanwhile`() throws {
    let writer = try writer()
    for number in 0..<50 { try commit(TargetName("t\(number)")) }
    tell(writer)
    runtime.log.touchEverything()
    var slices = 0
    writer.beginAnew()
    while let changes = runtime.log.takeChanges(atMost: 7) {
      for change in changes.targets { writer.take(change) }
      for change in changes.plans { writer.take(change) }
      slices += 1
      #expect(changes.targets.count + changes.plans.count <= 7 + IntentionTable.pageCount)
      var transaction = Transaction()
      if slices == 2 { transaction.add(.anchoredSpring("y", 2), to: "late") }
      if slices == 3 { transaction.forget("t3") }
      try runtime.commit(transaction)
      runtime.advance()
    }
    #expect(slices > 8)
    #expect(isWritten(writer.write(snapshot(compares: true))))
  }

  // Clauses: S17.34
  @Test(.timeLimit(.minutes(1)))
  func `a coordinator counts and logs a refused checkpoint, and writes the next as a whole`() async throws {
    let folder = try TemporaryFolder()
    var settings = CoordinatorSettings(
      runtimeDirectory: "\(folder.path)/run", stateDirectory: "\(folder.path)/state", pluginPaths: [])
    let journals = DistortedJournals(disk)
    settings.journalOpener = { () throws(JournalError) in try journals.open() }
    let coordinator = try Coordinator(settings, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    await coordinator.start()
    try await coordinator.commitNow(to: "ball")
    try await wait { try world()?.targets.map(\.name) == ["ball"] }
    journals.isDistorting.store(true, ordering: .relaxed)
    try await coordinator.commitNow(to: "lamp")
    try await wait { await coordinator.status()["refused-checkpoints"] == 1 }
    #expect(try world()?.targets.map(\.name) == ["ball"])
    try await wait { try world()?.targets.map(\.name) == ["ball", "lamp"] }
    #expect(try world()?.plans.count == 2)
    #expect(await coordinator.status()["refused-checkpoints"] == 1)
    await coordinator.stop()
  }

  private func wait(until isSo: () async throws -> Bool) async throws {
    while try await !isSo() { try await Task.sleep(for: .milliseconds(5)) }
  }
}

extension Coordinator {
  /// Commits a plan that stays, as a client would.
  fileprivate func commitNow(to target: TargetName) throws {
    var transaction = Transaction()
    transaction.add(.anchoredSpring("x", 1), to: target)
    try runtime.commit(transaction)
    wakeOrRest()
  }
}

extension Status {
  fileprivate subscript(name: String) -> UInt64? { counters.first { $0.name == name }?.value }
}

/// Journals that lose the targets of one update on their way to the disk.
private final class DistortedJournals: Sendable {
  let disk: MemoryDisk
  let isDistorting = Atomic(false)

  init(_ disk: MemoryDisk) { self.disk = disk }

  func open() throws(JournalError) -> any Journal { Opened(try MemoryJournal(on: disk), self) }

  private final class Opened: Journal {
    private let journal: MemoryJournal
    private let owner: DistortedJournals

    init(_ journal: MemoryJournal, _ owner: DistortedJournals) { (self.journal, self.owner) = (journal, owner) }

    func contents() throws(JournalError) -> JournalContents { try journal.contents() }
    func append(_ rows: [JournalRow]) throws(JournalError) { try journal.append(rows) }
    func part(_ number: UInt64) throws(JournalError) -> [UInt8]? { try journal.part(number) }
    func tidy() throws(JournalError) -> Bool { try journal.tidy() }
    func close() { journal.close() }

    func checkpoint(_ update: CheckpointUpdate, check: CheckpointCheck) throws(JournalError) -> Int {
      var update = update
      if owner.isDistorting.exchange(false, ordering: .relaxed) { update.parts.removeAll { $0.number >> 56 == 1 } }
      return try journal.checkpoint(update, check: check)
    }
  }
}
