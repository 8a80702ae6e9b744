import MotionModel
import MotionPhysics

/// All properties of a runtime: where each is, who may drive it, and which changed in the present frame.
///
/// A property lives in a slot, a small number that is reused after `forget`; its handle, which messages carry, is not.
/// Looking a property up by handle or slot costs array accesses; by name, who knows its target asks there.
struct PropertyTable {
  /// Where a property stands in the table.
  typealias Slot = Int

  struct Entry {
    let reference: PropertyReference
    let handle: PropertyHandle
    /// How many lanes it has, 1 to 4.
    let lanes: Int
    var value: SIMD4<Double>
    var velocity = SIMD4<Double>.zero
    /// The frame of its last change.
    var changedFrame: UInt64 = 0
    /// The stamp of its last change; see ``PropertyTable/stamp``.
    var changedStamp: UInt64 = 0
    /// Whether the slot is in use.
    var isOccupied = true
    /// Whether the runtime has to settle who drives it.
    var isUnsettled = false
    /// Whether the runtime has to look at it in the next frame.
    var isWatched = false
    /// Whether an executor in a worker reads it.
    var isRead = false
    var stack = WriterStack()
    /// The driver that was told of, to notice when it changes.
    var driver: ExecutorHandle?
    /// The driver's plan that was told of, likewise.
    var leading: IntentionIdentity?
    /// The executor that moves it: the driver, or, until the driver's first word, the one before.
    var actor: ExecutorHandle?
    /// The executors that were told to be silent on it.
    var silent: [ExecutorHandle] = []

    var state: PropertyState {
      PropertyState(Lanes(value, count: lanes), velocity: Lanes(velocity, count: lanes))
    }

    /// - Returns: whether this is its first change in the frame.
    fileprivate mutating func move(
      to value: SIMD4<Double>, _ velocity: SIMD4<Double>, frame: UInt64, stamp: UInt64
    ) -> Bool {
      guard self.value != value || self.velocity != velocity else { return false }
      (self.value, self.velocity) = (value, velocity)
      guard changedStamp != stamp else { return false }
      (changedStamp, changedFrame) = (stamp, frame)
      return true
    }
  }

  private(set) var entries: [Entry] = []
  /// What stands between the words of workers and properties, for the few that need it.
  var motions: [Slot: PropertyMotion] = [:]
  private var slotOfHandle = NumberedTable<PropertyHandle, Slot>()
  private(set) var lastHandle: UInt32 = 0

  /// The slots that changed in the present frame, each once; some may have been forgotten since.
  private(set) var changedSlots: [Slot] = []
  /// The slots that changed between frames, which the next frame is to publish.
  private var carriedSlots: [Slot] = []
  /// The properties that were forgotten in the present frame, and those between frames.
  private(set) var forgotten: [ForgottenProperty] = []
  private var carriedForgotten: [ForgottenProperty] = []
  /// Empty slots, and those emptied in this frame, which are not reused in it.
  private var free: [Slot] = []
  private var emptied: [Slot] = []
  /// The number of the present frame.
  private(set) var frame: UInt64 = 0
  /// Grows with each frame, and with each change between frames, so that either is published once.
  private var stamp: UInt64 = 0
  private var isOpen = false

  var count: Int { slotOfHandle.count }
  /// The slots in use, in order.
  var occupied: some Sequence<Slot> { entries.indices.lazy.filter { entries[$0].isOccupied } }
  /// The slots whose state changed in the present frame, each once, in the order of their first change.
  var changed: some Sequence<Slot> { changedSlots.lazy.filter { entries[$0].isOccupied } }

  /// The entry at an occupied slot; an empty one is a fault of the runtime.
  subscript(slot: Slot) -> Entry {
    _read {
      precondition(entries[slot].isOccupied, "property slot \(slot) is empty")
      yield entries[slot]
    }
    _modify {
      precondition(entries[slot].isOccupied, "property slot \(slot) is empty")
      yield &entries[slot]
    }
  }

