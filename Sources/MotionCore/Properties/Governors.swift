import MotionModel
import MotionPhysics

/// The governors of the slots whose properties have limits of velocity, acceleration or jerk.
///
/// What writers write to such a property is a demand. Once in each frame its governors move it after the demand. Rows
/// that follow a demand that stands, or stand without a driver, cost nothing.
struct Governors {
  /// What moves a property.
  enum Phase {
    /// It has no driver, and brakes. `leaves`: its limits were lifted, or it has none, and it leaves once it stands.
    case released(leaves: Bool)
    /// Its driver demands.
    case driven
    /// Its limits were lifted while it lagged: the difference to the demand fades. `isReleased`: it has no driver any
    /// more, and leaves with this frame, which may yet bring the last demand.
    case leaving(isReleased: Bool)
  }

  struct Row {
    let slot: Int
    /// The place of the first lane, and the number of lanes.
    let first: Int
    let lanes: Int
    var phase: Phase
    /// Whether it is in the list of rows to move.
    var isActive = false
    /// Whether there is a demand that no frame has used.
    var isPending = false
    /// Whether its driver has demanded nothing yet.
    var isVoid = true
    /// Whether its limits hold it back, as it was noted last.
    var isHeld = false
    /// The number of the last frame that moved it.
    var frame: UInt64 = 0
  }

  /// By slot: its row plus one; 0 without limits.
  private(set) var places: [UInt32] = []
  var rows: [Row?] = []
  private var freeRows: [Int] = []
  var lanes: [Governor] = []
  /// The demands that no frame has used, lane by lane; the acceleration is not a number if it is not known.
  var demands: [MoveState] = []
  private var freeLanes: [[Int]] = [[], [], [], []]
  /// The difference of a row whose limits were lifted.
  struct Fade {
    /// `nil` until the next frame, which has the first demand since.
    var offset: VanishingOffset?
    /// The range that held the property back, if nothing else did.
    var range: LaneRanges?
    /// For how many seconds it has faded.
    var elapsed = 0.0
  }

  /// The differences of the rows whose limits were lifted.
  var fades: [Int: Fade] = [:]
  /// The decelerations of rows that a stop lets brake, for the lanes without a limit of acceleration or jerk.
  var ramps: [Int: SIMD4<Double>] = [:]
  /// The rows to move.
  var active: [Int] = []
  /// The slots that limits began to hold back, or no longer do, since the last ``takeHolds()``.
  var holds: [(slot: Int, isHeld: Bool)] = []
  /// How many properties limits hold back, and how often they began to.
  var held = 0
  var entries: UInt64 = 0

  /// How many slots there are.
  private(set) var count = 0
  /// Whether no property has such limits.
  var isEmpty: Bool { count == 0 }
  /// Whether any of them moves with the next frame.
  var isMoving: Bool { !active.isEmpty }

  // MARK: Rows

  @inline(__always)
  func index(of slot: Int) -> Int? {
    guard slot < places.count, places[slot] != 0 else { return nil }
    return Int(places[slot]) - 1
  }

  /// Whether a slot has governors.
  @inline(__always)
  func contains(_ slot: Int) -> Bool { !isEmpty && index(of: slot) != nil }

  /// Governs a slot by these limits, or by these instead of others.
  ///
  /// - Parameters:
  ///   - state: where the property is, if it had no governors.
  ///   - acceleration: its acceleration, as far as it is known, if its limits have none.
  ///   - isDriven: whether it has a driver.
  mutating func take(
    _ slot: Int, _ limits: [GovernorLimits], from state: PropertyState, acceleration: Lanes?, isDriven: Bool
  ) {
    if let index = index(of: slot), let row = rows[index] {
      // What the new limits hold back is noted again.
      note(index, isHeld: false)
      replaceLimits(of: row, by: limits, acceleration)
      switch row.phase {
      case .driven: break
      case .released: rows[index]?.phase = .released(leaves: false)
      case .leaving:
        rows[index]?.phase = isDriven ? .driven : .released(leaves: false)
        fades[index] = nil
        for lane in 0..<row.lanes {
          lanes[row.first + lane] = Governor(
            MoveState(position: state.value[lane], velocity: state.velocity[lane]),
            demand: lanes[row.first + lane].demand, limits: limits[lane])
        }
      }
      return activate(index)
    }
    while places.count <= slot { places.append(0) }
    let first = freeLanes[limits.count - 1].popLast() ?? lanes.count
    if first == lanes.count {
      lanes += limits.map { Governor(MoveState(position: 0), limits: $0) }
      demands += limits.map { _ in MoveState(position: 0) }
    }
    for lane in limits.indices {
      let start = MoveState(
        position: state.value[lane], velocity: state.velocity[lane], acceleration: acceleration?[lane] ?? 0)
      lanes[first + lane] = Governor(start, limits: limits[lane])
    }
    let row = Row(slot: slot, first: first, lanes: limits.count, phase: isDriven ? .driven : .released(leaves: false))
    let index = freeRows.popLast() ?? rows.count
    if index == rows.count { rows.append(row) } else { rows[index] = row }
    places[slot] = UInt32(index + 1)
    count += 1
    activate(index)
  }

