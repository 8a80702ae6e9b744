import MotionModel

/// All properties of a runtime: where each is, who may drive it, and which changed in the present frame.
///
/// A property lives in a slot, a small number that is reused after `forget`; its handle, which messages carry, is not.
/// Looking a property up by name costs one hash; by slot, one array access.
struct PropertyTable {
  /// Where a property stands in the table.
  typealias Slot = Int

  struct Entry {
    var reference: PropertyReference
    var handle: PropertyHandle
    /// How many lanes it has; 0 until its first value says so.
    var lanes: Int
    var value: SIMD4<Double>
    var velocity: SIMD4<Double>
    /// The frame of its last change.
    var changedFrame: UInt64
    /// The stamp of its last change; see ``PropertyTable/stamp``.
    var changedStamp: UInt64 = 0
    /// Whether the slot is in use.
    var isOccupied = true
    var stack = WriterStack()
    /// The driver that was told of, to notice when it changes.
    var driver: ExecutorHandle?
    /// The executors that were told to be silent on it.
    var silent: [ExecutorHandle] = []
    /// The executor that moves it: the driver, or, until the driver's first word, the one before.
    var actor: ExecutorHandle?
    /// What stands between its driver's words and its state; `nil` for what rests and what the bank steps.
    var motion: PropertyMotion?
    /// Whether its driver is late or dead.
    var isLate: Bool { motion?.late != nil }

    var state: PropertyState {
      let count = max(lanes, 1)
      return PropertyState(Lanes(value, count: count), velocity: Lanes(velocity, count: count))
    }
  }

  private(set) var entries: [Entry] = []
  private var free: [Slot] = []
  private var slots: [PropertyReference: Slot] = [:]
  private var slotOfHandle: [PropertyHandle: Slot] = [:]
  private var lastHandle: UInt32 = 0
  /// The slots whose state changed in the present frame, each once, in the order of their first change.
  private(set) var changed: [Slot] = []
  /// The number of the present frame.
  private(set) var frame: UInt64 = 0
  /// Grows with each frame, and with each change between frames, so that either is published once.
  private var stamp: UInt64 = 0

  var count: Int { slots.count }
  var occupied: some Sequence<Slot> { entries.indices.lazy.filter { entries[$0].isOccupied } }

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
  func slot(of reference: PropertyReference) -> Slot? { slots[reference] }
  func slot(of handle: PropertyHandle) -> Slot? { slotOfHandle[handle] }

  /// The slot of `reference`, made with its initial value if it is new.
  mutating func makeSlot(for reference: PropertyReference) -> Slot {
    if let slot = slots[reference] { return slot }
    let known = KnownProperty.named(reference.property)
    let lanes = known.lanes.count == 1 ? known.lanes.lowerBound : 0
    lastHandle += 1
    let handle = PropertyHandle(lastHandle)
    let initial = Lanes(SIMD4(repeating: known.initialLane), count: max(lanes, 1))
    let entry = Entry(
      reference: reference, handle: handle, lanes: lanes, value: initial.storage, velocity: .zero, changedFrame: 0)
    let slot: Slot
    if let reused = free.popLast() {
      slot = reused
      entries[slot] = entry
    } else {
      slot = entries.count
      entries.append(entry)
    }
    slots[reference] = slot
    slotOfHandle[handle] = slot
    return slot
  }

  /// How many lanes `reference` has, or could have if it is new or has had no value yet.
  func lanes(of reference: PropertyReference) -> ClosedRange<Int> {
    if let slot = slots[reference], self[slot].lanes > 0 { return self[slot].lanes...self[slot].lanes }
    return KnownProperty.named(reference.property).lanes
  }

  /// Settles how many lanes a property has, with its first value; its initial value fills them.
  mutating func fixLanes(_ count: Int, at slot: Slot) {
    guard self[slot].lanes == 0 else { return }
    let known = KnownProperty.named(self[slot].reference.property)
    self[slot].lanes = count
    self[slot].value = Lanes(SIMD4(repeating: known.initialLane), count: count).storage
  }

  /// Forgets a property.
  mutating func remove(_ slot: Slot) {
    let entry = self[slot]
    slots[entry.reference] = nil
    slotOfHandle[entry.handle] = nil
    entries[slot].isOccupied = false
    entries[slot].stack = WriterStack()
    entries[slot].silent = []
    entries[slot].motion = nil
    free.append(slot)
    changed.removeAll { $0 == slot }
  }

  /// Begins a frame, or a change between frames: nothing has changed in it yet.
  mutating func begin(_ frame: UInt64) {
    self.frame = frame
    stamp += 1
    changed.removeAll(keepingCapacity: true)
  }

  /// Sets where a property is, and notes that it changed in this frame if it did.
  mutating func set(_ slot: Slot, value: SIMD4<Double>, velocity: SIMD4<Double>) {
    guard self[slot].value != value || self[slot].velocity != velocity else { return }
    self[slot].value = value
    self[slot].velocity = velocity
    markChanged(slot)
  }

  /// Notes that a property has to be published with this frame.
  mutating func markChanged(_ slot: Slot) {
    guard self[slot].changedStamp != stamp else { return }
    self[slot].changedStamp = stamp
    self[slot].changedFrame = frame
    changed.append(slot)
  }
}
