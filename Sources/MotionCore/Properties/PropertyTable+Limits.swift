import MotionModel
import MotionPhysics

/// Limits of properties: they act behind the writers, and before everything that reads a property.
extension PropertyTable {
  /// Sets the limits of a property, whether or not it exists.
  ///
  /// - Parameters:
  ///   - slot: its slot, if it exists.
  ///   - acceleration: its acceleration, as far as it is known.
  mutating func setLimits(
    _ setting: LimitSetting, of reference: PropertyReference, at slot: Slot?, acceleration: Lanes?
  ) {
    limits.set(setting, of: reference, exists: slot != nil)
    if let slot { applyLimits(to: slot, acceleration: acceleration) }
  }

  /// Applies the limits of its name to a property that exists.
  mutating func applyLimits(to slot: Slot, acceleration: Lanes?) {
    let reference = self[slot].reference
    let natural = KnownProperty.named(reference.property).range
    let effective = Self.limits(of: limits[reference], natural: natural, lanes: lanes(at: slot))
    // A range of its own holds it back, which has no governors.
    let range = isAtBound(slot) && self[slot].stack.driver != nil ? ranges.range(of: slot) : nil
    leaveRange(slot)
    if effective.allSatisfy(\.isRangeOnly) {
      let isSet = if case .limits(let limits)? = limits[reference] { limits.range != nil } else { false }
      ranges.take(slot, LaneRanges(effective), isSet: isSet)
      if governors.contains(slot) {
        governors.lift(slot)
      } else if let range {
        governors.lift(slot, range, from: state(at: slot))
        changes.flag(slot)
      }
      holdDriven(slot)
    } else {
      governors.take(
        slot, effective, from: state(at: slot), acceleration: acceleration, isDriven: self[slot].stack.driver != nil)
      changes.flag(slot)
    }
  }

  /// Applies the limits of its name to a new property: it begins within its range.
  mutating func limitNewProperty(at slot: Slot) {
    let reference = self[slot].reference
    limits.adopt(reference)
    guard limits[reference] != nil else { return }
    let natural = KnownProperty.named(reference.property).range
    let effective = Self.limits(of: limits[reference], natural: natural, lanes: lanes(at: slot))
    var (value, velocity) = (SIMD4(repeating: KnownProperty.named(reference.property).initialLane), SIMD4<Double>.zero)
    LaneRanges(effective)?.hold(&value, &velocity)
    _ = columns.move(slot, to: value, columns.velocity(slot))
    applyLimits(to: slot, acceleration: nil)
  }

  /// The limits of each lane that a setting makes.
  ///
  /// - Parameter natural: the range of the property without a setting.
  static func limits(
    of setting: LimitSetting?, natural: ClosedRange<Double>?, lanes: Int
  ) -> [GovernorLimits] {
    let everything = -Double.infinity ... .infinity
    switch setting {
    case LimitSetting.none?: return Array(repeating: GovernorLimits(), count: lanes)
    case nil: return Array(repeating: GovernorLimits(range: natural ?? everything), count: lanes)
    case .limits(let limits)?:
      return (0..<lanes).map { lane in
        GovernorLimits(
          range: limits.range(lane: lane) ?? natural ?? everything, motion: MoveLimits(limits.motion(lane: lane)))
      }
    }
  }

  /// Holds a property within a range that was set while its driver, which may write nothing for now, had it outside.
  /// Without a driver it stays there.
  mutating func holdDriven(_ slot: Slot) {
    guard self[slot].stack.driver != nil, !governors.contains(slot), let range = ranges.range(of: slot) else { return }
    var (value, velocity) = (value(at: slot), velocity(at: slot))
    range.hold(&value, &velocity)
    if columns.move(slot, to: value, velocity) { changes.note(slot) }
  }

  // MARK: Writers

  /// Takes a write, with the acceleration of the movement if it is known.
  mutating func set(_ slot: Slot, to state: PropertyState, acceleration: Lanes?) {
    let (value, velocity) = (state.value.storage, state.velocity.storage)
    if let acceleration, !governors.isEmpty, value.isWithin(Limits.valueMagnitude),
      velocity.isWithin(Limits.velocityMagnitude), governors.demand(slot, value, velocity, acceleration: acceleration)
    {
      return
    }
    set(slot, value: value, velocity: velocity)
  }

  /// Leaves a property without a driver: it stands or, under limits, brakes.
  mutating func stand(_ slot: Slot) {
    if governors.contains(slot) {
      governors.release(slot)
      guard governors.isFading(slot) else { return }
    }
    noteDemand(nil, beyondRangeOf: slot)
    // Outside of a range that was set since, it stays there.
    if columns.move(slot, to: value(at: slot), .zero) { changes.note(slot) }
  }

  /// Lets a property without a driver brake from the state that it had with one, in ``MotionModel/Limits/rampSeconds``
  /// where its limits do not say how.
  mutating func ramp(_ slot: Slot, from state: PropertyState) {
    var decelerations = state.velocity.storage
    for lane in 0..<4 { decelerations[lane] = abs(decelerations[lane]) / Limits.rampSeconds }
    ramp(slot, from: state, Lanes(decelerations, count: state.value.count))
  }