  /// Governs a slot no longer, at once.
  mutating func leave(_ slot: Int) {
    guard let index = index(of: slot), let row = rows[index] else { return }
    if row.isActive { active.removeAll { $0 == index } }
    note(index, isHeld: false)
    places[slot] = 0
    rows[index] = nil
    fades[index] = nil
    ramps[index] = nil
    freeRows.append(index)
    freeLanes[row.lanes - 1].append(row.first)
    count -= 1
  }

  /// Notes that the next frame may move a row.
  mutating func activate(_ index: Int) {
    guard rows[index]?.isActive == false, isMoving(index) else { return }
    rows[index]?.isActive = true
    active.append(index)
  }

  // MARK: Demands

  /// Takes a state that a writer demands.
  ///
  /// - Returns: whether the slot has governors; otherwise the caller sets the property.
  mutating func demand(
    _ slot: Int, _ value: SIMD4<Double>, _ velocity: SIMD4<Double>, acceleration: Lanes? = nil
  ) -> Bool {
    guard let index = index(of: slot) else { return false }
    return demand(at: index, value, velocity, acceleration: acceleration)
  }

  /// The same for the slot of a row.
  @inline(__always)
  mutating func demand(
    at index: Int, _ value: SIMD4<Double>, _ velocity: SIMD4<Double>, acceleration: Lanes? = nil
  ) -> Bool {
    guard var row = rows[index] else { return false }
    switch row.phase {
    case .driven: break
    case .released(leaves: true):
      // The driver begins where the property is, without limits.
      leave(row.slot)
      return false
    case .released(leaves: false):
      row.phase = .driven
      ramps[index] = nil
    case .leaving: row.phase = .leaving(isReleased: false)
    }
    for lane in 0..<row.lanes {
      demands[row.first + lane] = MoveState(
        position: value[lane], velocity: velocity[lane], acceleration: acceleration?[lane] ?? .nan)
    }
    (row.isPending, row.isVoid) = (true, false)
    rows[index] = row
    if !row.isActive { activate(index) }
    return true
  }

  /// The property has no driver: it brakes.
  mutating func release(_ slot: Int) {
    guard let index = index(of: slot) else { return }
    switch rows[index]?.phase {
    case .driven: rows[index]?.phase = .released(leaves: false)
    // What is left of lifted limits does not outlast their driver.
    case .leaving: rows[index]?.phase = .leaving(isReleased: true)
    case .released, nil: break
    }
    rows[index]?.isPending = false
    note(index, isHeld: false)
    activate(index)
  }

  /// Another driver takes over: what the last one demanded is void, and the next one begins where the property is.
  mutating func discardDemand(_ slot: Int) {
    guard let index = index(of: slot), let row = rows[index] else { return }
    switch row.phase {
    case .released(leaves: true), .leaving: return leave(slot)
    case .released, .driven: rows[index]?.phase = .driven
    }
    ramps[index] = nil
    rows[index]?.isPending = false
    rows[index]?.isVoid = true
    for lane in row.first..<row.first + row.lanes {
      lanes[lane] = Governor(lanes[lane].state, demand: lanes[lane].state, limits: lanes[lane].limits)
    }
    activate(index)
  }

  /// Whether limits hold the property back from its demand, so that it has not arrived.
  func isLagging(_ slot: Int) -> Bool {
    guard let index = index(of: slot), let row = rows[index] else { return false }
    switch row.phase {
    case .released: return false
    case .leaving: return true
    case .driven:
      return row.isPending || (row.first..<row.first + row.lanes).contains { !lanes[$0].hasArrived }
    }
  }

  /// Whether each lane is where its demand is, or beyond in the direction of the demand's velocity.
  func hasPassed(_ slot: Int) -> Bool {
    guard let index = index(of: slot), let row = rows[index], case .driven = row.phase, !row.isPending else {
      return false
    }
    return lanes[row.first..<row.first + row.lanes].allSatisfy { lane in
      lane.hasArrived || lane.isFollowing || (lane.state.position - lane.demand.position) * lane.demand.velocity > 0
    }
  }

  // MARK: Frames

  /// Moves a slot on by a frame, unless the frame has moved it.
  ///
  /// - Parameter body: receives the state.
  mutating func step(
    _ slot: Int, _ frame: Frame, _ body: (_ value: SIMD4<Double>, _ velocity: SIMD4<Double>) -> Void
  ) {
    guard let index = index(of: slot), let row = rows[index], row.frame != frame.number else { return }
    let moved = move(index, row, frame)
    body(moved.value, moved.velocity)
  }

