import MotionModel
import MotionPhysics

/// The complete state of a property under limits; ``RuntimeCheckpoint/Governed`` is the part that a restart continues.
extension Governors {
  /// Writes the row of a slot that has governors.
  func write(_ slot: Int, to bytes: inout SnapshotWriter) {
    guard let index = index(of: slot), let row = rows[index] else { return bytes.write(0) }
    bytes.write(row.lanes)
    switch row.phase {
    case .released(let leaves): bytes.write(leaves ? 1 : 0)
    case .driven: bytes.write(2)
    case .leaving(let isReleased): bytes.write(isReleased ? 4 : 3)
    }
    for flag in [row.isPending, row.isVoid, row.isHeld] { bytes.write(flag) }
    bytes.write(row.frame)
    for place in row.first..<row.first + row.lanes {
      let (governor, limits) = (lanes[place], lanes[place].limits)
      for number in [
        limits.range.lowerBound, limits.range.upperBound, limits.motion.maxVelocity, limits.motion.maxAcceleration,
        limits.motion.maxJerk,
      ] { bytes.write(number) }
      // Without a demand that waits, what is left of an earlier one means nothing.
      for state in [governor.state, governor.demand, row.isPending ? demands[place] : MoveState(position: 0)] {
        for number in [state.position, state.velocity, state.acceleration] { bytes.write(number) }
      }
      bytes.write(governor.isFollowing)
    }
    bytes.write(ramps[index]) { bytes, ramp in for lane in 0..<4 { bytes.write(ramp[lane]) } }
    bytes.write(fades[index]) { bytes, fade in
      bytes.write(fade.offset) { $0.write($1) }
      bytes.write(fade.range) { bytes, range in
        for lane in 0..<4 {
          bytes.write(range.lower[lane])
          bytes.write(range.upper[lane])
        }
      }
      bytes.write(fade.elapsed)
    }
  }

  /// The slots whose rows move, in the order in which they do.
  var activeSlots: [Int] { active.compactMap { rows[$0]?.slot } }

  /// Reads the row of a slot with so many lanes, which may have governors.
  mutating func restore(_ slot: Int, from state: PropertyState, _ bytes: inout SnapshotReader) throws {
    let count = state.value.count
    guard try bytes.number(below: 5) == count else { throw bytes.damage }
    let phase: Phase
    switch try bytes.number() {
    case 0: phase = .released(leaves: false)
    case 1: phase = .released(leaves: true)
    case 2: phase = .driven
    case 3: phase = .leaving(isReleased: false)
    case 4: phase = .leaving(isReleased: true)
    default: throw bytes.damage
    }
    let (isPending, isVoid, isHeld) = (try bytes.flag(), try bytes.flag(), try bytes.flag())
    let frame = try bytes.number()
    let known = try (0..<count).map { _ in
      let limits = try bytes.governorLimits()
      let (place, demand) = (try bytes.moveState(), try bytes.moveState())
      let next = MoveState(
        position: try bytes.anyDouble(), velocity: try bytes.anyDouble(), acceleration: try bytes.anyDouble())
      return (governor: Governor(place, demand: demand, isFollowing: try bytes.flag(), limits: limits), next: next)
    }
    if !contains(slot) { take(slot, known.map(\.governor.limits), from: state, acceleration: nil, isDriven: true) }
    guard let index = index(of: slot), var row = rows[index], row.lanes == count else { throw bytes.damage }
    for lane in 0..<count {
      (lanes[row.first + lane], demands[row.first + lane]) = (known[lane].governor, known[lane].next)
    }
    ramps[index] = try bytes.optional { bytes in
      var ramp = SIMD4<Double>.zero
      for lane in 0..<4 { ramp[lane] = try bytes.notNaN() }
      return ramp
    }
    fades[index] = try bytes.optional { bytes in
      let offset = try bytes.optional { try $0.offset() }
      let range = try bytes.optional { bytes in
        var bounds = [SIMD4<Double>.zero, .zero]
        for lane in 0..<4 { for bound in 0..<2 { bounds[bound][lane] = try bytes.notNaN() } }
        return LaneRanges(lower: bounds[0], upper: bounds[1])
      }
      return Fade(offset: offset, range: range, elapsed: try bytes.double())
    }
    if row.isHeld != isHeld { held += isHeld ? 1 : -1 }
    row.phase = phase
    (row.isPending, row.isVoid, row.isHeld, row.frame) = (isPending, isVoid, isHeld, frame)
    rows[index] = row
  }

  /// Lets these slots move, in this order, and no others.
  mutating func restore(active slots: [Int]) {
    for index in active { rows[index]?.isActive = false }
    active = []
    for index in slots.compactMap(index(of:)) where rows[index]?.isActive == false {
      rows[index]?.isActive = true
      active.append(index)
    }
  }
}

extension SnapshotReader {
  fileprivate mutating func governorLimits() throws -> GovernorLimits {
    let (lower, upper) = (try notNaN(), try notNaN())
    guard lower <= upper else { throw damage }
    let motion = MoveLimits(maxVelocity: try notNaN(), maxAcceleration: try notNaN(), maxJerk: try notNaN())
    guard motion.maxVelocity >= 0, motion.maxAcceleration >= 0, motion.maxJerk >= 0 else { throw damage }
    return GovernorLimits(range: lower...upper, motion: motion)
  }

  fileprivate mutating func moveState() throws -> MoveState {
    MoveState(position: try notNaN(), velocity: try notNaN(), acceleration: try anyDouble())
  }

  fileprivate mutating func notNaN() throws -> Double {
    let number = try anyDouble()
    guard !number.isNaN else { throw damage }
    return number
  }
}
