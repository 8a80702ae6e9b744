import MotionModel

/// All properties of a runtime: their names, states and writers, and which of them changed in the present frame.
///
/// A property lives in a slot, a small number that is reused after `forget`; its handle, which messages carry, is not.
/// A look-up by handle or slot costs array accesses. A look-up by name goes through the target's record. The data that
/// a frame changes and publishes lies apart from the rest, in ``columns`` and ``changes``.
struct PropertyTable {
  /// Where a property stands in the table.
  typealias Slot = Int

  /// The part of a property that a frame does not access.
  struct Entry {
    let reference: PropertyReference
    /// Whether the runtime has to settle who drives it.
    var isUnsettled = false
    /// Whether the runtime has to examine it in the next frame.
    var isWatched = false
    /// The executors that are told when it changes, in order of creation.
    var readers: [ExecutorHandle] = []
    var stack = WriterStack()
    /// The driver that was last reported, to notice when it changes.
    var driver: ExecutorHandle?
    /// The driver's plan that was last reported, for the same purpose.
    var leading: IntentionIdentity?
    /// Since when it drives, in simulated seconds; not a number if that is not known.
    var leadingSince = Double.nan
    /// The executor that moves it: the driver or, until the driver's first sample, the former mover.
    var actor: ExecutorHandle?
    /// The executors that were notified that they are displaced from it.
    var silent: [ExecutorHandle] = []
  }

  /// The values and velocities of properties; a slot's row has its number.
  var columns = PropertyColumns()
  /// Which slots changed.
  var changes = PropertyChanges()
  /// Which properties have a range and no other limits: every write to one is held within it.
  var ranges = NaturalRanges()
  /// The limits that were set, by name.
  var limits = LimitTable()
  /// The properties with limits of motion: a write to one is a demand.
  var governors = Governors()
  /// The state between samples of workers and properties, for the few that need it.
  var motions = PropertyMotions()
  /// The slots that were to be set to values beyond the limits, since the last ``takeOverflowed()``; their properties
  /// stand.
  var overflowed: [Slot] = []
  /// The plans that drove properties before.
  var formerPlans = FormerPlans()
  private(set) var entries = PagedArray<Entry>()
  private var slotOfHandle = NumberedTable<PropertyHandle, UInt32>()
  /// The handle of the newest property; a handle is never reused.
  var lastHandle: UInt32

  /// The properties that were forgotten in the present frame, and those between frames.
  private(set) var forgotten: [ForgottenProperty] = []
  private var carriedForgotten: [ForgottenProperty] = []
  /// How many properties were forgotten so far.
  private(set) var removed = 0
  /// Empty slots, and the slots emptied in this frame, which are not reused in it.
  var free: [UInt32] = []
  private var emptied: [UInt32] = []

  /// No properties.
  ///
  /// - Parameter lastHandle: the handle before the first that is given.
  init(lastHandle: UInt32 = 0) { self.lastHandle = lastHandle }

  var count: Int { slotOfHandle.count }
  /// Whether every slot is in use or free; those that were emptied since the last frame are neither.
  var isTidy: Bool { emptied.isEmpty }
  /// How many of the forgotten properties the next frame is to publish.
  var waitingForgotten: Int { carriedForgotten.count }
  /// The slots in use, in order.
  var occupied: some Sequence<Slot> { columns.rows.indices.lazy.filter { columns.rows[$0].isOccupied } }
  /// The slots whose state changed in the present frame, each once, in the order of their first change.
  var changed: some Sequence<Slot> { changes.slots.lazy.map { Int($0) }.filter { columns.rows[$0].isOccupied } }

  /// The entry at an occupied slot; an access to an empty slot is a fault of the runtime.
  ///
  /// Copy the ``Entry/stack`` before a call of it that makes an array. Without optimization, Swift 6.3.1 ends the access
  /// first and then releases the stack at its former address, where the new array may be.
  subscript(slot: Slot) -> Entry {
    _read {
      precondition(columns.rows[slot].isOccupied, "property slot \(slot) is empty")
      yield entries[slot]
    }
    _modify {
      precondition(columns.rows[slot].isOccupied, "property slot \(slot) is empty")
      yield &entries[slot]
    }
  }

  /// Whether a property lives at `slot`.
  func isOccupied(_ slot: Slot) -> Bool { columns.rows.indices.contains(slot) && columns.rows[slot].isOccupied }
  /// Whether the property moves without samples, although a mover should send them.
  func isCoasting(_ slot: Slot) -> Bool { motions.marks(of: slot).isCoasting }
  /// Whether the property is not where its driver puts it, because the driver is late or dead, or was a moment ago.
  func isLate(_ slot: Slot) -> Bool { motions.isLate(slot) }
  func slot(of handle: PropertyHandle) -> Slot? { slotOfHandle[handle].map { Int($0) } }