  /// Moves all slots on by a frame that it has not moved.
  ///
  /// - Parameter body: receives the slot and its state.
  /// - Returns: the slots that have governors no longer, with the last demand.
  mutating func step(
    _ frame: Frame, _ body: (_ slot: Int, _ value: SIMD4<Double>, _ velocity: SIMD4<Double>) -> Void
  ) -> [(slot: Int, demand: PropertyState)] {
    var (kept, gone) = (0, [(slot: Int, demand: PropertyState)]())
    for place in active.indices {
      let index = active[place]
      guard let row = rows[index] else { continue }
      let goesOn: Bool
      if hasEndedFade(row) {
        goesOn = false
      } else if row.frame != frame.number {
        let moved = move(index, row, frame)
        body(row.slot, moved.value, moved.velocity)
        goesOn = moved.goesOn
      } else {
        goesOn = isMoving(index)
      }
      if goesOn {
        active[kept] = index
        kept += 1
      } else {
        rows[index]?.isActive = false
        ramps[index] = nil
        if hasLeft(index) {
          gone.append(
            (
              row.slot,
              PropertyState(all(row) { lanes[$0].state.position }, velocity: all(row) { lanes[$0].state.velocity })
            ))
        }
      }
    }
    active.removeLast(active.count - kept)
    for (slot, _) in gone { leave(slot) }
    return gone
  }

  /// Moves a row on by a frame.
  ///
  /// - Returns: its state, and whether the next frame moves it, too.
  private mutating func move(
    _ index: Int, _ row: Row, _ frame: Frame
  ) -> (value: SIMD4<Double>, velocity: SIMD4<Double>, goesOn: Bool) {
    guard case .driven = row.phase else { return moveWithoutDriver(index, row, frame) }
    var (isHeld, goesOn) = (false, false)
    func follow(_ lane: Int) -> SIMD2<Double> {
      let place = row.first + lane
      // Without a value from its driver, the demand is the last value, at rest.
      let demand =
        row.isPending ? demands[place] : MoveState(position: lanes[place].demand.position, acceleration: 0)
      let progress = lanes[place].follow(
        position: demand.position, velocity: demand.velocity,
        acceleration: demand.acceleration.isNaN ? nil : demand.acceleration, dt: frame.dt)
      if progress.wantsFrames { goesOn = true }
      if !progress.isFollowing { isHeld = true }
      return SIMD2(progress.position, progress.velocity)
    }
    // Written out: see SIMD4.init(lanes:_:).
    let first = follow(0)
    let second = row.lanes > 1 ? follow(1) : .zero
    let third = row.lanes > 2 ? follow(2) : .zero
    let fourth = row.lanes > 3 ? follow(3) : .zero
    let value = SIMD4(first.x, second.x, third.x, fourth.x)
    let velocity = SIMD4(first.y, second.y, third.y, fourth.y)
    var row = row
    (row.isPending, row.frame) = (false, frame.number)
    rows[index] = row
    if isHeld != row.isHeld { note(index, isHeld: isHeld) }
    return (value, velocity, goesOn)
  }

  /// The same for a row that brakes, or whose limits were lifted.
  private mutating func moveWithoutDriver(
    _ index: Int, _ row: Row, _ frame: Frame
  ) -> (value: SIMD4<Double>, velocity: SIMD4<Double>, goesOn: Bool) {
    var (value, velocity) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
    if let fade = fades[index], fade.offset == nil { beginFade(index, row, fade.range, frame.dt) }
    for lane in 0..<row.lanes {
      let place = row.first + lane
      if case .leaving = row.phase {
        let last = lanes[place].demand
        let demand = row.isPending ? demands[place] : MoveState(position: last.position, acceleration: 0)
        let acceleration = demand.acceleration.isNaN ? 0 : demand.acceleration
        lanes[place] = Governor(
          MoveState(position: demand.position, velocity: demand.velocity, acceleration: acceleration),
          limits: lanes[place].limits)
      } else {
        lanes[place].brake(dt: frame.dt, deceleration: ramps[index]?[lane] ?? .infinity)
      }
      (value[lane], velocity[lane]) = (lanes[place].state.position, lanes[place].state.velocity)
    }
    if case .leaving = row.phase, let fade = fades[index], let offset = fade.offset {
      let left = offset.sample(at: fade.elapsed + frame.dt)
      (value, velocity) = (value + left.value, velocity + left.velocity)
      fades[index]?.elapsed += frame.dt
    }
    rows[index]?.isPending = false
    rows[index]?.frame = frame.number
    note(index, isHeld: false)
    return (value, velocity, isMoving(index))
  }

  /// Whether the next frame moves a row.
  func isMoving(_ index: Int) -> Bool {
    guard let row = rows[index] else { return false }
    let places = row.first..<row.first + row.lanes
    switch row.phase {
    case .released: return places.contains { lanes[$0].isMoving }
    case .driven:
      return row.isPending || places.contains { lanes[$0].wantsFrames }
    case .leaving:
      guard let fade = fades[index] else { return false }
      return fade.offset.map { !$0.isOver(at: fade.elapsed) } ?? true
    }
  }

  private func hasLeft(_ index: Int) -> Bool {
    switch rows[index]?.phase {
    case .released(let leaves): leaves
    case .leaving: true
    case .driven, nil: false
    }
  }
}
