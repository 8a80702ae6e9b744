import MotionCore
import MotionJournal
import MotionModel
import MotionWire

/// The changes since the last checkpoint that was written: the contents of the next one.
///
/// It lives on the journal's thread, and keeps no unchanged contents: a changed chunk is read from the journal,
/// changed, and written again. So unchanged contents cost neither memory nor time, except the columns, which are
/// compared by their digests. Only the names of targets are kept, as hashes, so that a plan without its target is
/// found.
struct CheckpointMirror {
  /// The kinds of the parts of a checkpoint, in their order.
  private enum Kind: UInt64 {
    case head, targets, plans, waiting, columns, scenes, cues

    /// The number of a part.
    func part(_ chunk: UInt64 = 0) -> UInt64 { rawValue << 56 | chunk & (1 << 56 - 1) }
  }

  /// How many lanes a part of the columns has: 32 kB.
  static let lanesPerPart = 2048

  /// Whether the journal holds nothing of this runtime, so that the next checkpoint is full.
  private var isWhole = true
  private var targets = PendingEntries()
  private var plans = PendingEntries()
  /// The sequences of the stored transactions that wait for their time.
  private var waiting: Set<UInt64> = []
  private var nextWaiting: Set<UInt64> = []
  /// The numbers of the stored scenes.
  private var scenes: Set<UInt64> = []
  private var nextScenes: Set<UInt64> = []
  /// The numbers of the stored lists of cues.
  private var cues: Set<UInt64> = []
  private var nextCues: Set<UInt64> = []
  /// The parts that the present update replaces, so that only new contents are checked.
  private var audit = CheckpointAudit()

  /// Records a change of a target.
  mutating func take(_ change: CheckpointChanges.TargetChange) {
    switch change {
    case .kept(let ordinal, let name, let properties): targets.set(ordinal, CheckpointBytes.target(name, properties))
    case .forgotten(let ordinal): targets.set(ordinal, [])
    }
  }

  /// Records a change of a plan.
  mutating func take(_ change: CheckpointChanges.PlanChange) {
    switch change {
    case .kept(let order, let plan): plans.set(order, CheckpointBytes.plan(plan))
    case .gone(let order): plans.set(order, [])
    }
  }

  /// The update that brings the checkpoint in a journal to this snapshot; every earlier change has been recorded.
  mutating func update(
    to snapshot: JournalSnapshot, in journal: any Journal
  ) throws(JournalError) -> CheckpointUpdate {
    var update = CheckpointUpdate(sequence: snapshot.row, isWhole: isWhole, parts: [])
    audit.begin(isWhole: isWhole)
    update.parts.append(CheckpointPart(number: Kind.head.part(), body: CheckpointBytes.head(snapshot.head)))
    try add(targets, .targets, to: &update, in: journal)
    try add(plans, .plans, to: &update, in: journal)
    add(snapshot.head.waiting, to: &update)
    add(snapshot.head.scenes, to: &update)
    add(snapshot.head.cues, to: &update)
    add(snapshot.columns, to: &update)
    return update
  }

  /// How many bytes of changes wait for the next update.
  var pendingBytes: Int { targets.bytes + plans.bytes }

  /// Reads back the parts that the update of this snapshot has stored, and checks that a start can recover from them.
  mutating func check(_ stored: StoredParts, of snapshot: JournalSnapshot) throws(JournalError) {
    do {
      for part in stored.changed {
        guard let kind = Kind(rawValue: part >> 56), let body = try stored.body(of: part) else {
          throw CheckpointAudit.Finding("part \(part) is missing")
        }
        switch kind {
        case .targets, .plans: try audit.checkChunk(part, body)
        case .columns:
          let first = Int(part & (1 << 56 - 1)) * Self.lanesPerPart
          try audit.checkColumns(body, lanes: min(Self.lanesPerPart, snapshot.columns.values.count - first))
        case .head, .waiting, .scenes, .cues: try audit.checkOther(body)
        }
      }
      try audit.conclude(lanes: snapshot.columns.values.count, lastSequence: snapshot.head.lastSequence)
      if let world = snapshot.world { try CheckpointAudit.compare(try stored.whole(), with: world) }
    } catch {
      throw (error as? JournalError) ?? .unreadable(snapshot.row, error)
    }
  }

  /// The journal was reopened after a failure of unknown outcome: this is the checkpoint that it holds.
  mutating func found(_ checkpoint: JournalCheckpoint?) throws(WireError) {
    guard !isWhole else { return }
    // The failed update may be stored or not, so the stored sequences are read from the checkpoint.
    (waiting, scenes, cues) = ([], [], [])
    if let checkpoint {
      let stored = try JournalCoding.checkpoint(in: checkpoint.body)
      waiting.formUnion(stored.waiting.map(\.sequence))
      scenes.formUnion(stored.scenes.map(\.number))
      cues.formUnion(stored.cues.map(\.number))
    }
    try audit.restart(from: checkpoint?.body ?? [])
  }

  /// The last update is on disk.
  mutating func wrote() {
    (isWhole, targets, plans) = (false, PendingEntries(), PendingEntries())
    (waiting, scenes, cues) = (nextWaiting, nextScenes, nextCues)
    audit.accept()
  }

