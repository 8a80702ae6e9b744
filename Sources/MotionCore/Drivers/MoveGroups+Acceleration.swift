import MotionModel
import MotionPhysics

/// The acceleration with which a move begins.
///
/// It is found when a move begins, from the law of the driver that it displaces. No driver keeps or reports it for that.
extension MoveGroups {
  /// What a driver hands over beside value and velocity.
  struct Inheritance {
    var acceleration: Lanes
    /// Whether it is that of limits or of another move, and counts as a whole.
    var isWhole: Bool
  }

  /// The acceleration of a property whose limits or move have put it where it is.
  ///
  /// - Parameter ofLimits: whether the limits of the property count, if it has any.
  func acceleration(at slot: PropertyTable.Slot, ofLimits: Bool = true) -> Lanes? {
    if ofLimits, let acceleration = movement.properties.governors.acceleration(of: slot) { return acceleration }
    guard let actor = movement.properties[slot].actor else { return nil }
    return plans.executors[actor]?.moves?.acceleration(
      of: movement.properties[slot].reference.property, in: movement.properties.state(at: slot),
      at: position.timeOfState)
  }

  /// A plan is about to replace the one that moves a property: a move begins with the acceleration of that one.
  func willReplace(on slot: PropertyTable.Slot) { replaced = inheritance(at: slot).map { (slot, $0) } }

  /// The acceleration with which a move begins; `nil` if it is not known, or nothing moves the property.
  func startAcceleration(of record: IntentionRecord, at slot: PropertyTable.Slot) -> Lanes? {
    let known = replaced.flatMap { $0.slot == slot ? $0.motion : nil } ?? inheritance(at: slot)
    guard let known, !known.isWhole, let move = try? MoveToIntention(record.intention) else {
      return known?.acceleration
    }
    let limits = record.limits?.limits ?? PropertyLimits()
    return feasible(known.acceleration, at: slot) { MoveLimits(move.limits.completed(by: limits.motion(lane: $0))) }
  }

  /// The acceleration with which limits begin to act on a property: that of other limits, or else that of what moves it, as
  /// far as they permit it. `nil` if it is not known, or nothing moves the property.
  func acceleration(at slot: PropertyTable.Slot, under setting: LimitSetting) -> Lanes? {
    guard case .limits(let limits) = setting, limits.acceleration != nil || limits.jerk != nil,
      let known = inheritance(at: slot, ofLimits: !movement.properties.governors.onlyFollows(slot))
    else { return nil }
    guard !movement.properties.governors.limitAcceleration(of: slot) else { return known.acceleration }
    return feasible(known.acceleration, at: slot) { MoveLimits(limits.motion(lane: $0)) }
  }

  /// The part of an acceleration that limits of each lane permit.
  private func feasible(
    _ acceleration: Lanes, at slot: PropertyTable.Slot, under limits: (Int) -> MoveLimits
  ) -> Lanes {
    let velocity = movement.properties.velocity(at: slot)
    var feasible = acceleration
    for lane in 0..<acceleration.count {
      feasible.storage[lane] = limits(lane).feasible(acceleration: acceleration[lane], at: velocity[lane])
    }
    return feasible
  }

  private func inheritance(at slot: PropertyTable.Slot, ofLimits: Bool = true) -> Inheritance? {
    if let acceleration = acceleration(at: slot, ofLimits: ofLimits) {
      return Inheritance(acceleration: acceleration, isWhole: true)
    }
    guard let mover = movement.properties[slot].actor ?? movement.properties[slot].stack.driver,
      let executor = plans.executors[mover]
    else { return nil }
    let state = movement.properties.state(at: slot)
    var lanes: SIMD4<Double>?
    if let physics = executor.physics {
      lanes = physics.acceleration(at: slot)
    } else if let follows = executor.follows {
      lanes = follows.acceleration(of: movement.properties[slot].reference.property, in: state)
    } else if let waves = executor.waves {
      lanes = waves.acceleration(of: movement.properties[slot].reference.property, in: state)
    } else {
      lanes = tweenAcceleration(at: slot, by: mover)
    }
    guard var lanes, lanes.isWithin(Limits.velocityMagnitude) else { return nil }
    for lane in 0..<state.value.count where movement.properties.isAtBound(slot, lane: lane) { lanes[lane] = 0 }
    return Inheritance(acceleration: Lanes(lanes, count: state.value.count), isWhole: false)
  }

  /// The acceleration of the tween of an executor that has put a property where it is, with that of the difference of a
  /// hand-over that fades. The curve of a tween is known here, also if a worker computes its values.
  private func tweenAcceleration(at slot: PropertyTable.Slot, by mover: ExecutorHandle) -> SIMD4<Double>? {
    let (time, blend) = (position.timeOfState, movement.properties.motions[slot]?.blend)
    let said = blend?.lastSample ?? movement.properties.state(at: slot)
    // A tween that another one of its worker displaces moves the property until the other one's first value.
    let stack = movement.properties[slot].stack
    for identity in stack.identities(of: mover).reversed() {
      guard let record = plans.intentions[identity], let begun = record.start, let start = record.starts.first,
        record.intention.type == TweenIntention.description.type, start.state.value.count == said.value.count,
        let tween = try? TweenIntention(record.intention), let curve = try? TweenCurve(of: tween, from: start.state)
      else { continue }
      let sample = curve.sample(at: time - begun.time)
      guard sample.value == said.value.storage, sample.velocity == said.velocity.storage else { continue }
      let own = curve.acceleration(at: time - begun.time)
      return blend.map { own + $0.fade.acceleration(at: time - $0.startTime) } ?? own
    }
    return nil
  }
}
