import MotionCore
import MotionJournal
import MotionModel
import MotionWire

/// An entry to be written, as the loop submits it.
struct JournalSubmission: Sendable {
  var entry: JournalEntry
  /// Of a transaction: its id, the digest of what was committed, and the receipt if it takes effect before the next
  /// frame.
  var transaction: (id: TransactionID, digest: TransactionDigest, receipt: Receipt)?
  /// The transaction as its client encoded it; `nil` if these bytes were not kept.
  var said: [UInt8]?

  /// The submission as a row. Encoding takes microseconds for each operation, so it is not done on the loop; large
  /// transactions are not encoded again.
  func row(_ sequence: UInt64, wallTime: Int64) -> JournalRow {
    JournalRow(
      sequence: sequence, wallTime: wallTime, identity: transaction?.id.bytes ?? [],
      digest: transaction?.digest.bytes ?? [], answer: transaction.map { JournalCoding.bytes(of: $0.receipt) } ?? [],
      body: body)
  }

  private var body: [UInt8] {
    guard let said, case .commit(let sequence, _, let client) = entry.event else {
      return JournalCoding.bytes(of: entry)
    }
    return JournalCoding.bytes(
      ofCommit: sequence, said: said, client: client, frame: entry.frame, time: entry.time,
      applied: entry.applied, by: entry.provenance)
  }
}

/// The state at the end of a frame, as the loop submits it; targets and plans are known from earlier changes.
struct JournalSnapshot: Sendable {
  /// The last row that is part of it.
  var row: UInt64
  /// The clock, the owners and the waiting transactions.
  var head: RuntimeCheckpoint
  var columns: PropertyColumns
  /// The complete state as plain values, to compare with what was stored; `nil` if no comparison is wanted this time.
  var world: RuntimeCheckpoint?
}

/// Writes a journal, and resumes after a failure. It has no thread and no clock; the caller passes the time.
final class JournalWriter {
  /// The result of writing a group of rows.
  enum Outcome: Sendable {
    /// They are on disk, the last of them with this number.
    case durable(lastRow: UInt64)
    /// None of them counts.
    case refused(JournalProblem)
  }

  /// The first retry interval after a failure; each following one is twice as long, up to ``longestTimeout``. A disk
  /// that was full for a moment costs a show a tenth of a second of commits. One that is gone costs less than one
  /// attempt a second.
  static let firstTimeout = Duration.milliseconds(100)
  static let longestTimeout = Duration.seconds(2)

  private let open: () throws(JournalError) -> any Journal
  /// The journal, if it is open.
  private var journal: (any Journal)?
  /// The last row that counts.
  private(set) var lastRow: UInt64 = 0
  /// The row of the last checkpoint.
  private(set) var checkpointRow: UInt64 = 0
  private var mirror = CheckpointMirror()
  /// Rows that were refused and may nevertheless be on disk.
  private var doubtful: [JournalRow] = []
  /// Why nothing is written at present.
  private(set) var problem: JournalProblem?
  /// Why no checkpoint is written at present, although rows are.
  private(set) var checkpointProblem: JournalProblem?
  private var timeout = firstTimeout
  /// Whether the mirror no longer matches the journal: no checkpoint is made from it until all contents were passed
  /// again.
  private var isLost = false

  init(open: @escaping () throws(JournalError) -> any Journal) { self.open = open }

  /// Opens the journal, once.
  func begin() throws(JournalError) -> JournalContents {
    let journal = try open()
    let contents = try journal.contents()
    self.journal = journal
    lastRow = contents.lastSequence
    checkpointRow = contents.checkpoint?.sequence ?? 0
    return contents
  }

  /// Writes rows, in one group.
  func write(_ submissions: [JournalSubmission], wallTime: Int64) -> Outcome {
    if let problem { return .refused(problem) }
    let rows = submissions.enumerated().map { $1.row(lastRow + 1 + UInt64($0), wallTime: wallTime) }
    do {
      try append(rows)
      return .durable(lastRow: lastRow)
    } catch {
      let problem = JournalProblem(error)
      // A group that is too large is no sign of a fault of the disk.
      if error.code != .tooLarge { fail(problem, error.code, rows) }
      return .refused(problem)
    }
  }