  /// Whether a property lives at `slot`.
  func isOccupied(_ slot: Slot) -> Bool { entries.indices.contains(slot) && entries[slot].isOccupied }
  /// Whether nobody says where the property goes, although somebody should.
  func isCoasting(_ slot: Slot) -> Bool { motions[slot]?.isCoasting ?? false }
  /// Whether the property is not where its driver says, because that is late or dead or was a moment ago.
  func isLate(_ slot: Slot) -> Bool { motions[slot]?.isLate ?? false }
  func slot(of handle: PropertyHandle) -> Slot? { slotOfHandle[handle] }

  /// Makes a property, which does not exist yet, with its initial value; it counts as changed.
  mutating func makeSlot(for reference: PropertyReference, lanes: Int) -> Slot {
    lastHandle += 1
    let handle = PropertyHandle(lastHandle)
    let initial = Lanes(SIMD4(repeating: KnownProperty.named(reference.property).initialLane), count: lanes)
    let entry = Entry(reference: reference, handle: handle, lanes: lanes, value: initial.storage)
    let slot = free.popLast() ?? entries.count
    if slot < entries.count { entries[slot] = entry } else { entries.append(entry) }
    slotOfHandle[handle] = slot
    markChanged(slot)
    return slot
  }

  /// Forgets a property.
  mutating func remove(_ slot: Slot) {
    let (reference, handle) = (self[slot].reference, self[slot].handle)
    slotOfHandle[handle] = nil
    let property = ForgottenProperty(handle: handle, reference: reference)
    if isOpen { forgotten.append(property) } else { carriedForgotten.append(property) }
    motions[slot] = nil
    entries[slot].isOccupied = false
    entries[slot].stack = WriterStack()
    entries[slot].silent = []
    emptied.append(slot)
  }

  /// Notes that the mover of a property owes no further word.
  mutating func owesNothing(_ slot: Slot) {
    guard var motion = motions[slot], motion.framesBehind > 0 else { return }
    motion.owesNothing()
    motions[slot] = motion.isEmpty ? nil : motion
    markChanged(slot)
  }

  /// Begins a frame, or a change between frames: nothing has changed in it but what changed since the one before.
  mutating func begin(_ frame: UInt64) {
    self.frame = frame
    stamp += 1
    isOpen = true
    changedSlots.removeAll(keepingCapacity: true)
    // Their stamp is this frame's already.
    for slot in carriedSlots where entries[slot].isOccupied {
      entries[slot].changedFrame = frame
      changedSlots.append(slot)
    }
    carriedSlots.removeAll(keepingCapacity: true)
    forgotten = carriedForgotten
    carriedForgotten = []
  }

  /// Ends a frame: what changes from now on is published with the next.
  mutating func end() {
    isOpen = false
    free += emptied
    emptied.removeAll(keepingCapacity: true)
  }

  /// Sets where a property is, and notes that it changed in this frame if it did.
  mutating func set(_ slot: Slot, value: SIMD4<Double>, velocity: SIMD4<Double>) {
    guard self[slot].value != value || self[slot].velocity != velocity else { return }
    self[slot].value = value
    self[slot].velocity = velocity
    markChanged(slot)
  }

  /// Sets the properties that a bank has just moved to where it moved them; their slots are the bank's tags.
  ///
  /// - Returns: the slots of those that have left the range of numbers, which stay where they are.
  mutating func follow(_ bank: SpringBank) -> [Slot] {
    var lost: [Slot] = []
    let (frame, stamp) = (frame, stamp)
    bank.forEachMoved { tag, value, velocity in
      let slot = Int(tag)
      // What is infinite or no number leaves no zero behind.
      guard all((value - value) + (velocity - velocity) .== 0) else { return lost.append(slot) }
      let isNew = entries[slot].move(to: value, velocity, frame: frame, stamp: stamp)
      if isNew { changedSlots.append(slot) }
    }
    return lost
  }

  /// Notes that a property has to be published with this frame.
  mutating func markChanged(_ slot: Slot) {
    let stamp = isOpen ? stamp : stamp + 1
    guard self[slot].changedStamp != stamp else { return }
    self[slot].changedStamp = stamp
    self[slot].changedFrame = frame
    if isOpen { changedSlots.append(slot) } else { carriedSlots.append(slot) }
  }
}
