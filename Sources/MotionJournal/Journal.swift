/// Keeps what must not be lost: rows in their order, and now and then the world after one of them.
///
/// A journal is used from one thread, the one that opened it: it waits for the disk. Opening one verifies everything in
/// it. After an error whose code is ``JournalError/Code/broken`` nobody can know what is on disk: close the journal, open
/// it again, and look at ``contents()``.
public protocol Journal: AnyObject {
  /// What the journal holds. Reads and verifies all of it, so ask once, before the first ``append(_:)``.
  func contents() throws(JournalError) -> JournalContents

  /// Writes rows behind the last one; on return all of them are on disk.
  ///
  /// Thrown: none of them is, and the next append may be the same rows, unless the code is
  /// ``JournalError/Code/broken``. That the sequences go on from the last one without a gap is the caller's duty, and is
  /// trapped.
  func append(_ rows: [JournalRow]) throws(JournalError)

  /// Brings the world up to a row; on return it is on disk. The rows that it covers go in small steps; their identities
  /// stay. Costs what the given parts cost; those that are as before are not written.
  ///
  /// Thrown: the one before is still there, with its rows, unless the code is ``JournalError/Code/broken``.
  ///
  /// - Parameter check: reads the parts back as they are stored, before they count and before any row or older checkpoint
  ///   is given up. An error that it throws rolls all of it back.
  /// - Returns: how many bytes the world has now.
  @discardableResult
  func checkpoint(_ update: CheckpointUpdate, check: CheckpointCheck) throws(JournalError) -> Int

  /// A part of the last checkpoint; `nil` if it has none of this number.
  func part(_ number: UInt64) throws(JournalError) -> [UInt8]?

  /// Does one bounded step of what can wait, such as giving space back: call it when answers have left.
  ///
  /// - Returns: whether there is more to do. Whoever never calls this waits for it in ``append(_:)``, when it must be done.
  func tidy() throws(JournalError) -> Bool

  /// Lets go of the files. What was appended is on disk already; after this every call but another `close` throws.
  func close()
}

extension Journal {
  /// Likewise, without a look at what is stored.
  @discardableResult
  public func checkpoint(_ update: CheckpointUpdate) throws(JournalError) -> Int {
    try checkpoint(update) { _ in }
  }
}

/// Says what of a journal's contents can be read, and in words that fit behind "lost:" what cannot.
public typealias JournalSalvage = (JournalContents) -> (contents: JournalContents, losses: [String])

/// Judges the parts of a checkpoint that is about to count; throws a ``JournalError`` if a start could not read it.
public typealias CheckpointCheck = (StoredParts) throws -> Void

/// The parts of a checkpoint as they are stored, before the checkpoint counts.
public struct StoredParts {
  /// The numbers of those that the update has added or changed.
  public let changed: [UInt64]
  private let read: (UInt64) throws -> [UInt8]?
  private let readAll: () throws -> [UInt8]

  init(changed: [UInt64], read: @escaping (UInt64) throws -> [UInt8]?, readAll: @escaping () throws -> [UInt8]) {
    (self.changed, self.read, self.readAll) = (changed, read, readAll)
  }

  /// The stored bytes of a part; `nil` if there is none of this number.
  public func body(of number: UInt64) throws -> [UInt8]? { try read(number) }

  /// The stored bytes of all parts, one after the other.
  public func whole() throws -> [UInt8] { try readAll() }
}

/// One thing that must not be lost: a commit, a stop, a pause.
public struct JournalRow: Sendable, Hashable {
  /// Its place, from 1 and without gaps over the life of the journal.
  public var sequence: UInt64
  /// Nanoseconds since 1970, for people and for the time that identities are kept.
  public var wallTime: Int64
  /// The id that the client chose for it; empty for what has none.
  public var identity: [UInt8]
  /// What tells a repetition from another thing with the same identity: the caller's digest of what the client said.
  public var digest: [UInt8]
  /// What a repetition is answered with; kept with the identity, longer than the body.
  public var answer: [UInt8]
  /// What happened, in the words of whoever reads it again.
  public var body: [UInt8]

