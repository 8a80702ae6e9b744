import MotionModel
import MotionPhysics

extension PropertyTable {
  /// Sets the state of a property, within its range, and notes it as changed in this frame if it changed. With limits of
  /// motion, the property moves after this state, at the end of the frame.
  ///
  /// Every write passes here or through ``follow(_:)``, which applies the same rule. Beyond ``Limits/valueMagnitude``
  /// or ``Limits/velocityMagnitude`` the property stays where it is, with velocity 0, and is added to ``overflowed``.
  mutating func set(_ slot: Slot, value: SIMD4<Double>, velocity: SIMD4<Double>) {
    guard value.isWithin(Limits.valueMagnitude), velocity.isWithin(Limits.velocityMagnitude) else {
      if governors.contains(slot) {
        governors.release(slot)
      } else if columns.move(slot, to: columns.value(slot), .zero) {
        changes.note(slot)
      }
      return overflowed.append(slot)
    }
    if !governors.isEmpty, governors.demand(slot, value, velocity) { return }
    var (value, velocity) = (value, velocity)
    if let isHeld = ranges.hold(slot, &value, &velocity) { governors.noteHold(slot, isHeld) }
    if columns.move(slot, to: value, velocity) { changes.note(slot) }
  }

  /// Whether a property is at a bound of its natural range: the motion behind it may be beyond.
  func isAtBound(_ slot: Slot) -> Bool {
    guard let range = ranges.range(of: slot) else { return false }
    let row = columns.rows[slot]
    return (0..<row.lanes).contains { range.bounds($0, columns.values[row.first + $0]) }
  }

  /// Whether a lane of a property is at a bound of its natural range.
  func isAtBound(_ slot: Slot, lane: Int) -> Bool {
    ranges.range(of: slot)?.bounds(lane, columns.values[columns.rows[slot].first + lane]) ?? false
  }

  /// Notes that a property has to be published with this frame.
  mutating func markChanged(_ slot: Slot) { changes.note(slot) }

  /// Notes that the mover of a property owes no further sample.
  mutating func owesNothing(_ slot: Slot) {
    if motions.changeIfPresent(slot, { $0.owesNothing() }) == true { markChanged(slot) }
  }

  /// Sets the properties that a bank has just moved to the bank's states, within their natural ranges; their slots are
  /// the bank's tags. The bank itself moves beyond a bound, so that a spring ends at its own destination.
  ///
  /// For properties with limits of motion the bank's states are demands. They are flagged: all others pay nothing.
  mutating func follow(_ bank: SpringBank) {
    let (flagged, lost) = Self.follow(bank, &columns, &changes, &governors)
    // Those that were flagged may have no governors any more.
    for slot in flagged where !governors.contains(slot) { changes.unflag(slot) }
    for slot in lost { set(slot, value: SIMD4(repeating: .infinity), velocity: .zero) }
    holdInRanges()
  }

  /// - Returns: the flagged properties without governors, and those beyond the range of numbers.
  private static func follow(
    _ bank: SpringBank, _ columns: inout PropertyColumns, _ changes: inout PropertyChanges,
    _ governors: inout Governors
  ) -> (flagged: [Int], lost: [Int]) {
    columns.withLanes { rows, values, velocities in
      var lost: [Int] = []
      var flagged: [Int] = []
      changes.noteMany { notes in
        var follower = Follower(rows: rows, values: values, velocities: velocities, notes: notes)
        bank.forEachArrival { tag, value in
          if governors.demand(Int(tag), value, .zero) { return }
          follower.arrive(Int(tag), at: value)
        }
        bank.forEachMovedGroup { follower.follow($0, &governors) }
        (notes, flagged, lost) = (follower.notes, follower.flagged, follower.lost)
      }
      return (flagged, lost)
    }
  }

  /// Holds the properties that a bank has just moved within their ranges. It visits the properties with a range or the
  /// changed properties, whichever are fewer. They are noted as changed already. A property without a driver stays where
  /// it is, also outside of a range that was set since; drivers are far away in memory, so that only those of properties
  /// at their bounds are looked up.
  private mutating func holdInRanges() {
    guard ranges.count > 0 else { return }
    columns.withLanes { rows, values, velocities in
      func hold(_ slot: Int) {
        let row = rows[slot]
        let isHeld = ranges.concerns(slot, lanes: row.lanes) { (values[row.first + $0], velocities[row.first + $0]) }
        guard isHeld, changes.isNoted(slot), entries[slot].stack.driver != nil else { return }
        var (value, velocity) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
        for lane in 0..<row.lanes {
          (value[lane], velocity[lane]) = (values[row.first + lane], velocities[row.first + lane])
        }
        if let isHeld = ranges.hold(slot, &value, &velocity) { governors.noteHold(slot, isHeld) }
        for lane in 0..<row.lanes {
          (values[row.first + lane], velocities[row.first + lane]) = (value[lane], velocity[lane])
        }
      }
      if ranges.count < changes.count {
        for slot in ranges.slots { hold(slot) }
      } else {
        for slot in changes.slots { hold(Int(slot)) }
      }
    }
  }
}