  /// The same with these decelerations. A property whose braking would leave the range of numbers stands.
  mutating func ramp(_ slot: Slot, from state: PropertyState, _ decelerations: Lanes) {
    let (value, velocity) = (state.value.storage, state.velocity.storage)
    guard lanes(at: slot) == state.value.count, decelerations.count == state.value.count, state.isWellFormed,
      (value + velocity).isWithin(Limits.valueMagnitude), velocity.isWithin(Limits.velocityMagnitude)
    else { return }
    if columns.move(slot, to: value, velocity) { changes.note(slot) }
    guard velocity != .zero else { return }
    governors.ramp(slot, from: state, within: ranges.range(of: slot), decelerations.storage)
    changes.flag(slot)
  }

  /// Places a property that continues from another process, also outside of its range: limits that were set or lifted
  /// since may have left it there.
  mutating func place(_ slot: Slot, at state: PropertyState) {
    guard state.value.isWithin(Limits.valueMagnitude), state.velocity.isWithin(Limits.velocityMagnitude) else {
      return set(slot, value: state.value.storage, velocity: state.velocity.storage)
    }
    if columns.move(slot, to: state.value.storage, state.velocity.storage) { changes.note(slot) }
    governors.place(slot, at: state)
  }

  /// Notes what a driver demands beyond the range of a slot, if that was set; `nil` for nothing.
  mutating func noteDemand(_ demand: PropertyState?, beyondRangeOf slot: Slot) {
    if let isHeld = ranges.note(slot, demand: demand) { governors.noteHold(slot, isHeld) }
  }

  /// Where the range of a slot lets a driver rest that demands `value`; notes if it holds that back.
  mutating func place(of value: SIMD4<Double>, inRangeOf slot: Slot) -> SIMD4<Double> {
    var (place, velocity) = (value, SIMD4<Double>.zero)
    if let isHeld = ranges.hold(slot, &place, &velocity) { governors.noteHold(slot, isHeld) }
    return place
  }

  /// Removes the range of a slot.
  mutating func leaveRange(_ slot: Slot) {
    if ranges.leave(slot) { governors.noteHold(slot, false) }
  }

  /// What the driver demands while limits, or a range that was set, hold the property back; `nil` if they do not.
  func heldDemand(of slot: Slot) -> PropertyState? {
    if governors.holdsBack(slot) { return governors.demand(of: slot) }
    let lanes = lanes(at: slot)
    return ranges.demand(of: slot).map {
      PropertyState(Lanes($0.value, count: lanes), velocity: Lanes($0.velocity, count: lanes))
    }
  }

  /// The limits that hold a property back in any lane.
  func restraint(of slot: Slot) -> Restraint {
    ranges.demand(of: slot) == nil ? governors.restraint(of: slot) : .range
  }

  /// The state that the driver demands: that of the property, where nothing limits its movement.
  func demand(at slot: Slot) -> PropertyState {
    governors.isEmpty ? state(at: slot) : governors.demand(of: slot) ?? state(at: slot)
  }

  /// Whether the property is not where the motion behind it is: at a bound, or held back by its limits.
  func isHeldBack(_ slot: Slot) -> Bool { isAtBound(slot) || (!governors.isEmpty && governors.isLagging(slot)) }

  // MARK: Frames

  /// Moves all properties under limits on by a frame, after their demands.
  mutating func govern(_ frame: Frame) {
    guard governors.isMoving else { return }
    // Taken out, because the columns are written meanwhile.
    var governors = Governors()
    swap(&governors, &self.governors)
    let left = governors.step(frame) { slot, value, velocity in show(slot, value, velocity) }
    swap(&governors, &self.governors)
    // A range that was set instead of former limits holds the property back from now on.
    for (slot, demand) in left where self[slot].stack.driver != nil {
      var (value, velocity) = (demand.value.storage, demand.velocity.storage)
      if let isHeld = ranges.hold(slot, &value, &velocity) { self.governors.noteHold(slot, isHeld) }
    }
  }

  /// Moves a property whose limits were lifted after the demand of this frame, because its driver ends with the frame.
  mutating func finishFade(_ slot: Slot, _ frame: Frame) {
    if !governors.isEmpty, governors.hasDemandInFade(slot) { govern(slot, frame) }
  }

  /// Moves one property under limits on by a frame, before another driver takes it over.
  mutating func govern(_ slot: Slot, _ frame: Frame) {
    guard governors.contains(slot) else { return }
    var governors = Governors()
    swap(&governors, &self.governors)
    governors.step(slot, frame) { value, velocity in show(slot, value, velocity) }
    swap(&governors, &self.governors)
  }

  private mutating func show(_ slot: Slot, _ value: SIMD4<Double>, _ velocity: SIMD4<Double>) {
    var (value, velocity) = (value, velocity)
    if let range = ranges.range(of: slot) {
      let (former, isDriven) = (columns.value(slot), self[slot].stack.driver != nil)
      // Without a driver, a property that a range which was set since leaves outside stays there.
      for lane in 0..<4 where isDriven || range.contains(lane, former[lane]) {
        range.hold(lane, &value[lane], &velocity[lane])
      }
    }
    if columns.move(slot, to: value, velocity) { changes.note(slot) }
  }
}
