/// The properties that the motions of one group share: all that their matrix and their rest depend on.
@usableFromInline
struct SpringGroupKey: Hashable, BitwiseCopyable {
  var stiffness: Double
  var damping: Double
  var threshold: Double
  var lanes: UInt8
  /// Whether a constant force acts without any spring: such a motion never rests.
  var isDriven: Bool

  /// Whether the motion can share a group with others that have other coefficients: only springs do.
  var canBeMixed: Bool { stiffness > 0 }

  var step: LinearStep { LinearStep(tension: stiffness, friction: damping, dt: 0) }
  var rest: RestCriterion {
    RestCriterion(stiffness: stiffness, damping: damping, isDriven: isDriven, threshold: threshold)
  }
}

/// The entry of the bank that a row of a group belongs to.
@usableFromInline
struct SpringRow: BitwiseCopyable {
  var entry: UInt32
  /// A copy of the entry's tag, so that visiting all moved motions need not read the entries.
  @usableFromInline var tag: UInt32
}

/// The motions that share a matrix, or the mixed motions with a matrix each, as a structure of arrays.
///
/// One block of memory holds three columns per lane: *displacement* from the equilibrium (without a spring: the value
/// itself), *velocity*, and *place*, which is the equilibrium that is added back for the value (driven: the
/// acceleration; coasting: unused). A step touches the first two only. Where motions are mixed, the columns of
/// ``OwnLaw`` follow. Rows stay dense: a removed row is replaced by the last.
@usableFromInline
struct SpringGroup: BitwiseCopyable {
  /// The key that the rows share; if they are mixed, only the number of lanes counts.
  private(set) var key: SpringGroupKey
  /// Whether each row has coefficients of its own.
  let isMixed: Bool
  @usableFromInline let lanes: Int
  /// Whether a spring acts, so that a value is a distance from its place.
  @usableFromInline private(set) var hasPlaces: Bool
  @usableFromInline private(set) var count = 0
  @usableFromInline private(set) var rows: UnsafeMutablePointer<SpringRow>
  private(set) var capacity: Int
  @usableFromInline private(set) var columns: UnsafeMutablePointer<Double>
  @usableFromInline private(set) var stride: Int
  /// For each block of ``SpringBank/block`` rows, the least number of steps until one of them can come to rest.
  var quietSteps: UnsafeMutablePointer<UInt8>

  /// The length of the steps that ``step`` or the rows' own matrices are for; negative before the first.
  private(set) var dt = -1.0
  /// The matrix that the rows share.
  private(set) var step: LinearStep
  private(set) var rest: RestCriterion
  /// See ``RestCriterion/nearBound(damping:dt:steps:)``, for ``RestCriterion/quietSteps``.
  private(set) var nearBound = Double.infinity
  /// The same for ``RestCriterion/manyQuietSteps``.
  private(set) var farBound = Double.infinity

  /// Whether the bank's list of idle groups contains this one.
  var isListedAsIdle = false

  /// The first capacity of a group. It is small, because earlier motions of its key may stay in the mixed group.
  private static let smallestCapacity = 16

  /// A group that is reused for another key frees its memory if that has room for more rows than this.
  private static let keptCapacity = 1024

  /// Creates an empty group of motions that share their coefficients.
  init(_ key: SpringGroupKey) { self.init(key, isMixed: false) }

  /// Creates an empty group of springs with coefficients of their own.
  init(mixedLanes lanes: UInt8) {
    self.init(SpringGroupKey(stiffness: 1, damping: 0, threshold: 1, lanes: lanes, isDriven: false), isMixed: true)
  }

  private init(_ key: SpringGroupKey, isMixed: Bool) {
    self.key = key
    self.isMixed = isMixed
    lanes = Int(key.lanes)
    hasPlaces = key.stiffness > 0
    capacity = Self.smallestCapacity
    (step, rest) = (key.step, key.rest)
    (rows, columns, stride, quietSteps) = Self.allocate(
      capacity: capacity, columns: Self.columnCount(lanes: lanes, isMixed: isMixed))
  }

  /// Frees the group's memory.
  func deallocate() {
    rows.deallocate()
    UnsafeMutableRawPointer(columns).deallocate()
    quietSteps.deallocate()
  }

  /// Reuses the memory, or part of it, for motions of another key if the number of lanes is the same; else allocates
  /// new memory.
  mutating func adopt(_ other: SpringGroupKey) {
    guard other.lanes == key.lanes, capacity <= Self.keptCapacity else {
      deallocate()
      self = SpringGroup(other)
      return
    }
    key = other
    hasPlaces = other.stiffness > 0
    (step, rest) = (other.step, other.rest)
    dt = -1
  }

  /// Computes matrices and bounds for steps of `dt`.
  mutating func prepare(dt: Double) {
    self.dt = dt
    quietSteps.update(repeating: 0, count: Self.blocks(of: capacity))
    guard !isMixed else {
      for row in 0..<count { prepareOwnLaw(row: row) }
      return
    }
    step = LinearStep(tension: key.stiffness, friction: key.damping, dt: dt)
    nearBound = rest.nearBound(damping: key.damping, dt: dt)
    farBound = rest.nearBound(damping: key.damping, dt: dt, steps: RestCriterion.manyQuietSteps)
  }

  // MARK: Columns

  /// The alignment of columns, in bytes: a cache line, which holds eight numbers.
  ///
  /// A vector of 512 bits is a line. Without the alignment each access touches two lines, and 1000 springs took 0.31 ns
  /// each instead of 0.20.
  private static let cacheLine = 64