/// Copies the states that a bank computed to the columns of properties: a lane is three numbers read and two written.
///
/// The tag of every motion in the bank is the slot of a property, which has a row with as many lanes. So every access
/// below is within its column.
private struct Follower {
  let rows: UnsafeBufferPointer<PropertyColumns.Row>
  let values: UnsafeMutableBufferPointer<Double>
  let velocities: UnsafeMutableBufferPointer<Double>
  var notes: PropertyChanges.Notes
  /// The properties that were flagged in vain, and those beyond the range of numbers.
  var flagged: [Int] = []
  var lost: [Int] = []
  // These factors take exactly the numbers beyond the bound to infinity: one multiplication tests a number without a
  // branch.
  private let valueFactor = Double.greatestFiniteMagnitude / Limits.valueMagnitude
  private let velocityFactor = Double.greatestFiniteMagnitude / Limits.velocityMagnitude

  init(
    rows: UnsafeBufferPointer<PropertyColumns.Row>, values: UnsafeMutableBufferPointer<Double>,
    velocities: UnsafeMutableBufferPointer<Double>, notes: PropertyChanges.Notes
  ) {
    (self.rows, self.values, self.velocities, self.notes) = (rows, values, velocities, notes)
  }

  /// Sets a property that has come to rest.
  mutating func arrive(_ slot: Int, at value: SIMD4<Double>) {
    set(slot, lanes: rows[slot].lanes) { (value[$0], 0) }
  }

  /// The lanes are constants below, so that each number of lanes gets a loop of its own.
  mutating func follow(_ moved: SpringBank.MovedGroup, _ governors: inout Governors) {
    switch moved.lanes {
    case 1: follow(moved, lanes: 1, &governors)
    case 2: follow(moved, lanes: 2, &governors)
    case 3: follow(moved, lanes: 3, &governors)
    default: follow(moved, lanes: 4, &governors)
    }
  }

  @inline(__always)
  private mutating func follow(_ moved: SpringBank.MovedGroup, lanes: Int, _ governors: inout Governors) {
    var row = 0
    while true {
      row = followPlain(moved, lanes: lanes, from: row)
      guard row < moved.count else { return }
      followAlone(moved, row, &governors)
      row += 1
    }
  }

  /// Sets properties, up to the first one that cannot be set like the others.
  ///
  /// The loop calls nothing and has its pointers in local variables, so that they stay in the processor's registers.
  ///
  /// - Returns: the row of that one, or the number of rows.
  @inline(__always)
  private mutating func followPlain(_ moved: SpringBank.MovedGroup, lanes: Int, from start: Int) -> Int {
    let (follower, moved) = (self, moved.inRegisters)
    var (notes, row) = (self.notes, start)
    defer { self.notes = notes }
    while row < moved.count {
      let slot = Int(moved.tag(row))
      guard notes.isPlain(slot) else { break }
      let move = follower.move(slot, lanes: lanes) {
        (moved.value(row, lane: $0), moved.velocity(row, lane: $0))
      }
      if case .isLost = move { break }
      if case .moves = move { notes.notePlain(slot) }
      row &+= 1
    }
    return row
  }

  /// Sets a property that was noted in this frame already, or is beyond the range of numbers, or may have governors:
  /// then the state is a demand.
  @inline(never)
  private mutating func followAlone(_ moved: SpringBank.MovedGroup, _ row: Int, _ governors: inout Governors) {
    let slot = Int(moved.tag(row))
    guard let index = governors.index(of: slot) else {
      if notes.isFlagged(slot) { flagged.append(slot) }
      return set(slot, lanes: moved.lanes) { (moved.value(row, lane: $0), moved.velocity(row, lane: $0)) }
    }
    let value = SIMD4(lanes: moved.lanes) { moved.value(row, lane: $0) }
    let velocity = SIMD4(lanes: moved.lanes) { moved.velocity(row, lane: $0) }
    guard value.isWithin(Limits.valueMagnitude), velocity.isWithin(Limits.velocityMagnitude) else {
      return lost.append(slot)
    }
    _ = governors.demand(at: index, value, velocity)
  }

  /// Sets a property, and notes it if that changed it.
  private mutating func set(_ slot: Int, lanes: Int, _ state: (_ lane: Int) -> (value: Double, velocity: Double)) {
    switch move(slot, lanes: lanes, state) {
    case .stays: break
    case .moves: notes.note(slot)
    case .isLost: lost.append(slot)
    }
  }

  private enum Move { case stays, moves, isLost }

  /// Sets a property, unless the state is beyond the range of numbers.
  @inline(__always)
  private func move(_ slot: Int, lanes: Int, _ state: (_ lane: Int) -> (value: Double, velocity: Double)) -> Move {
    let first = rows[slot].first
    var isChanged = false
    var residue = 0.0
    for lane in 0..<lanes {
      let (value, velocity) = state(lane)
      if values[first + lane] != value || velocities[first + lane] != velocity { isChanged = true }
      let (far, fast) = (value * valueFactor, velocity * velocityFactor)
      residue += (far - far) + (fast - fast)
    }
    guard isChanged else { return .stays }
    // An infinite value, or NaN, leaves a residue that is not zero.
    guard residue == 0 else { return .isLost }
    for lane in 0..<lanes { (values[first + lane], velocities[first + lane]) = state(lane) }
    return .moves
  }
}
