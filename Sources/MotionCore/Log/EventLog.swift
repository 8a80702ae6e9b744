public import MotionModel

/// What happens in a runtime, in one order: for each frame the events that were applied, and the changes that they
/// caused.
///
/// The log keeps nothing by itself. Its owner states in ``keeps`` what its readers need, and takes the records after each
/// frame. What no reader needs is neither kept nor computed.
///
///     runtime.log.keeps = [.endings, .drivers]
///     runtime.advance()
///     for record in runtime.log.take() { print(record.frame.number, record.ended, record.drivers) }
public final class EventLog {
  /// How many entries are kept for a reader that does not take them; beyond that the older half is dropped. A reader
  /// that takes them after each frame misses none unless a million springs come to rest at once. They use some 200 MB at
  /// most.
  public static let entriesKept = 1_000_000

  /// The kinds of entries that a log can keep.
  public struct Contents: OptionSet, Sendable {
    /// A bit for each kind.
    public let rawValue: UInt16

    /// Creates a set with these bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The applied events. Every frame then has a record. Set it before the first frame to be able to replay them.
    public static let events = Contents(rawValue: 1 << 0)
    /// Plans that ended: ``/MotionModel/RuntimeChange/ended(_:by:)``; and limits that could not be set:
    /// ``/MotionModel/RuntimeChange/limitsFailed(_:)``.
    public static let endings = Contents(rawValue: 1 << 1)
    /// Changes of drivers.
    public static let drivers = Contents(rawValue: 1 << 2)
    /// Plans that were added or removed.
    public static let plans = Contents(rawValue: 1 << 3)
    /// Executors that were created or removed, and their tokens.
    public static let executors = Contents(rawValue: 1 << 4)
    /// Changes of ``Runtime/isActive``.
    public static let activity = Contents(rawValue: 1 << 5)
    /// What was refused or came too late.
    public static let refusals = Contents(rawValue: 1 << 6)
    /// The changes of targets and plans for checkpoints; see ``EventLog/takeChanges(atMost:)``. Set it before the first
    /// commit.
    package static let checkpoints = Contents(rawValue: 1 << 7)
    /// The remains of applied transactions, which are otherwise released by the next frame.
    package static let remains = Contents(rawValue: 1 << 8)

    /// Limits that begin to hold a property back from its driver, or no longer do.
    public static let limits = Contents(rawValue: 1 << 9)

    /// Everything that a record can contain.
    public static let everything: Contents = [
      .events, .endings, .drivers, .plans, .executors, .activity, .refusals, .limits,
    ]
  }

  /// What is kept from now on. A record contains nothing else.
  public var keeps: Contents = [] {
    didSet { plans.checkpoints.isKept = keeps.contains(.checkpoints) }
  }

  /// The most entries: ``entriesKept``, except in tests.
  var limit = EventLog.entriesKept
  let position: FramePosition
  let plans: Plans
  /// The records that no reader has taken and that are complete, oldest first, and how many entries they have.
  private var records: [FrameRecord] = []
  private var entries = 0
  /// The record of the frame under way or, between frames, of now; `nil` until it has an entry.
  private var present: FrameRecord?
  private var isInFrame = false
  /// The cause of the changes that happen now; `nil` if no event is being applied.
  private var cause: ChangeCause?
  /// Objects that are no longer used since the last frame, and whose release takes long.
  private var remains: [any Sendable] = []
  /// The failed plans, for queries.
  var failed = FailedPlans()
  /// How many refusals of each kind there were; counted whether or not they are kept.
  var refusals = RefusalCounts()
  /// Computes the hashes of frames.
  var hasher = FrameHasher()

  /// A log without entries.
  init(at position: FramePosition, of plans: Plans) { (self.position, self.plans) = (position, plans) }

  /// Takes out the records since the last call, oldest first. Those of a frame are complete when the frame has been run.
  public func take() -> [FrameRecord] {
    if !remains.isEmpty, keeps.contains(.remains) {
      open()
      present?.remains = remains
      remains = []
    }
    close()
    defer { (records, entries) = ([], 0) }
    return records
  }

  // MARK: Frames

  /// A frame begins; everything until its end belongs to it.
  func beginFrame() {
    close()
    isInFrame = true
    if !remains.isEmpty { remains = [] }
    if keeps.contains(.events) { open() }
  }

  /// Everything has moved: computes the hash of the frame.
  func noteResult(_ movement: Movement) {
    if hasher.isOn { hasher.compute(position.frame, movement.properties) }
  }

  /// The frame has ended; everything from now on is between frames.
  func endFrame() {
    if hasher.isOn { present?.hash = hasher.hash }
    close()
    isInFrame = false
  }

  // MARK: Events

  /// An event is being applied, and is the cause of all changes until ``endEvent()``.
  func beginEvent(_ event: RuntimeEvent) {
    guard !keeps.isEmpty else { return }
    cause = ChangeCause(event)
    guard keeps.contains(.events) else { return }
    var provenance: Provenance?
    if case .commit(let sequence, _) = event { provenance = plans.provenances[sequence] }
    open()
    present?.events.append(AppliedEvent(event, by: provenance))
    makeRoom()
  }

  /// The event has been applied.
  func endEvent() { if cause != nil { cause = nil } }

  /// This operation, or the rest, of a transaction is being applied.
  func noteOperation(_ operation: UInt32?, of sequence: UInt64) {
    if cause != nil { cause = .transaction(sequence: sequence, operation: operation) }
  }

  // MARK: Changes

  /// Keeps a change if a reader needs it; otherwise the change is not even created.
  ///
  /// - Parameter cause: its cause, if that is not the event being applied.
  func note(_ kind: Contents, _ change: @autoclosure () -> RuntimeChange, by cause: ChangeCause? = nil) {
    guard keeps.contains(kind) else { return }
    open()
    present?.changes.append(CausedChange(change(), by: cause ?? self.cause ?? (isInFrame ? .frame : .call)))
    makeRoom()
  }

  /// Keeps an object whose release takes long: for the reader that releases it, or until the next frame.
  func keep(_ object: any Sendable) { remains.append(object) }

  // MARK: Records

  /// Makes a record of now, if there is none.
  private func open() {
    if present == nil { present = FrameRecord(frame: position.frame, isBetweenFrames: !isInFrame) }
  }

  /// Completes the record of now.
  private func close() {
    guard let record = present else { return }
    present = nil
    records.append(record)
    entries += record.entries
    makeRoom()
  }

  /// Drops the oldest entries if there are too many: half at a time, so that the amortised cost is small. Of the newest
  /// record a part stays, in which the gap is marked.
  private func makeRoom() {
    let newest = present?.entries ?? 0
    guard entries + newest > limit else { return }
    var dropped = 0
    let older = present == nil ? records.count - 1 : records.count
    while entries + newest > limit / 2, dropped < older {
      entries -= records[dropped].entries
      dropped += 1
    }
    records.removeFirst(dropped)
    guard !records.isEmpty else {
      if newest > limit / 2 { present?.dropOldest() }
      present?.isAfterGap = true
      return
    }
    if dropped == older, present == nil, entries > limit {
      records[0].dropOldest()
      entries = records[0].entries
    }
    records[0].isAfterGap = true
  }
}

extension FrameRecord {
  /// How much of the log's room a record uses. An empty record uses some, too.
  fileprivate var entries: Int { 1 + events.count + changes.count }

  /// Drops the older half of the entries.
  fileprivate mutating func dropOldest() {
    events.removeFirst(events.count / 2)
    changes.removeFirst(changes.count / 2)
  }
}