  private func append(_ rows: [JournalRow]) throws(JournalError) {
    guard let journal else {
      throw JournalError(.closed, at: "the journal", "it is closed", remedy: "Wait until it is open again")
    }
    try journal.append(rows)
    lastRow = rows.last?.sequence ?? lastRow
  }

  /// Records a change since the last snapshot.
  func take(_ change: CheckpointChanges.TargetChange) { if !isLost { mirror.take(change) } }

  /// Records a change since the last snapshot.
  func take(_ change: CheckpointChanges.PlanChange) { if !isLost { mirror.take(change) } }

  /// From here on the complete contents are passed again: the next checkpoint is full.
  func beginAnew() { (mirror, isLost) = (CheckpointMirror(), false) }

  /// The result of writing a checkpoint.
  enum CheckpointOutcome {
    /// It is on disk and has so many bytes.
    case written(bytes: Int)
    /// It could not be written; the one before it, and all rows since, are there.
    case failed
    /// It was stored, could not be read again, and was rolled back; `bytes` is the size of the full checkpoint written
    /// in its place, if there is one.
    case refused(JournalProblem, bytes: Int?)
  }

  /// Writes a checkpoint, and reads it back before the previous one is deleted.
  func write(_ snapshot: JournalSnapshot) -> CheckpointOutcome {
    guard problem == nil, let journal else { return .failed }
    guard !isLost else {
      return snapshot.world.flatMap { write($0, of: snapshot.row, in: journal) }.map { .written(bytes: $0) } ?? .failed
    }
    do {
      let update = try mirror.update(to: snapshot, in: journal)
      let bytes = try journal.checkpoint(update) { try mirror.check($0, of: snapshot) }
      mirror.wrote()
      (checkpointRow, checkpointProblem) = (snapshot.row, nil)
      return .written(bytes: bytes)
    } catch {
      switch error.code {
      // A checkpoint that is too large is no sign of a fault of the disk: rows are written as before, and a start
      // replays more of them.
      case .tooLarge: checkpointProblem = JournalProblem(error)
      case .unreadable:
        isLost = true
        let bytes = snapshot.world.flatMap { write($0, of: snapshot.row, in: journal) }
        return .refused(JournalProblem(error), bytes: bytes)
      default: fail(JournalProblem(error), error.code, [])
      }
      return .failed
    }
  }

  /// Writes a full checkpoint, from plain values, and reads it back.
  private func write(_ world: RuntimeCheckpoint, of row: UInt64, in journal: any Journal) -> Int? {
    let whole = JournalCheckpoint(sequence: row, body: JournalCoding.bytes(of: world))
    guard
      let bytes = try? journal.checkpoint(
        CheckpointUpdate(whole), check: { try CheckpointAudit.compare($0.whole(), with: world) })
    else { return nil }
    checkpointRow = row
    return bytes
  }

  /// Does a step of deferred work.
  ///
  /// - Returns: whether there is more to do.
  func tidy() -> Bool {
    guard problem == nil, let journal else { return false }
    do {
      return try journal.tidy()
    } catch {
      fail(JournalProblem(error), error.code, [])
      return false
    }
  }

  /// Stops writing until the disk writes again.
  private func fail(_ problem: JournalProblem, _ code: JournalError.Code, _ rows: [JournalRow]) {
    self.problem = problem
    guard code != .full, code != .readOnly else { return }
    // After a failed sync the contents of the disk are unknown, and a second sync that succeeds proves nothing.
    doubtful += rows
    journal?.close()
    journal = nil
  }

  /// How long to wait before the next ``heal(wallTime:)``; `nil` while nothing is wrong.
  var retryDelay: Duration? { problem == nil ? nil : timeout }