  /// Visits the properties from a handle on, in order of first mention; see
  /// ``NumberedTable/visit(from:through:atMost:_:)``.
  func visit(
    from start: UInt64, through end: PropertyHandle, atMost count: Int, _ body: (Slot) -> Bool
  ) -> UInt64 {
    slotOfHandle.visit(from: start, through: end, atMost: count) { body(Int($1)) }
  }

  /// The short name of the property at a slot.
  func handle(at slot: Slot) -> PropertyHandle { PropertyHandle(columns.rows[slot].handle) }
  /// How many lanes it has, 1 to 4.
  func lanes(at slot: Slot) -> Int { columns.rows[slot].lanes }
  /// Its value; unused lanes are zero.
  func value(at slot: Slot) -> SIMD4<Double> { columns.value(slot) }
  /// Its velocity, per second; unused lanes are zero.
  func velocity(at slot: Slot) -> SIMD4<Double> { columns.velocity(slot) }
  /// Its value and velocity.
  func state(at slot: Slot) -> PropertyState {
    let lanes = lanes(at: slot)
    return PropertyState(Lanes(value(at: slot), count: lanes), velocity: Lanes(velocity(at: slot), count: lanes))
  }

  /// Creates a property, which does not exist yet, with its initial value; it counts as changed.
  mutating func makeSlot(for reference: PropertyReference, lanes: Int) -> Slot {
    let slot = reserveSlot(for: Entry(reference: reference), lanes: lanes)
    showSlot(slot)
    return slot
  }

  /// Reserves a slot for a property that does not exist yet: the property is invisible before ``showSlot(_:)``.
  mutating func reserveSlot(for entry: Entry, lanes: Int, velocity: SIMD4<Double> = .zero) -> Slot {
    let known = KnownProperty.named(entry.reference.property)
    var initial = SIMD4(repeating: known.initialLane)
    var velocity = velocity
    let range = LaneRanges(known.range)
    range?.hold(&initial, &velocity)
    let slot = free.popLast().map { Int($0) } ?? entries.count
    ranges.take(slot, range)
    columns.reserve(slot, at: Lanes(initial, count: lanes), velocity: velocity)
    if slot < entries.count {
      entries[slot] = entry
    } else {
      entries.append(entry)
      changes.addSlot()
    }
    return slot
  }

  /// Turns a reserved slot into a property; it counts as changed.
  mutating func showSlot(_ slot: Slot) {
    lastHandle += 1
    let handle = PropertyHandle(lastHandle)
    columns.show(slot, as: handle)
    slotOfHandle[handle] = UInt32(slot)
    changes.note(slot)
    if !limits.isEmpty { limitNewProperty(at: slot) }
  }

  /// The property for which a slot is reserved.
  func reservedReference(at slot: Slot) -> PropertyReference { entries[slot].reference }

  /// Changes the entry of a reserved slot.
  mutating func changeReserved(_ slot: Slot, _ change: (inout Entry) -> Void) { change(&entries[slot]) }

  /// Releases a reserved slot, which was never visible.
  mutating func releaseSlot(_ slot: Slot) {
    entries[slot].stack = WriterStack()
    ranges.leave(slot)
    columns.release(slot)
    free.append(UInt32(slot))
  }

  /// Forgets a property.
  mutating func remove(_ slot: Slot) {
    let (reference, handle) = (self[slot].reference, handle(at: slot))
    slotOfHandle[handle] = nil
    let property = ForgottenProperty(handle: handle, reference: reference)
    removed += 1
    if changes.isOpen { forgotten.append(property) } else { carriedForgotten.append(property) }
    motions[slot] = nil
    formerPlans.forget(slot)
    entries[slot].stack = WriterStack()
    entries[slot].silent = []
    leaveRange(slot)
    if !governors.isEmpty { governors.leave(slot) }
    limits.abandon(reference)
    columns.vacate(slot)
    emptied.append(UInt32(slot))
  }

  /// Forgets since when the present plans drive: a checkpoint does not have it.
  mutating func forgetDriverTimes() {
    for slot in occupied { entries[slot].leadingSince = .nan }
  }

  /// Takes out the slots of ``overflowed``.
  mutating func takeOverflowed() -> [Slot] {
    defer { overflowed = [] }
    return overflowed
  }

  /// Begins a frame, or a change between frames: only changes since the one before count as changes in it.
  mutating func begin(_ frame: UInt64) {
    let rows = columns.rows
    changes.begin(frame) { rows[$0].isOccupied }
    forgotten = carriedForgotten
    carriedForgotten = []
  }

  /// Ends a frame: later changes are published with the next.
  mutating func end() {
    changes.end()
    free += emptied
    emptied.removeAll(keepingCapacity: true)
  }
}
