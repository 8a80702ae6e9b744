extension SpringBank {
  /// The complete state of a motion that moves.
  package struct MovingState {
    /// The value and the velocity.
    package var value, velocity: SIMD4<Double>
    /// With a spring the distance from its equilibrium, of which the value is the rounded sum; otherwise the value.
    package var distance: SIMD4<Double>

    package init(value: SIMD4<Double>, velocity: SIMD4<Double>, distance: SIMD4<Double>) {
      (self.value, self.velocity, self.distance) = (value, velocity, distance)
    }
  }

  /// The states of the motions that the next step will move and whose tags satisfy the predicate, at most `limit`, in
  /// the same order on every run. A few nanoseconds for each motion that moves.
  package func moving(
    atMost limit: Int, where isWanted: (_ tag: UInt32) -> Bool
  ) -> [(tag: UInt32, state: MovingState)] {
    var found: [(tag: UInt32, state: MovingState)] = []
    for index in 0..<groups.count {
      let group = groups.base[index]
      for row in 0..<group.count where isWanted(group.rows[row].tag) {
        guard found.count < limit else { return found }
        found.append((group.rows[row].tag, group.movingState(row: row)))
      }
    }
    return found
  }

  /// Visits all motions that the last step moved, arrivals included, each exactly once: first the arrivals, then group
  /// by group.
  ///
  /// A few nanoseconds per motion: columns are read in memory order. The order is the same on every run.
  ///
  /// Call it right after ``step(dt:)``. After an insertion, a removal or a change the moved motions can no longer be
  /// determined, and the call traps. Do not change the bank from within.
  ///
  /// - Parameter body: Receives tag, value and velocity (value/s), with zeros in lanes that the value does not have.
  @inlinable
  public func forEachMoved(_ body: (_ tag: UInt32, _ value: SIMD4<Double>, _ velocity: SIMD4<Double>) -> Void) {
    precondition(isJustStepped, "forEachMoved after a change of the bank: call it right after step(dt:)")
    precondition(!isVisiting, "forEachMoved from within forEachMoved")
    isVisiting = true
    defer { isVisiting = false }
    for arrival in arrivals {
      body(arrival.tag, restingValue(of: arrival), .zero)
    }
    for index in 0..<groups.count {
      // A copy, so that its pointers stay in registers whatever the body does.
      let group = groups.base[index]
      group.forEachRow(body)
    }
  }

  /// Visits the motions that the last step brought to rest: the first part of ``forEachMoved(_:)``.
  public func forEachArrival(_ body: (_ tag: UInt32, _ value: SIMD4<Double>) -> Void) {
    for arrival in arrivals { body(arrival.tag, restingValue(of: arrival)) }
  }

  /// Visits the motions that the last step moved and did not bring to rest, group by group: the second part of
  /// ``forEachMoved(_:)``, for callers that iterate over the columns themselves.
  public func forEachMovedGroup(_ body: (MovedGroup) -> Void) {
    precondition(isJustStepped, "forEachMovedGroup after a change of the bank: call it right after step(dt:)")
    for index in 0..<groups.count where groups.base[index].count > 0 { body(MovedGroup(groups.base[index])) }
  }

  /// The motions of a group, row by row, as the last step left them.
  @frozen public struct MovedGroup {
    @usableFromInline let rows: UnsafePointer<SpringRow>
    @usableFromInline let displacements: UnsafePointer<Double>
    @usableFromInline let velocities: UnsafePointer<Double>
    @usableFromInline let places: UnsafePointer<Double>
    @usableFromInline let stride: Int
    @usableFromInline let hasPlaces: Bool
    /// The number of lanes of each motion.
    public let lanes: Int
    /// The number of motions.
    public let count: Int

    init(_ group: SpringGroup) {
      rows = UnsafePointer(group.rows)
      displacements = UnsafePointer(group.displacements(lane: 0))
      velocities = UnsafePointer(group.velocities(lane: 0))
      places = UnsafePointer(group.places(lane: 0))
      (stride, hasPlaces, lanes, count) = (group.stride, group.hasPlaces, group.lanes, group.count)
    }

    /// A copy in local variables of the caller. The fields of a parameter are read from memory again after each number that
    /// a loop writes.
    @inlinable @inline(__always)
    public var inRegisters: MovedGroup {
      MovedGroup(
        rows: rows, displacements: displacements, velocities: velocities, places: places, stride: stride,
        hasPlaces: hasPlaces, lanes: lanes, count: count)
    }

    @inlinable @inline(__always)
    init(
      rows: UnsafePointer<SpringRow>, displacements: UnsafePointer<Double>, velocities: UnsafePointer<Double>,
      places: UnsafePointer<Double>, stride: Int, hasPlaces: Bool, lanes: Int, count: Int
    ) {
      (self.rows, self.displacements, self.velocities, self.places) = (rows, displacements, velocities, places)
      (self.stride, self.hasPlaces, self.lanes, self.count) = (stride, hasPlaces, lanes, count)
    }

    /// Returns the tag of a row.
    @inlinable public func tag(_ row: Int) -> UInt32 { rows[row].tag }

    /// Returns a lane of a row's value.
    @inlinable public func value(_ row: Int, lane: Int) -> Double {
      let displacement = displacements[lane * stride + row]
      return hasPlaces ? places[lane * stride + row] + displacement : displacement
    }

    /// Returns a lane of a row's velocity.
    @inlinable public func velocity(_ row: Int, lane: Int) -> Double { velocities[lane * stride + row] }
  }

  @usableFromInline
  func restingValue(of arrival: Arrival) -> SIMD4<Double> {
    entries.base[Int(arrival.handle.index)].restingValue
  }
}

extension SpringGroup {
  /// Visits the rows. The numbers of lanes below are constants, so that each gets a loop of its own.
  @inlinable @inline(__always)
  func forEachRow(_ body: (UInt32, SIMD4<Double>, SIMD4<Double>) -> Void) {
    switch lanes {
    case 1: forEachRow(lanes: 1, body)
    case 2: forEachRow(lanes: 2, body)
    case 3: forEachRow(lanes: 3, body)
    default: forEachRow(lanes: 4, body)
    }
  }

  @inlinable @inline(__always)
  func forEachRow(lanes: Int, _ body: (UInt32, SIMD4<Double>, SIMD4<Double>) -> Void) {
    for row in 0..<count {
      var value = SIMD4<Double>.zero
      var velocity = SIMD4<Double>.zero
      for lane in 0..<lanes {
        let displacement = displacements(lane: lane)[row]
        value[lane] = hasPlaces ? places(lane: lane)[row] + displacement : displacement
        velocity[lane] = velocities(lane: lane)[row]
      }
      body(rows[row].tag, value, velocity)
    }
  }
}
