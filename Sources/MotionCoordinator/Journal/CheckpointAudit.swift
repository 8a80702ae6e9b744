import MotionJournal
import MotionModel
import MotionWire

/// Checks a checkpoint as it was stored, before the previous one is deleted. Changed parts are decoded as a start would
/// decode them, and compared with the unchanged parts.
///
/// Of the unchanged parts it keeps one entry for each target name, 24 bytes: how many targets have it and how many
/// plans need it.
struct CheckpointAudit {
  /// Why a start could not recover from the stored checkpoint.
  struct Finding: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  /// How many targets of a name there are, and how many plans on it.
  private struct Count {
    var targets: Int32 = 0
    var plans: Int32 = 0
  }

  /// By the hash of the name: two names with one hash could only hide a fault, and never report a false one.
  private var counts: [Int: Count] = [:]
  /// The changes of the present update to these counts.
  private var changes: [Int: (count: Count, name: TargetName)] = [:]
  /// Whether ``changes`` cover the complete checkpoint.
  private var isWhole = true
  /// The chunks that the present update replaces.
  private var before: [UInt64: CheckpointChunk] = [:]
  private var removed: [UInt64] = []
  private var lastLane: (end: Int, property: PropertyReference)?
  private var lastPlan: IntentionIdentity?

  /// Begins an update.
  mutating func begin(isWhole: Bool) {
    self.isWhole = isWhole
    (changes, before, removed, lastLane, lastPlan) = ([:], [:], [], nil, nil)
  }

  /// Records a chunk that the update replaces.
  mutating func replaces(_ part: UInt64, _ chunk: CheckpointChunk) { before[part] = chunk }

  /// Records a chunk that the update removes.
  mutating func removes(_ part: UInt64) { removed.append(part) }

  /// Checks the changed entries of a chunk; unchanged ones were checked when they were written.
  mutating func checkChunk(_ part: UInt64, _ body: [UInt8]) throws {
    guard let chunk = CheckpointChunk(body) else { throw Finding("part \(part) differs from what was written") }
    let old = before[part] ?? CheckpointChunk()
    var (gone, new): ([UInt8], [UInt8]) = ([], [])
    for place in 0..<CheckpointChunk.places where old[place] != chunk[place] {
      if let entry = old[place] { gone += entry }
      if let entry = chunk[place] { new += entry }
    }
    before[part] = nil
    try count(gone, by: -1)
    try count(new, by: 1)
  }

  private mutating func count(_ entries: [UInt8], by step: Int32) throws {
    guard !entries.isEmpty else { return }
    let part = try StoredCheckpointPart(entries)
    for target in part.targets {
      changes[target.name.hashValue, default: (Count(), target.name)].count.targets += step
      guard step > 0 else { continue }
      for property in target.properties where property.first + property.lanes > lastLane?.end ?? 0 {
        lastLane = (property.first + property.lanes, PropertyReference(target.name, property.name))
      }
    }
    for plan in part.plans {
      changes[plan.target.hashValue, default: (Count(), plan.target)].count.plans += step
      if step > 0, plan.identity.sequence > lastPlan?.sequence ?? 0 { lastPlan = plan.identity }
    }
  }

  /// Checks a part of the columns.
  func checkColumns(_ body: [UInt8], lanes: Int) throws {
    let found = try StoredCheckpointPart(body).lanes
    guard found == lanes else { throw Finding("it contains \(found) of \(lanes) lanes") }
  }

  /// Checks the head, and the waiting transactions.
  func checkOther(_ body: [UInt8]) throws { _ = try StoredCheckpointPart(body) }

  /// Checks the consistency of all parts.
  mutating func conclude(lanes: Int, lastSequence: UInt64) throws {
    for part in removed {
      let chunk = before[part] ?? CheckpointChunk()
      try count((0..<CheckpointChunk.places).flatMap { chunk[$0] ?? [] }, by: -1)
    }
    if let (end, property) = lastLane, end > lanes {
      throw Finding("\(property) lies outside of the \(lanes) lanes of all properties")
    }
    if let lastPlan, lastPlan.sequence > lastSequence {
      throw Finding("plan \(lastPlan) belongs to a transaction after \(lastSequence), the last one")
    }
    for (hash, change) in changes {
      let known = isWhole ? Count() : counts[hash] ?? Count()
      let (targets, plans) = (known.targets + change.count.targets, known.plans + change.count.plans)
      guard (0...1).contains(targets), plans >= 0 else {
        throw Finding("there are \(targets) targets \"\(change.name)\", and \(plans) plans on them")
      }
      guard plans == 0 || targets == 1 else {
        throw Finding("there are \(plans) plans on \"\(change.name)\", which does not exist")
      }
    }
    before = [:]
  }

  /// Counts the contents of a checkpoint again.
  mutating func restart(from body: [UInt8]) throws(WireError) {
    let part = try StoredCheckpointPart(body)
    counts = [:]
    for target in part.targets { counts[target.name.hashValue, default: Count()].targets += 1 }
    for plan in part.plans { counts[plan.target.hashValue, default: Count()].plans += 1 }
  }

  /// Accepts the update, which is on disk.
  mutating func accept() {
    if isWhole { counts = [:] }
    for (hash, change) in changes {
      var count = counts[hash] ?? Count()
      count.targets += change.count.targets
      count.plans += change.count.plans
      counts[hash] = count.targets == 0 && count.plans == 0 ? nil : count
    }
    changes = [:]
  }

  /// Compares a full checkpoint with the runtime that it was taken from.
  static func compare(_ body: [UInt8], with world: RuntimeCheckpoint) throws {
    var read = try JournalCoding.checkpoint(in: body)
    // They are stored in the order of their sequences, and a start sorts them by time.
    read.waiting.sort { ($0.at, $0.sequence) < ($1.at, $1.sequence) }
    guard read != world else { return }
    throw Finding("it differs from the runtime: \(difference(read, world))")
  }

  private static func difference(_ read: RuntimeCheckpoint, _ world: RuntimeCheckpoint) -> String {
    if read.targets.count != world.targets.count {
      return "\(read.targets.count) targets instead of \(world.targets.count)"
    }
    if read.plans.count != world.plans.count { return "\(read.plans.count) plans instead of \(world.plans.count)" }
    if let (found, known) = zip(read.targets, world.targets).first(where: { $0 != $1 }) {
      return "target \(found.name) instead of \(known.name), or its properties"
    }
    if let (found, known) = zip(read.plans, world.plans).first(where: { $0 != $1 }) {
      return "plan \(found.identity) on \(found.target) instead of \(known.identity) on \(known.target), or its fields"
    }
    if read.waiting != world.waiting { return "the waiting transactions" }
    if read.handovers != world.handovers { return "the hand-overs in progress" }
    return "the clock, or the owners of plans"
  }
}