  /// A row; one without an identity needs neither digest nor answer.
  public init(
    sequence: UInt64, wallTime: Int64, identity: [UInt8] = [], digest: [UInt8] = [], answer: [UInt8] = [], body: [UInt8]
  ) {
    self.sequence = sequence
    self.wallTime = wallTime
    self.identity = identity
    self.digest = digest
    self.answer = answer
    self.body = body
  }
}

/// The world after a row, in the words of whoever reads it again.
public struct JournalCheckpoint: Sendable, Hashable {
  /// The last row that is part of it; 0 if there was none.
  public var sequence: UInt64
  /// The world: its parts, one after the other.
  public var body: [UInt8]

  /// A checkpoint.
  public init(sequence: UInt64, body: [UInt8]) {
    self.sequence = sequence
    self.body = body
  }
}

/// The world after a row, as what is other than in the checkpoint before.
public struct CheckpointUpdate: Sendable, Hashable {
  /// The last row that is part of the world; 0 if there was none.
  public var sequence: UInt64
  /// Whether nothing of the checkpoint before stays.
  public var isWhole: Bool
  /// The parts that are new, or may have changed, each number once. The world is all parts in the order of their numbers,
  /// which are below 2^63.
  public var parts: [CheckpointPart]
  /// The numbers of those that are no more.
  public var removed: [UInt64]

  /// An update.
  public init(sequence: UInt64, isWhole: Bool, parts: [CheckpointPart], removed: [UInt64] = []) {
    (self.sequence, self.isWhole, self.parts, self.removed) = (sequence, isWhole, parts, removed)
  }

  /// A world of one part, whatever was before.
  public init(_ checkpoint: JournalCheckpoint) {
    self.init(
      sequence: checkpoint.sequence, isWhole: true, parts: [CheckpointPart(number: 0, body: checkpoint.body)])
  }
}

/// A part of a checkpoint, which is written and verified for itself.
public struct CheckpointPart: Sendable, Hashable {
  /// Its place among the others.
  public var number: UInt64
  /// Its share of the world.
  public var body: [UInt8]

  /// A part.
  public init(number: UInt64, body: [UInt8]) { (self.number, self.body) = (number, body) }
}

/// What is remembered of a row that had an identity, also when its body has gone.
public struct JournalIdentity: Sendable, Hashable {
  /// The id that the client chose.
  public var identity: [UInt8]
  /// The row that it was.
  public var sequence: UInt64
  /// When it was written, in nanoseconds since 1970.
  public var wallTime: Int64
  /// The caller's digest of what the client said.
  public var digest: [UInt8]
  /// What a repetition is answered with.
  public var answer: [UInt8]

  /// What is remembered of `row`.
  public init(of row: JournalRow) {
    self.init(
      identity: row.identity, sequence: row.sequence, wallTime: row.wallTime, digest: row.digest, answer: row.answer)
  }

  /// An identity with what belongs to it.
  public init(identity: [UInt8], sequence: UInt64, wallTime: Int64, digest: [UInt8], answer: [UInt8]) {
    self.identity = identity
    self.sequence = sequence
    self.wallTime = wallTime
    self.digest = digest
    self.answer = answer
  }
}

/// What a journal holds when it is opened.
public struct JournalContents: Sendable, Equatable {
  /// The world to begin with; none before the first.
  public var checkpoint: JournalCheckpoint?
  /// What happened after it, in order and without gaps.
  public var rows: [JournalRow]
  /// Identities of rows of the last 24 hours, at most 100,000, in the order of the rows; those of ``rows`` are among them.
  public var identities: [JournalIdentity]

  /// Contents; empty is what a new journal holds.
  public init(checkpoint: JournalCheckpoint? = nil, rows: [JournalRow] = [], identities: [JournalIdentity] = []) {
    self.checkpoint = checkpoint
    self.rows = rows
    self.identities = identities
  }

  /// The last row there ever was, 0 if none: the next one has the sequence after it.
  public var lastSequence: UInt64 { rows.last?.sequence ?? checkpoint?.sequence ?? 0 }
}
