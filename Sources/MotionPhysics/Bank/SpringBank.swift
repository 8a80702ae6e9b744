/// A set of motions that are stepped together. A runtime keeps its springs, frictions and constant forces in it.
///
/// Motions with the same stiffness, damping, threshold and number of lanes form a group and share one exact matrix
/// (``LinearStep``). Motions that share theirs with few others are put into a mixed group, in which each row has its
/// own matrix. Within a group, lanes are a structure of arrays, stepped in vectors of the processor's width. A motion
/// that has come to rest leaves those arrays, costs nothing from then on, and keeps its handle. New forces or a new
/// state wake it.
///
/// A step allocates nothing and counts no references; arrays grow when a motion is inserted or woken. The same calls in
/// the same order give the same bits and the same order of iteration, on any machine.
///
/// This is a class because it owns memory and has an identity. A handle is valid for one bank, and a copy of a bank
/// would be two futures of the same handles. It belongs to one thread at a time.
///
/// Numbers passed in must be finite and thresholds positive. Other arguments are programming errors and trap: data from
/// outside is validated before it reaches the bank.
public final class SpringBank {
  /// Identifies one motion of a bank until the motion is removed.
  ///
  /// A stale handle traps.
  public struct Handle: Hashable, Sendable {
    let index: UInt32
    let generation: UInt32
  }

  /// A motion that came to rest.
  public struct Arrival: Hashable, Sendable {
    /// The motion, which is still in the bank, at rest.
    public let handle: Handle

    /// The tag that it was inserted with.
    public let tag: UInt32
  }

  /// The bank's record of one motion, moving or not.
  struct Entry: BitwiseCopyable {
    var generation: UInt32
    var tag: UInt32
    /// The group that it moves in, or moved in last.
    var group: UInt32
    /// Its row in the group, or ``SpringBank/atRest`` or ``SpringBank/reserved``, or, when free, the next free entry.
    var row: UInt32
    /// The key by which it is grouped.
    ///
    /// No lanes: the entry is free.
    var key: SpringGroupKey
    /// Its value while it is at rest, or its place while it is reserved. Stored in halves, which need less alignment
    /// than a whole.
    var restingValueLow: SIMD2<Double>
    var restingValueHigh: SIMD2<Double>

    var isFree: Bool { key.lanes == 0 }
    var isMoving: Bool { !isFree && row < SpringBank.reserved }
    var restingValue: SIMD4<Double> {
      get { SIMD4(lowHalf: restingValueLow, highHalf: restingValueHigh) }
      set { (restingValueLow, restingValueHigh) = (newValue.lowHalf, newValue.highHalf) }
    }
  }

  static let atRest = UInt32.max
  /// The row of an entry that is reserved for a motion which has not begun.
  static let reserved = UInt32.max - 1
  static let noGroup = UInt32.max

  // Only one thread has the bank. A caller's code runs within none of its methods but forEachMoved, and may change
  // nothing from there. So no two accesses overlap, and they are not checked at run time.
  @exclusivity(unchecked) var entries = GrowingBuffer<Entry>()
  @exclusivity(unchecked) @usableFromInline final var groups = GrowingBuffer<SpringGroup>()
  /// The motions that share a key.
  var kinOfKey: [SpringGroupKey: SpringKin] = [:]
  /// The mixed groups, by their number of lanes less one; ``noGroup`` while there is none.
  var mixedGroups = SIMD4<UInt32>(repeating: SpringBank.noGroup)
  /// Groups without rows, to be reused by the next new key.
  ///
  /// It has room for all groups, because a step appends to it.
  @exclusivity(unchecked) var idleGroups = GrowingBuffer<UInt32>()
  /// The starts of the blocks of a group in which a motion came to rest.
  ///
  /// It has room for all blocks, because a step appends to it.
  @exclusivity(unchecked) var blocksWithArrivals = GrowingBuffer<Int>()
  /// The free entry that is used next; ``atRest`` ends the chain.
  private var firstFree = SpringBank.atRest
  /// Whether nothing has changed since the last step, so that the moved motions can be reported.
  @exclusivity(unchecked) @usableFromInline final var isJustStepped = true
  @exclusivity(unchecked) @usableFromInline final var isVisiting = false

  /// The number of motions in the bank, those at rest included.
  public internal(set) var count = 0

  /// The number of motions that the next step will move.
  @exclusivity(unchecked) public internal(set) var movingCount = 0

  /// The motions that came to rest in the last step, each once. With a spring, a motion rests exactly at its
  /// equilibrium; without one, at its last value. Its velocity is 0.
  ///
  /// The order depends only on the preceding calls, and is the same on every run.
  ///
  /// A caller that keeps this array over a step makes that step allocate a new one.
  @exclusivity(unchecked) public internal(set) var arrivals: [Arrival] = []

