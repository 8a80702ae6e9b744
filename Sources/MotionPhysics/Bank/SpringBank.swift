/// Many motions, stepped together: what a runtime's springs, frictions and constant forces live in.
///
/// Motions with the same stiffness, damping, threshold and number of lanes form a group and share one exact matrix
/// (``LinearStep``); those that share theirs with few are mixed in a group in which each row has its own. Within a group,
/// lanes are a structure of arrays, stepped in vectors of the processor's width. What has come to rest leaves those
/// arrays, costs nothing from then on, and keeps its handle; new forces or a new state wake it.
///
/// A step allocates nothing and counts no references; arrays grow when something is inserted or woken. The same calls
/// in the same order give the same bits and the same order of iteration, on any machine.
///
/// This is a class because it owns memory and has an identity: a handle is good for one bank, and a copy of a bank
/// would be two futures of the same handles. It belongs to one thread at a time.
///
/// Numbers handed in must be finite and thresholds positive. Anything else is an error of the programmer and traps:
/// data from outside is validated before it gets here.
public final class SpringBank {
  /// Names one motion of a bank for as long as it is not removed.
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

  /// What the bank knows of one motion, moving or not.
  struct Entry: BitwiseCopyable {
    var generation: UInt32
    var tag: UInt32
    /// The group that it moves in, or moved in last.
    var group: UInt32
    /// Its row in the group, or ``SpringBank/atRest`` or ``SpringBank/reserved``, or, when free, the next free entry.
    var row: UInt32
    /// What it is grouped by.
    ///
    /// No lanes: the entry is free.
    var key: SpringGroupKey
    /// Its value while it is at rest, or its place while it is reserved, in halves, which need less alignment than a whole.
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

  // One thread has the bank, and a caller's code runs within none of its methods but forEachMoved, from within which
  // nothing may be changed. So no two accesses overlap, and they are not checked at run time.
  @exclusivity(unchecked) var entries = GrowingBuffer<Entry>()
  @exclusivity(unchecked) @usableFromInline final var groups = GrowingBuffer<SpringGroup>()
  /// Who shares a key.
  var kinOfKey: [SpringGroupKey: SpringKin] = [:]
  /// The groups of the mixed, by their number of lanes less one; ``noGroup`` while there is none.
  var mixedGroups = SIMD4<UInt32>(repeating: SpringBank.noGroup)
  /// Groups without rows, to be taken over by the next new key.
  ///
  /// It has room for all groups, for a step appends to it.
  @exclusivity(unchecked) var idleGroups = GrowingBuffer<UInt32>()
  /// Where the blocks of a group begin in which a motion came to rest.
  ///
  /// It has room for all blocks, for a step appends.
  @exclusivity(unchecked) var blocksWithArrivals = GrowingBuffer<Int>()
  /// The free entry that is used next; ``atRest`` ends the chain.
  private var firstFree = SpringBank.atRest
  /// Whether nothing has changed since the last step, so that what moved can be told.
  @exclusivity(unchecked) @usableFromInline final var isJustStepped = true
  @exclusivity(unchecked) @usableFromInline final var isVisiting = false

  /// How many motions the bank holds, those at rest included.
  public internal(set) var count = 0

  /// How many motions the next step will move.
  @exclusivity(unchecked) public internal(set) var movingCount = 0

  /// The motions that came to rest in the last step, each once: with a spring exactly at its equilibrium, without one
  /// where it was, and with velocity 0.
  ///
  /// The order is that of the calls that led here, and the same on every run.
  ///
  /// Whoever keeps this array over a step makes that step allocate a new one.
  @exclusivity(unchecked) public internal(set) var arrivals: [Arrival] = []

  /// An empty bank.
  public init() {}

  deinit {
    for index in 0..<groups.count { groups.base[index].deallocate() }
    groups.deallocate()
    entries.deallocate()
    idleGroups.deallocate()
    blocksWithArrivals.deallocate()
  }

  /// How many groups there are, idle ones included; for tests.
  var groupCount: Int { groups.count }

  // MARK: Insert and remove

  /// Adds a motion.
  ///
  /// It moves from the next step on, and arrives there if it has no way to go.
  ///
  /// O(1) amortised; arrays may grow.
  ///
  /// - Parameters:
  ///   - lanes: How many lanes the value has, 1…4; the others are ignored and read as 0.
  ///   - forces: What acts on it.
  ///   - value: Where it is.
  ///   - velocity: How fast it moves, in value/s.
  ///   - threshold: The change that matters, in the value's unit: see ``RestCriterion``.
  ///   - tag: Whatever tells the caller what this is; handed back with arrivals and moved values.
  /// - Returns: Its handle until ``remove(_:)``.
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

  /// Takes a motion out of the bank, moving or not; its handle is stale from then on.
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

  /// Puts an entry among the free ones; its handle is stale from then on.
  func free(_ index: Int) {
    entries.base[index].generation &+= 1
    entries.base[index].key.lanes = 0
    entries.base[index].row = firstFree
    firstFree = UInt32(index)
  }

  // MARK: Change

  /// Gives a motion other forces; value and velocity stay, and it moves from the next step on.
  ///
  /// O(1).
  ///
  /// - Parameters:
  ///   - forces: What acts on it from now on.
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

  /// Puts a motion somewhere else, with another velocity; its forces stay, and it moves from the next step on.
  ///
  /// O(1).
  ///
  /// Beside a spring, the bank keeps the distance from the equilibrium: the value reads back to within the rounding of
  /// the larger of the two.
  public func setState(value: SIMD4<Double>, velocity: SIMD4<Double>, for handle: Handle) {
    willChange()
    Self.check(value: value, velocity: velocity)
    let index = entry(handle)
    wake(UInt32(index), key: entries.base[index].key, value: value, velocity: velocity, place: place(index))
  }

  // MARK: Read

  /// Where a motion is.
  public func value(of handle: Handle) -> SIMD4<Double> {
    state(entry(handle)).value
  }

  /// How fast a motion moves, in value/s; 0 at rest.
  public func velocity(of handle: Handle) -> SIMD4<Double> {
    state(entry(handle)).velocity
  }

  /// Whether the next step moves it.
  public func isMoving(_ handle: Handle) -> Bool {
    entries.base[entry(handle)].isMoving
  }

  /// Whether the handle names a motion of this bank that was not removed.
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
  /// What an entry is grouped by and its place, from its forces.
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
    // A step may let everything arrive at once, and must not allocate for it.
    if arrivals.capacity < entries.count { arrivals.reserveCapacity(entries.capacity) }
    blocksWithArrivals.reserve(entries.count / Self.block + 1)
    return index
  }

  private func state(_ index: Int) -> (value: SIMD4<Double>, velocity: SIMD4<Double>) {
    let entry = entries.base[index]
    return entry.isMoving
      ? groups.base[Int(entry.group)].state(row: Int(entry.row)) : (entry.restingValue, .zero)
  }

  /// An entry's equilibrium; without a spring its acceleration, which is 0 for all that can be at rest.
  private func place(_ index: Int) -> SIMD4<Double> {
    let entry = entries.base[index]
    if entry.isMoving { return groups.base[Int(entry.group)].place(row: Int(entry.row)) }
    return entry.key.stiffness > 0 ? entry.restingValue : .zero
  }
}
