import MotionModel
import MotionPhysics

/// The state of governors besides the values and velocities of their properties.
extension Governors {
  /// The acceleration of a property; `nil` if it has no governors.
  func acceleration(of slot: Int) -> Lanes? {
    guard let index = index(of: slot), let row = rows[index] else { return nil }
    return all(row) { lanes[$0].state.acceleration }
  }

  /// The limits of the lanes of a slot; `nil` if it has none, or they were lifted.
  func limits(of slot: Int) -> [GovernorLimits]? {
    guard let index = index(of: slot), let row = rows[index] else { return nil }
    switch row.phase {
    case .leaving, .released(leaves: true): return nil
    case .released(leaves: false), .driven: return (row.first..<row.first + row.lanes).map { lanes[$0].limits }
    }
  }

  /// The state that the driver demands; `nil` if the property has none, or no governors.
  func demand(of slot: Int) -> PropertyState? {
    guard let index = index(of: slot), let row = rows[index] else { return nil }
    if case .released = row.phase { return nil }
    return PropertyState(
      all(row) { demand(row, $0).position }, velocity: all(row) { demand(row, $0).velocity })
  }

  private func demand(_ row: Row, _ place: Int) -> MoveState { row.isPending ? demands[place] : lanes[place].demand }

  /// Whether a slot follows its driver under limits of velocity and range only, which have no acceleration.
  func onlyFollows(_ slot: Int) -> Bool {
    guard let index = index(of: slot), let row = rows[index], case .driven = row.phase else { return false }
    return (row.first..<row.first + row.lanes).allSatisfy {
      lanes[$0].limits.motion.isVelocityOnly && lanes[$0].isFollowing
    }
  }

  /// Whether limits of acceleration or jerk have determined the acceleration of a slot.
  func limitAcceleration(of slot: Int) -> Bool {
    guard let index = index(of: slot), let row = rows[index] else { return false }
    return (row.first..<row.first + row.lanes).allSatisfy { !lanes[$0].limits.motion.isVelocityOnly }
  }

  /// Replaces the limits of a row. Those of velocity and range only have no acceleration, and that of
  /// a property that brakes after a stop goes on only as far as the new limits permit.
  mutating func replaceLimits(of row: Row, by limits: [GovernorLimits], _ acceleration: Lanes?) {
    let hadNone = onlyFollows(row.slot)
    for lane in 0..<row.lanes {
      let former = lanes[row.first + lane]
      lanes[row.first + lane].limits = limits[lane]
      if hadNone, let acceleration {
        lanes[row.first + lane].begin(acceleration: acceleration[lane])
      } else if former.limits.motion.isVelocityOnly {
        let motion = limits[lane].motion
        lanes[row.first + lane].begin(
          acceleration: motion.feasible(acceleration: former.state.acceleration, at: former.state.velocity))
      }
    }
  }

  /// How far a slot goes beyond its range although it brakes; `nil` if it stops within.
  func overrun(of slot: Int) -> Lanes? {
    guard let index = index(of: slot), let row = rows[index] else { return nil }
    let overrun = all(row) { lanes[$0].overrun }
    return overrun.storage == .zero ? nil : overrun
  }

  func all(_ row: Row, _ number: (Int) -> Double) -> Lanes {
    var storage = SIMD4<Double>.zero
    for lane in 0..<row.lanes { storage[lane] = number(row.first + lane) }
    return Lanes(storage, count: row.lanes)
  }

  /// The state of a slot besides value and velocity; `nil` if it has no governors.
  func kept(_ slot: Int, of reference: PropertyReference) -> RuntimeCheckpoint.Governed? {
    guard let index = index(of: slot), let row = rows[index] else { return nil }
    let isDriven = if case .driven = row.phase { true } else { false }
    return RuntimeCheckpoint.Governed(
      reference, acceleration: all(row) { lanes[$0].state.acceleration },
      demand: PropertyState(
        all(row) { (isDriven ? demand(row, $0) : lanes[$0].state).position },
        velocity: all(row) { (isDriven ? demand(row, $0) : lanes[$0].state).velocity }),
      demandAcceleration: all(row) {
        let acceleration = demand(row, $0).acceleration
        return acceleration.isNaN ? 0 : acceleration
      },
      isDriven: isDriven, isPending: row.isPending, ramp: ramp(of: index))
  }

  /// The slots that move, and those that stand at a bound before their demand, of up to `limit` properties each. Linear
  /// in the rows if limits hold any of them back.
  func unsettled(atMost limit: Int) -> [Int] {
    let moving = active.prefix(limit).compactMap { rows[$0]?.slot }
    guard held > 0 else { return moving }
    let standing = rows.lazy.compactMap { row in row.flatMap { $0.isHeld && !$0.isActive ? $0.slot : nil } }
    return moving + standing.prefix(limit)
  }

  /// Places a property, which has not moved yet.
  mutating func place(_ slot: Int, at state: PropertyState) {
    guard let index = index(of: slot), let row = rows[index] else { return }
    for lane in 0..<row.lanes {
      let start = MoveState(position: state.value[lane], velocity: state.velocity[lane])
      lanes[row.first + lane] = Governor(start, limits: lanes[row.first + lane].limits)
    }
  }

  /// Restores the state of another process, as ``kept(_:of:)`` returned it there.
  mutating func restore(_ slot: Int, _ kept: RuntimeCheckpoint.Governed, hasDriver: Bool) {
    guard let index = index(of: slot), let row = rows[index], kept.demand.value.count == row.lanes,
      kept.acceleration.count == row.lanes, kept.demandAcceleration.count == row.lanes
    else { return }
    let isDriven = kept.isDriven && hasDriver
    for lane in 0..<row.lanes {
      let place = row.first + lane
      var state = lanes[place].state
      state.acceleration = kept.acceleration[lane]
      let demand = MoveState(
        position: kept.demand.value[lane], velocity: kept.demand.velocity[lane],
        acceleration: kept.demandAcceleration[lane])
      lanes[place] = Governor(state, demand: isDriven ? demand : state, limits: lanes[place].limits)
      demands[place] = MoveState(position: demand.position, velocity: demand.velocity, acceleration: .nan)
    }
    rows[index]?.phase = isDriven ? .driven : .released(leaves: false)
    rows[index]?.isPending = isDriven && kept.isPending
    rows[index]?.isVoid = !isDriven
    note(index, isHeld: isDriven && (row.first..<row.first + row.lanes).contains { !lanes[$0].isFollowing })
    activate(index)
  }
}