  /// Creates an empty bank.
  public init() {}

  deinit {
    for index in 0..<groups.count { groups.base[index].deallocate() }
    groups.deallocate()
    entries.deallocate()
    idleGroups.deallocate()
    blocksWithArrivals.deallocate()
  }

  /// The number of groups, idle ones included; for tests.
  var groupCount: Int { groups.count }

  // MARK: Insert and remove

  /// Adds a motion.
  ///
  /// It moves from the next step on. If it is already where it would rest, it arrives in that step.
  ///
  /// O(1) amortised; arrays may grow.
  ///
  /// - Parameters:
  ///   - lanes: The number of lanes of the value, 1…4; the others are ignored and read as 0.
  ///   - forces: The forces that act on it.
  ///   - value: Its value.
  ///   - velocity: Its velocity, in value/s.
  ///   - threshold: The change that matters, in the value's unit: see ``RestCriterion``.
  ///   - tag: The caller's identifier of the motion; returned with arrivals and moved values.
  /// - Returns: Its handle, valid until ``remove(_:)``.
  public func insert(
    lanes: Int, forces: ForceSum, value: SIMD4<Double>, velocity: SIMD4<Double>, threshold: Double, tag: UInt32
  ) -> Handle {
    willChange()
    precondition((1...4).contains(lanes), "a motion of \(lanes) lanes")
    Self.check(value: value, velocity: velocity)
    let law = Self.law(forces, lanes: lanes, threshold: threshold)
    let index = takeFreeEntry(tag: tag)
    count += 1
    wake(index, key: law.key, value: value, velocity: velocity, place: law.place)
    return Handle(index: index, generation: entries.base[Int(index)].generation)
  }

  /// Removes a motion from the bank, moving or not; its handle is stale from then on.
  ///
  /// O(1).
  public func remove(_ handle: Handle) {
    willChange()
    let index = entry(handle)
    if entries.base[index].isMoving { takeOutOfGroup(index) }
    leave(entries.base[index].key)
    free(index)
    count -= 1
  }

  /// Frees an entry; its handle is stale from then on.
  func free(_ index: Int) {
    entries.base[index].generation &+= 1
    entries.base[index].key.lanes = 0
    entries.base[index].row = firstFree
    firstFree = UInt32(index)
  }

  // MARK: Change

  /// Gives a motion other forces. Value and velocity stay, and it moves from the next step on.
  ///
  /// O(1).
  ///
  /// - Parameters:
  ///   - forces: The forces that act on it from now on.
  ///   - handle: The motion.
  ///   - threshold: The change that matters from now on; nil leaves it as it is.
  public func setForces(_ forces: ForceSum, for handle: Handle, threshold: Double? = nil) {
    willChange()
    let index = entry(handle)
    let old = entries.base[index].key
    let law = Self.law(forces, lanes: Int(old.lanes), threshold: threshold ?? old.threshold)
    let (value, velocity) = state(index)
    wake(UInt32(index), key: law.key, value: value, velocity: velocity, place: law.place)
  }

  /// Gives a motion another value and velocity. Its forces stay, and it moves from the next step on.
  ///
  /// O(1).
  ///
  /// With a spring, the bank stores the distance from the equilibrium. The value reads back to within the rounding of
  /// the larger of the two.
  public func setState(value: SIMD4<Double>, velocity: SIMD4<Double>, for handle: Handle) {
    willChange()
    Self.check(value: value, velocity: velocity)
    let index = entry(handle)
    wake(UInt32(index), key: entries.base[index].key, value: value, velocity: velocity, place: place(index))
  }

  /// Gives a motion the state of another one, as ``moving(atMost:where:)`` reported it: to the bit, if its equilibrium is the
  /// same.
  ///
  /// O(1).
  package func setState(_ state: MovingState, for handle: Handle) {
    setState(value: state.value, velocity: state.velocity, for: handle)
    let entry = entries.base[entry(handle)]
    groups.base[Int(entry.group)].setDistance(row: Int(entry.row), state.distance, of: state.value)
  }

  /// Lets a motion rest at a value, without an arrival.
  ///
  /// O(1).
  package func rest(_ handle: Handle, at value: SIMD4<Double>) {
    willChange()
    let index = entry(handle)
    if entries.base[index].isMoving { takeOutOfGroup(index) }
    entries.base[index].restingValue = value
  }

  // MARK: Read