  private static func columnCount(lanes: Int, isMixed: Bool) -> Int { 3 * lanes + (isMixed ? OwnLaw.count : 0) }
  private static func blocks(of rows: Int) -> Int { (rows + SpringBank.block - 1) / SpringBank.block }

  private static func allocate(
    capacity: Int, columns: Int
  ) -> (
    UnsafeMutablePointer<SpringRow>, UnsafeMutablePointer<Double>, stride: Int, quietSteps: UnsafeMutablePointer<UInt8>
  ) {
    // Columns whose distance is a multiple of 4096 bytes compete for the same lines of the cache. 40 extra numbers (320
    // bytes) keep the first twelve apart.
    let lines = (capacity + 7) / 8 * 8
    let stride = capacity < 256 ? lines : lines + 40
    let quietSteps = UnsafeMutablePointer<UInt8>.allocate(capacity: blocks(of: capacity))
    quietSteps.initialize(repeating: 0, count: blocks(of: capacity))
    let numbers = stride * columns
    let first = UnsafeMutableRawPointer.allocate(
      byteCount: numbers * MemoryLayout<Double>.stride, alignment: cacheLine
    ).bindMemory(to: Double.self, capacity: numbers)
    return (.allocate(capacity: capacity), first, stride, quietSteps)
  }

  @inlinable
  func displacements(lane: Int) -> UnsafeMutablePointer<Double> { columns + lane * stride }

  @inlinable
  func velocities(lane: Int) -> UnsafeMutablePointer<Double> { columns + (lanes + lane) * stride }

  @inlinable
  func places(lane: Int) -> UnsafeMutablePointer<Double> { columns + (2 * lanes + lane) * stride }

  // MARK: Rows

  /// Returns a row's value and velocity, in as many lanes as the group has.
  func state(row: Int) -> (value: SIMD4<Double>, velocity: SIMD4<Double>) {
    var value = SIMD4<Double>.zero
    var velocity = SIMD4<Double>.zero
    for lane in 0..<lanes {
      let displacement = displacements(lane: lane)[row]
      value[lane] = hasPlaces ? places(lane: lane)[row] + displacement : displacement
      velocity[lane] = velocities(lane: lane)[row]
    }
    return (value, velocity)
  }

  /// Writes a row's state, given the place from its forces.
  func setState(row: Int, value: SIMD4<Double>, velocity: SIMD4<Double>, place: SIMD4<Double>) {
    for lane in 0..<lanes {
      displacements(lane: lane)[row] = hasPlaces ? value[lane] - place[lane] : value[lane]
      velocities(lane: lane)[row] = velocity[lane]
      places(lane: lane)[row] = place[lane]
    }
    quietSteps[row / SpringBank.block] = 0
  }

  /// Writes a row's displacement in the lanes in which the value is the sum of it and the place.
  func setDistance(row: Int, _ distance: SIMD4<Double>, of value: SIMD4<Double>) {
    guard hasPlaces else { return }
    for lane in 0..<lanes where places(lane: lane)[row] + distance[lane] == value[lane] {
      displacements(lane: lane)[row] = distance[lane]
    }
  }

  /// Returns a row's state with its displacement.
  func movingState(row: Int) -> SpringBank.MovingState {
    let (value, velocity) = state(row: row)
    var distance = SIMD4<Double>.zero
    for lane in 0..<lanes { distance[lane] = displacements(lane: lane)[row] }
    return SpringBank.MovingState(value: value, velocity: velocity, distance: distance)
  }

  /// Returns a row's place: its equilibrium or its acceleration.
  func place(row: Int) -> SIMD4<Double> {
    var place = SIMD4<Double>.zero
    for lane in 0..<lanes { place[lane] = places(lane: lane)[row] }
    return place
  }

  /// Adds a row whose state is still to be written, and returns its index.
  ///
  /// Grows the memory if necessary.
  mutating func append(_ row: SpringRow, _ key: SpringGroupKey) -> Int {
    reserve(count + 1)
    (rows + count).initialize(to: row)
    if isMixed { setOwnLaw(row: count, key) }
    count += 1
    return count - 1
  }

  /// Removes a row by moving the last one into it; returns the entry that moved, if any.
  mutating func remove(row: Int) -> UInt32? {
    count -= 1
    guard row != count else { return nil }
    for column in 0..<Self.columnCount(lanes: lanes, isMixed: isMixed) {
      let values = columns + column * stride
      values[row] = values[count]
    }
    rows[row] = rows[count]
    quietSteps[row / SpringBank.block] = 0
    return rows[row].entry
  }

  /// Reserves room for at least this many rows.
  mutating func reserve(_ minimum: Int) {
    if minimum > capacity { grow(to: max(minimum, capacity * 2)) }
  }

  private mutating func grow(to roomier: Int) {
    let columnCount = Self.columnCount(lanes: lanes, isMixed: isMixed)
    let (newRows, newColumns, newStride, newQuietSteps) = Self.allocate(capacity: roomier, columns: columnCount)
    newRows.moveInitialize(from: rows, count: count)
    for column in 0..<columnCount {
      (newColumns + column * newStride).moveInitialize(from: columns + column * stride, count: count)
    }
    deallocate()
    (rows, columns, stride, capacity, quietSteps) = (newRows, newColumns, newStride, roomier, newQuietSteps)
  }
}
