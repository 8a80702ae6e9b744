import MotionModel
import MotionPhysics

/// Limits that are lifted while they hold a property back: the difference to its driver fades.
extension Governors {
  /// Lets the limits of a slot go: at once if they hold nothing back, otherwise value and velocity stay continuous.
  mutating func lift(_ slot: Int) {
    guard let index = index(of: slot), let row = rows[index] else { return }
    switch row.phase {
    case .leaving: break
    case .released:
      guard (row.first..<row.first + row.lanes).contains(where: { lanes[$0].isMoving }) else { return leave(slot) }
      rows[index]?.phase = .released(leaves: true)
    case .driven:
      guard !row.isVoid else {
        // Where its driver is shows in the next frame.
        guard isLagging(slot) || isMoving(index) else { return leave(slot) }
        fades[index] = Fade()
        rows[index]?.phase = .leaving(isReleased: false)
        return activate(index)
      }
      var (value, velocity) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
      for lane in 0..<row.lanes {
        let governor = lanes[row.first + lane]
        let demand = row.isPending ? demands[row.first + lane] : governor.demand
        value[lane] = governor.state.position - demand.position
        velocity[lane] = governor.state.velocity - demand.velocity
      }
      // At a bound it has arrived, and its driver may yet be beyond.
      guard value != .zero || velocity != .zero else { return leave(slot) }
      fade(index, value, velocity)
      rows[index]?.phase = .leaving(isReleased: false)
      activate(index)
    }
  }

  /// Lets the range of a slot go that held it at a bound: from there it goes to what its driver demands next.
  mutating func lift(_ slot: Int, _ range: LaneRanges, from state: PropertyState) {
    let limits = Array(repeating: GovernorLimits(), count: state.value.count)
    take(slot, limits, from: state, acceleration: nil, isDriven: true)
    guard let index = index(of: slot) else { return }
    rows[index]?.phase = .leaving(isReleased: false)
    fades[index] = Fade(range: range)
    activate(index)
  }

  private mutating func fade(_ index: Int, _ value: SIMD4<Double>, _ velocity: SIMD4<Double>) {
    fades[index] = Fade(
      offset: VanishingOffset(value: value, velocity: velocity, duration: HandoverFade.longestDuration))
  }

  /// Begins a fade with the first demand since, as if the driver had come evenly to there. A driver that demands nothing
  /// stands where the property is.
  mutating func beginFade(_ index: Int, _ row: Row, _ range: LaneRanges?, _ dt: Double) {
    var (value, velocity) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
    for lane in 0..<row.lanes {
      let state = lanes[row.first + lane].state
      let demand = row.isPending ? demands[row.first + lane] : MoveState(position: state.position)
      if let range, range.contains(lane, demand.position) || !range.bounds(lane, state.position) { continue }
      value[lane] = state.position - (demand.position - demand.velocity * dt)
      velocity[lane] = state.velocity - demand.velocity
      // What stays without a demand does so where the property is.
      if !row.isPending { lanes[row.first + lane] = Governor(demand, limits: lanes[row.first + lane].limits) }
    }
    fade(index, value, velocity)
  }

  /// Ends what fades after limits were lifted: another plan begins where the property is.
  mutating func endFade(_ slot: Int) {
    guard let index = index(of: slot), case .leaving? = rows[index]?.phase else { return }
    leave(slot)
  }

  /// Whether the limits of a slot were lifted, and the difference to its demand fades.
  func isFading(_ slot: Int) -> Bool {
    if let index = index(of: slot), case .leaving? = rows[index]?.phase { true } else { false }
  }

  /// Whether such a slot has a demand that no frame has used.
  func hasDemandInFade(_ slot: Int) -> Bool {
    isFading(slot) && index(of: slot).flatMap { rows[$0]?.isPending } ?? false
  }

  /// Whether the driver of a row ended while a difference faded, and demanded nothing since: the property stands.
  func hasEndedFade(_ row: Row) -> Bool {
    guard case .leaving(isReleased: true) = row.phase else { return false }
    return !row.isPending
  }
}