  /// The complete state of a motion; `nil` while it rests.
  package func movingState(of handle: Handle) -> MovingState? {
    let entry = entries.base[entry(handle)]
    return entry.isMoving ? groups.base[Int(entry.group)].movingState(row: Int(entry.row)) : nil
  }

  /// Returns the value of a motion.
  public func value(of handle: Handle) -> SIMD4<Double> {
    state(entry(handle)).value
  }

  /// Returns the velocity of a motion, in value/s; 0 at rest.
  public func velocity(of handle: Handle) -> SIMD4<Double> {
    state(entry(handle)).velocity
  }

  /// Returns the acceleration, in value/s², that the forces of a motion cause at a value and a velocity.
  package func acceleration(of handle: Handle, value: SIMD4<Double>, velocity: SIMD4<Double>) -> SIMD4<Double> {
    let index = entry(handle)
    let (key, place) = (entries.base[index].key, place(index))
    let pull = key.stiffness > 0 ? key.stiffness * (place - value) : place
    return pull - key.damping * velocity
  }

  /// Returns whether the next step moves it.
  public func isMoving(_ handle: Handle) -> Bool {
    entries.base[entry(handle)].isMoving
  }

  /// Returns whether the handle names a motion of this bank that was not removed.
  ///
  /// For assertions and inspection.
  public func contains(_ handle: Handle) -> Bool {
    guard handle.index < entries.count else { return false }
    let entry = entries.base[Int(handle.index)]
    return entry.generation == handle.generation && !entry.isFree
  }
}

// MARK: - Entries

extension SpringBank {
  /// Returns the grouping key of an entry and its place, from its forces.
  static func law(
    _ forces: ForceSum, lanes: Int, threshold: Double
  ) -> (key: SpringGroupKey, place: SIMD4<Double>) {
    precondition(forces.stiffness.isFinite && forces.damping.isFinite, "forces without bound: \(forces)")
    precondition(threshold.isFinite && threshold > 0, "a threshold of \(threshold)")
    let place = (forces.equilibrium ?? forces.drive).keeping(lanes: lanes)
    precondition(place.isFinite, "forces without a finite equilibrium: \(forces)")
    let key = SpringGroupKey(
      stiffness: forces.stiffness, damping: forces.damping, threshold: threshold, lanes: UInt8(lanes),
      isDriven: forces.stiffness == 0 && place != .zero)
    return (key, place)
  }

  static func check(value: SIMD4<Double>, velocity: SIMD4<Double>) {
    precondition(value.isFinite, "a value that is not finite: \(value)")
    precondition(velocity.isFinite, "a velocity that is not finite: \(velocity)")
  }

  func willChange() {
    precondition(!isVisiting, "a bank was changed from within forEachMoved: collect first, change afterwards")
    isJustStepped = false
  }

  func entry(_ handle: Handle) -> Int {
    precondition(
      contains(handle), "a stale handle: motion \(handle.index), generation \(handle.generation) was removed")
    return Int(handle.index)
  }

  func takeFreeEntry(tag: UInt32) -> UInt32 {
    if firstFree != Self.atRest {
      let index = firstFree
      firstFree = entries.base[Int(index)].row
      entries.base[Int(index)].tag = tag
      entries.base[Int(index)].row = Self.atRest
      return index
    }
    precondition(entries.count < Int(Self.reserved), "a bank holds at most \(Self.reserved) motions")
    let index = UInt32(entries.count)
    let noKey = SpringGroupKey(stiffness: 0, damping: 0, threshold: 0, lanes: 0, isDriven: false)
    entries.append(
      Entry(
        generation: 0, tag: tag, group: 0, row: Self.atRest, key: noKey, restingValueLow: .zero,
        restingValueHigh: .zero))
    // A step may let all motions arrive at once, and must not allocate for that.
    if arrivals.capacity < entries.count { arrivals.reserveCapacity(entries.capacity) }
    blocksWithArrivals.reserve(entries.count / Self.block + 1)
    return index
  }

  private func state(_ index: Int) -> (value: SIMD4<Double>, velocity: SIMD4<Double>) {
    let entry = entries.base[index]
    return entry.isMoving
      ? groups.base[Int(entry.group)].state(row: Int(entry.row)) : (entry.restingValue, .zero)
  }

  /// Returns an entry's equilibrium; without a spring its acceleration, which is 0 for all motions that can be at rest.
  private func place(_ index: Int) -> SIMD4<Double> {
    let entry = entries.base[index]
    if entry.isMoving { return groups.base[Int(entry.group)].place(row: Int(entry.row)) }
    return entry.key.stiffness > 0 ? entry.restingValue : .zero
  }
}