  private mutating func add(
    _ pending: PendingEntries, _ kind: Kind, to update: inout CheckpointUpdate, in journal: any Journal
  ) throws(JournalError) {
    for (number, changes) in pending.chunks {
      let part = kind.part(number)
      var chunk = CheckpointChunk()
      if !isWhole, let before = try journal.part(part) {
        guard let known = CheckpointChunk(before) else { throw .notOurs(part) }
        chunk = known
      }
      audit.replaces(part, chunk)
      changes.apply(to: &chunk)
      if let body = chunk.bytes {
        update.parts.append(CheckpointPart(number: part, body: body))
      } else {
        update.removed.append(part)
        audit.removes(part)
      }
    }
  }

  /// Adds the waiting transactions, each in a part of its own, which is encoded and written once.
  private mutating func add(_ entries: [RuntimeCheckpoint.Waiting], to update: inout CheckpointUpdate) {
    nextWaiting = Set(entries.lazy.map(\.sequence))
    for entry in entries where isWhole || !waiting.contains(entry.sequence) {
      update.parts.append(
        CheckpointPart(number: Kind.waiting.part(entry.sequence), body: CheckpointBytes.waiting(entry)))
    }
    if !isWhole {
      update.removed += waiting.subtracting(nextWaiting).sorted().map { Kind.waiting.part($0) }
    }
  }

  /// Adds the scenes, likewise.
  private mutating func add(_ entries: [RuntimeCheckpoint.StoredScene], to update: inout CheckpointUpdate) {
    nextScenes = Set(entries.lazy.map(\.number))
    for entry in entries where isWhole || !scenes.contains(entry.number) {
      update.parts.append(CheckpointPart(number: Kind.scenes.part(entry.number), body: CheckpointBytes.scene(entry)))
    }
    if !isWhole { update.removed += scenes.subtracting(nextScenes).sorted().map { Kind.scenes.part($0) } }
  }

  /// Adds the lists of cues, likewise.
  private mutating func add(_ entries: [RuntimeCheckpoint.StoredCueList], to update: inout CheckpointUpdate) {
    nextCues = Set(entries.lazy.map(\.number))
    for entry in entries where isWhole || !cues.contains(entry.number) {
      update.parts.append(CheckpointPart(number: Kind.cues.part(entry.number), body: CheckpointBytes.cues(entry)))
    }
    if !isWhole { update.removed += cues.subtracting(nextCues).sorted().map { Kind.cues.part($0) } }
  }

  private func add(_ columns: PropertyColumns, to update: inout CheckpointUpdate) {
    for first in stride(from: 0, to: columns.values.count, by: Self.lanesPerPart) {
      let lanes = first..<min(first + Self.lanesPerPart, columns.values.count)
      update.parts.append(
        CheckpointPart(
          number: Kind.columns.part(UInt64(first / Self.lanesPerPart)),
          body: CheckpointBytes.columns(columns.values[lanes], columns.velocities[lanes])))
    }
  }
}

/// Entries of chunks that are to be written, in the order in which they changed.
private struct PendingEntries {
  /// The entries of one chunk: all bytes in one block, because a million small arrays would take several times as much.
  struct Changes {
    /// The number of changes from which superseded ones are dropped, so that a disk that cannot be written for hours
    /// costs no more memory than the contents themselves.
    private static let most = 4 * CheckpointChunk.places

    private var places: [UInt16] = []
    private var ends: [Int] = []
    private var block: [UInt8] = []

    var bytes: Int { block.count }

    /// Sets an entry; empty if it is removed.
    mutating func set(_ place: Int, _ bytes: [UInt8]) {
      add(UInt16(place), bytes[...])
      if places.count >= Self.most { tidy() }
    }

    private mutating func add(_ place: UInt16, _ bytes: ArraySlice<UInt8>) {
      places.append(place)
      block += bytes
      ends.append(block.count)
    }

    private mutating func tidy() {
      var newest: [UInt16: Range<Int>] = [:]
      var start = 0
      for (place, end) in zip(places, ends) {
        newest[place] = start..<end
        start = end
      }
      let before = block
      (places, ends, block) = ([], [], [])
      for (place, range) in newest { add(place, before[range]) }
    }

    /// Applies the changes to a chunk: the last change of a place counts.
    func apply(to chunk: inout CheckpointChunk) {
      var start = 0
      for (place, end) in zip(places, ends) {
        chunk[Int(place)] = end > start ? block[start..<end] : nil
        start = end
      }
    }
  }

  private(set) var chunks: [UInt64: Changes] = [:]

  var bytes: Int { chunks.values.reduce(0) { $0 + $1.bytes } }

  /// Sets the entry of a number; empty if it is removed.
  mutating func set(_ number: UInt64, _ bytes: [UInt8]) {
    let size = UInt64(CheckpointChunk.places)
    chunks[number / size, default: Changes()].set(Int(number % size), bytes)
  }
}

extension JournalError {
  /// A part of a checkpoint that this process has written cannot be read.
  fileprivate static func notOurs(_ part: UInt64) -> JournalError {
    JournalError(
      .unreadable, at: "part \(part) of the checkpoint", "it differs from what was written",
      remedy: "Check the disk (dmesg), and whether another program writes there")
  }

  /// A checkpoint that was just stored cannot be read again, or contradicts itself.
  fileprivate static func unreadable(_ row: UInt64, _ error: any Error) -> JournalError {
    JournalError(
      .unreadable, at: "the checkpoint of row \(row)",
      "it was rolled back, because a start could not read it: \(error)",
      remedy: "Report this with the log; the checkpoint before it and all rows since are kept")
  }
}
