import MotionModel

/// The plans that drove properties before the present ones, for explanations. Nothing in a frame depends on them.
///
/// Bounded in memory, and in time per frame: when thousands of plans end in one frame, the first of them are kept.
struct FormerPlans {
  /// How many are kept, in all: some 2 MB.
  static let kept = 8_192
  /// How many are noted in one frame: 0.2 ms at most.
  static let perFrame = 1_024

  struct Entry {
    let identity: IntentionIdentity
    let type: IntentionType
    let name: IntentionName?
    let provenance: Provenance?
    let end: Explanation.FormerPlan.End
    let time: Double
    /// The client of the stop that ended it.
    let stopper: Committer?
  }

  /// By slot; and the slots in the order in which they were noted, from ``oldest`` on. A slot may be in it repeatedly.
  private var entries: [PropertyTable.Slot: Entry] = [:]
  private var order: [PropertyTable.Slot] = []
  private var oldest = 0
  private var frame: UInt64 = 0
  private var notedInFrame = 0

  /// Whether the frame has room for another one.
  mutating func hasRoom(in frame: UInt64) -> Bool {
    if frame != self.frame { (self.frame, notedInFrame) = (frame, 0) }
    return notedInFrame < Self.perFrame
  }

  /// Keeps the plan that drove a property until then.
  mutating func note(_ entry: Entry, of slot: PropertyTable.Slot) {
    notedInFrame += 1
    if order.count < Self.kept {
      order.append(slot)
    } else {
      // The slot that was noted longest ago; one that was noted again since then is noted a second time in the order, and
      // is dropped a little early.
      entries[order[oldest]] = nil
      order[oldest] = slot
      oldest = (oldest + 1) % Self.kept
    }
    entries[slot] = entry
  }

  /// Drops what is known of a property.
  mutating func forget(_ slot: PropertyTable.Slot) {
    if !entries.isEmpty { entries[slot] = nil }
  }

  /// The plan that drove a property before its present one.
  subscript(slot: PropertyTable.Slot) -> Explanation.FormerPlan? {
    entries[slot].map {
      Explanation.FormerPlan(
        $0.identity, $0.type, named: $0.name, by: $0.provenance, $0.end, at: $0.time, stopper: $0.stopper)
    }
  }

  /// The plans that are kept with their properties, the oldest first. A slot that was noted repeatedly counts where it was
  /// noted last.
  var inOrder: [(slot: PropertyTable.Slot, entry: Entry)] {
    var found: [(slot: PropertyTable.Slot, entry: Entry)] = []
    var seen: Set<PropertyTable.Slot> = []
    for index in order.indices.reversed() {
      let slot = order[(oldest + index) % order.count]
      if let entry = entries[slot], seen.insert(slot).inserted { found.append((slot, entry)) }
    }
    return found.reversed()
  }
}
