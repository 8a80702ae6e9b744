/// Stores rows in their order and, from time to time, a checkpoint: the state after one of them.
///
/// A journal belongs to the thread that opened it, and its calls block until the disk has answered. Opening verifies
/// the whole journal. After an error with the code ``JournalError/Code/broken``, the contents of the disk are unknown:
/// close the journal, open it again, and read ``contents()``.
public protocol Journal: AnyObject {
  /// The contents of the journal. Reads and verifies all of it, so call this once, before the first ``append(_:)``.
  func contents() throws(JournalError) -> JournalContents

  /// Appends rows; on return all of them are on disk.
  ///
  /// If it throws, none of the rows is on disk and the same rows may be appended again, unless the code is
  /// ``JournalError/Code/broken``. The caller ensures that the sequences continue without a gap; a gap traps.
  func append(_ rows: [JournalRow]) throws(JournalError)

  /// Writes a checkpoint of the state after a row; on return it is on disk. The rows that it covers are removed in
  /// small steps; their identities stay. The cost depends on the given parts; unchanged parts are not written.
  ///
  /// If it throws, the previous checkpoint and its rows are still stored, unless the code is
  /// ``JournalError/Code/broken``.
  ///
  /// - Parameter check: reads the stored parts back, before they take effect and before any row or older checkpoint is
  ///   removed. If it throws, everything is rolled back.
  /// - Returns: the size of the checkpoint in bytes.
  @discardableResult
  func checkpoint(_ update: CheckpointUpdate, check: CheckpointCheck) throws(JournalError) -> Int

  /// A part of the last checkpoint; `nil` if it has no part of this number.
  func part(_ number: UInt64) throws(JournalError) -> [UInt8]?

  /// Performs one bounded step of deferred work, such as returning free space. Call it when no answer waits.
  ///
  /// - Returns: whether more work is left. If this is never called, ``append(_:)`` does the work once it cannot be
  ///   deferred.
  func tidy() throws(JournalError) -> Bool

  /// Closes the files. Appended rows are on disk already. After this, every call except another `close` throws.
  func close()
}

extension Journal {
  /// Writes a checkpoint likewise, without checking the stored parts.
  @discardableResult
  public func checkpoint(_ update: CheckpointUpdate) throws(JournalError) -> Int {
    try checkpoint(update) { _ in }
  }
}

/// Returns the part of a journal's contents that can be decoded, and a text that fits behind "lost:" for each part
/// that cannot.
public typealias JournalSalvage = (JournalContents) -> (contents: JournalContents, losses: [String])

/// Checks the parts of a checkpoint before it takes effect; throws a ``JournalError`` if a start could not read it.
public typealias CheckpointCheck = (StoredParts) throws -> Void

/// The parts of a checkpoint as they are stored, before the checkpoint takes effect.
public struct StoredParts {
  /// The numbers of the parts that the update has added or changed.
  public let changed: [UInt64]
  private let read: (UInt64) throws -> [UInt8]?
  private let readAll: () throws -> [UInt8]

  init(changed: [UInt64], read: @escaping (UInt64) throws -> [UInt8]?, readAll: @escaping () throws -> [UInt8]) {
    (self.changed, self.read, self.readAll) = (changed, read, readAll)
  }

  /// The stored bytes of a part; `nil` if there is no part of this number.
  public func body(of number: UInt64) throws -> [UInt8]? { try read(number) }

  /// The stored bytes of all parts, concatenated.
  public func whole() throws -> [UInt8] { try readAll() }
}

/// One event that must not be lost: a commit, a stop, a pause.
public struct JournalRow: Sendable, Hashable {
  /// Its number, from 1 and without gaps over the life of the journal.
  public var sequence: UInt64
  /// Nanoseconds since 1970. Shown to people, and used for the age of identities.
  public var wallTime: Int64
  /// The id that the client chose; empty if the event has none.
  public var identity: [UInt8]
  /// Distinguishes a resent event from another event with the same identity: the caller's digest of the client's
  /// message.
  public var digest: [UInt8]
  /// The answer to a resent event; kept with the identity, longer than the body.
  public var answer: [UInt8]
  /// The event, encoded by the caller.
  public var body: [UInt8]