  /// Tries whether the disk writes again: reopens the journal if its contents are unknown, voids the rows that had been
  /// refused, and writes an empty row.
  ///
  /// - Returns: whether it does. The journal lacks the changes since the failure, so a checkpoint has to come next.
  func heal(wallTime: Int64) -> Bool {
    guard problem != nil else { return true }
    do {
      if journal == nil {
        let journal = try open()
        let contents = try journal.contents()
        try check(contents)
        try look(at: contents.checkpoint)
        self.journal = journal
        lastRow = contents.lastSequence
      }
      try append(probe(wallTime: wallTime))
    } catch {
      timeout = min(timeout * 2, Self.longestTimeout)
      problem?.update(error)
      if error.code != .full, error.code != .readOnly {
        journal?.close()
        journal = nil
      }
      return false
    }
    (problem, timeout, doubtful) = (nil, Self.firstTimeout, [])
    return true
  }

  /// Checks that the reopened journal holds what was written until now. A journal that was removed, or replaced by an
  /// older one, is whole, too, but holds less than was acknowledged; checkpoints would add only later changes to it.
  private func check(_ contents: JournalContents) throws(JournalError) {
    let checkpoint = contents.checkpoint?.sequence ?? 0
    guard contents.lastSequence >= lastRow, checkpoint >= checkpointRow else {
      throw JournalError(
        .damaged, at: "the journal",
        "it is not the journal that motiond has written until now: it ends with row \(contents.lastSequence), and row \(lastRow) was "
          + "acknowledged",
        remedy: "Put its directory back as it was")
    }
  }

  /// Reads which parts of the last update are on disk, which was unknown.
  private func look(at checkpoint: JournalCheckpoint?) throws(JournalError) {
    do {
      try mirror.found(checkpoint)
    } catch {
      throw JournalError(
        .damaged, at: "the checkpoint", "it cannot be read: \(error)", remedy: "Start motiond again with --accept-loss")
    }
  }

  private func probe(wallTime: Int64) -> [JournalRow] {
    let body = JournalCoding.bytes(of: JournalEntry(.void, frame: Frame(number: 0, time: 0, dt: 0), time: 0))
    let identities = [[]] + doubtful.map(\.identity).filter { !$0.isEmpty }
    return identities.enumerated().map { index, identity in
      JournalRow(sequence: lastRow + 1 + UInt64(index), wallTime: wallTime, identity: identity, body: body)
    }
  }

  /// Closes the files.
  func close() {
    journal?.close()
    journal = nil
  }
}

/// Why the journal is not written.
struct JournalProblem: Sendable, Hashable {
  /// The fault and its place.
  private(set) var cause: String
  /// The remedy.
  private(set) var remedy: String
  /// Whether the rows that were being written may nevertheless be on disk.
  let isDoubtful: Bool
  /// The cause and the remedy.
  var text: String { "\(cause). \(remedy)" }

  init(_ error: JournalError) {
    isDoubtful = error.code != .full && error.code != .readOnly && error.code != .tooLarge
    (cause, remedy) = ("", "")
    update(error)
  }

  /// Updates the cause and the remedy.
  mutating func update(_ error: JournalError) {
    cause = "\(error.place): \(error.cause)"
    // Closing the journal and opening it again is done by its owner, not by the reader of this text.
    let remedy = error.code == .broken ? "Check the disk (dmesg)" : error.remedy
    self.remedy = error.code == .tooLarge ? remedy : "\(remedy); motiond retries by itself"
  }

  /// The refusal of requests since the failure; nothing of them was written.
  var refusal: Refusal {
    Refusal(.storage, "the journal cannot be written, so transactions are refused: \(cause)", remedy: remedy)
  }

  /// The refusal of requests that were being written when it failed.
  var refusalUnderWay: Refusal {
    guard isDoubtful else { return refusal }
    return Refusal(
      .storage, "it could not be stored, and is applied only if a restart finds it on the disk: \(cause)",
      remedy: "Commit it again with the same id. \(remedy)")
  }
}
