/// What the motions of one group have in common: all that their matrix and their rest depend on.
@usableFromInline
struct SpringGroupKey: Hashable, BitwiseCopyable {
  @usableFromInline var stiffness: Double
  var damping: Double
  var threshold: Double
  @usableFromInline var lanes: UInt8
  /// Whether a constant force acts without any spring: such a motion never rests.
  @usableFromInline var isDriven: Bool
}

/// The entry of the bank that a row of a group belongs to.
@usableFromInline
struct SpringRow: BitwiseCopyable {
  var entry: UInt32
  /// The entry's tag once more: whoever visits all that moved need not look at the entries.
  @usableFromInline var tag: UInt32
}

/// The motions that share a matrix, as a structure of arrays.
///
/// One block of memory holds three columns per lane: *displacement* from the equilibrium (without a spring: the value
/// itself), *velocity*, and *place*, which is the equilibrium that is added back for the value (driven: the
/// acceleration; coasting: unused). A step touches the first two only. Rows stay dense: a removed row is replaced by
/// the last.
@usableFromInline
struct SpringGroup: BitwiseCopyable {
  @usableFromInline private(set) var key: SpringGroupKey
  @usableFromInline private(set) var count = 0
  @usableFromInline private(set) var rows: UnsafeMutablePointer<SpringRow>
  private(set) var capacity: Int
  @usableFromInline private(set) var columns: UnsafeMutablePointer<Double>
  @usableFromInline private(set) var stride: Int

  /// The matrix of the last dt that was stepped.
  var step: LinearStep
  private(set) var rest: RestCriterion

  /// Whether the bank's list of idle groups names this one.
  var isListedAsIdle = false

  /// A group starts with room for so few because many have a single member: a spring with coefficients of its own.
  private static let smallestCapacity = 4

  /// A group that is taken over for another key gives memory for more rows than this back.
  private static let keptCapacity = 1024

  init(_ key: SpringGroupKey) {
    self.key = key
    capacity = Self.smallestCapacity
    (rows, columns, stride) = Self.allocate(capacity: capacity, lanes: key.lanes)
    (step, rest) = Self.law(key)
  }

  /// Ends the group's memory.
  func deallocate() {
    rows.deallocate()
    columns.deallocate()
  }

  /// Makes an empty group one for another key.
  mutating func adopt(_ other: SpringGroupKey) {
    if other.lanes != key.lanes || capacity > Self.keptCapacity {
      deallocate()
      capacity = Self.smallestCapacity
      (rows, columns, stride) = Self.allocate(capacity: capacity, lanes: other.lanes)
    }
    key = other
    (step, rest) = Self.law(other)
  }

  private static func law(_ key: SpringGroupKey) -> (LinearStep, RestCriterion) {
    (
      LinearStep(stiffness: key.stiffness, damping: key.damping, dt: 0),
      RestCriterion(
        stiffness: key.stiffness, damping: key.damping, isDriven: key.isDriven, threshold: key.threshold)
    )
  }

  private static func allocate(
    capacity: Int, lanes: UInt8
  ) -> (UnsafeMutablePointer<SpringRow>, UnsafeMutablePointer<Double>, stride: Int) {
    // Columns whose distance is a multiple of 4096 bytes compete for the same lines of the cache: 40 numbers more
    // (320 bytes) keep all twelve apart.
    let stride = capacity < 256 ? capacity : capacity + 40
    return (.allocate(capacity: capacity), .allocate(capacity: stride * 3 * Int(lanes)), stride)
  }

  // MARK: Columns

  @inlinable
  func displacements(lane: Int) -> UnsafeMutablePointer<Double> { columns + lane * stride }

  @inlinable
  func velocities(lane: Int) -> UnsafeMutablePointer<Double> { columns + (Int(key.lanes) + lane) * stride }

  @inlinable
  func places(lane: Int) -> UnsafeMutablePointer<Double> { columns + (2 * Int(key.lanes) + lane) * stride }

  // MARK: Rows

  /// A row's value and velocity, in as many lanes as the group has.
  func state(row: Int) -> (value: SIMD4<Double>, velocity: SIMD4<Double>) {
    var value = SIMD4<Double>.zero
    var velocity = SIMD4<Double>.zero
    for lane in 0..<Int(key.lanes) {
      let displacement = displacements(lane: lane)[row]
      value[lane] = key.stiffness > 0 ? places(lane: lane)[row] + displacement : displacement
      velocity[lane] = velocities(lane: lane)[row]
    }
    return (value, velocity)
  }

  /// Writes a row's state, given the place that its forces name.
  func setState(row: Int, value: SIMD4<Double>, velocity: SIMD4<Double>, place: SIMD4<Double>) {
    for lane in 0..<Int(key.lanes) {
      displacements(lane: lane)[row] = key.stiffness > 0 ? value[lane] - place[lane] : value[lane]
      velocities(lane: lane)[row] = velocity[lane]
      places(lane: lane)[row] = place[lane]
    }
  }

  /// A row's place: its equilibrium or its acceleration.
  func place(row: Int) -> SIMD4<Double> {
    var place = SIMD4<Double>.zero
    for lane in 0..<Int(key.lanes) { place[lane] = places(lane: lane)[row] }
    return place
  }

  /// Adds a row whose state is still to be written, and returns its index.
  ///
  /// Grows when it must.
  mutating func append(_ row: SpringRow) -> Int {
    if count == capacity { grow() }
    (rows + count).initialize(to: row)
    count += 1
    return count - 1
  }

  /// Removes a row by moving the last one into it; returns the entry that moved, if one did.
  mutating func remove(row: Int) -> UInt32? {
    count -= 1
    guard row != count else { return nil }
    for column in 0..<(3 * Int(key.lanes)) {
      let values = columns + column * stride
      values[row] = values[count]
    }
    rows[row] = rows[count]
    return rows[row].entry
  }

  private mutating func grow() {
    let roomier = capacity * 2
    let (newRows, newColumns, newStride) = Self.allocate(capacity: roomier, lanes: key.lanes)
    newRows.moveInitialize(from: rows, count: count)
    for column in 0..<(3 * Int(key.lanes)) {
      (newColumns + column * newStride).moveInitialize(from: columns + column * stride, count: count)
    }
    deallocate()
    (rows, columns, stride, capacity) = (newRows, newColumns, newStride, roomier)
  }
}