  /// A row. Without an identity, digest and answer may be empty.
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

/// The state after a row, encoded by the caller.
public struct JournalCheckpoint: Sendable, Hashable {
  /// The last row that it covers; 0 if none.
  public var sequence: UInt64
  /// The state: all parts, concatenated.
  public var body: [UInt8]

  /// A checkpoint.
  public init(sequence: UInt64, body: [UInt8]) {
    self.sequence = sequence
    self.body = body
  }
}

/// The state after a row, as the difference from the previous checkpoint.
public struct CheckpointUpdate: Sendable, Hashable {
  /// The last row that it covers; 0 if none.
  public var sequence: UInt64
  /// Whether it replaces the previous checkpoint completely.
  public var isWhole: Bool
  /// The parts that are new or may have changed, each number once. The state is the concatenation of all parts in the
  /// order of their numbers, which are below 2^63.
  public var parts: [CheckpointPart]
  /// The numbers of the parts to remove.
  public var removed: [UInt64]

  /// An update.
  public init(sequence: UInt64, isWhole: Bool, parts: [CheckpointPart], removed: [UInt64] = []) {
    (self.sequence, self.isWhole, self.parts, self.removed) = (sequence, isWhole, parts, removed)
  }

  /// An update that replaces everything with one part.
  public init(_ checkpoint: JournalCheckpoint) {
    self.init(
      sequence: checkpoint.sequence, isWhole: true, parts: [CheckpointPart(number: 0, body: checkpoint.body)])
  }
}

/// A part of a checkpoint, written and verified separately.
public struct CheckpointPart: Sendable, Hashable {
  /// Its position among the parts.
  public var number: UInt64
  /// Its bytes of the state.
  public var body: [UInt8]

  /// A part.
  public init(number: UInt64, body: [UInt8]) { (self.number, self.body) = (number, body) }
}

/// The data that is kept of a row with an identity after its body was removed.
public struct JournalIdentity: Sendable, Hashable {
  /// The id that the client chose.
  public var identity: [UInt8]
  /// The sequence of the row.
  public var sequence: UInt64
  /// The wall time of the row, in nanoseconds since 1970.
  public var wallTime: Int64
  /// The caller's digest of the client's message.
  public var digest: [UInt8]
  /// The answer to a resent event.
  public var answer: [UInt8]

  /// The data that is kept of `row`.
  public init(of row: JournalRow) {
    self.init(
      identity: row.identity, sequence: row.sequence, wallTime: row.wallTime, digest: row.digest, answer: row.answer)
  }

  /// An identity and its data.
  public init(identity: [UInt8], sequence: UInt64, wallTime: Int64, digest: [UInt8], answer: [UInt8]) {
    self.identity = identity
    self.sequence = sequence
    self.wallTime = wallTime
    self.digest = digest
    self.answer = answer
  }
}

/// The contents of a journal when it is opened.
public struct JournalContents: Sendable, Equatable {
  /// The checkpoint to start from; `nil` if there is none yet.
  public var checkpoint: JournalCheckpoint?
  /// The rows after it, in order and without gaps.
  public var rows: [JournalRow]
  /// The identities of the last 24 hours, at most 100,000, in the order of their rows. Those of ``rows`` are included.
  public var identities: [JournalIdentity]

  /// Contents; without arguments, those of a new journal.
  public init(checkpoint: JournalCheckpoint? = nil, rows: [JournalRow] = [], identities: [JournalIdentity] = []) {
    self.checkpoint = checkpoint
    self.rows = rows
    self.identities = identities
  }

  /// The last row that was ever written, 0 if none. The next row has the following sequence.
  public var lastSequence: UInt64 { rows.last?.sequence ?? checkpoint?.sequence ?? 0 }
}

extension JournalContents {
  /// Removes the identities that are too old or too many.
  mutating func forgetIdentities() {
    guard let newest = identities.last?.wallTime else { return }
    let tooMany = max(0, identities.count - JournalLimits.identities)
    let tooOld = identities.prefix { JournalLimits.isTooOld($0.wallTime, at: newest) }.count
    identities.removeFirst(max(tooMany, tooOld))
  }
}
