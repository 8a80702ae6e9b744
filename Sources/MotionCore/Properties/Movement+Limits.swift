import MotionModel
import MotionPhysics

extension Movement {
  /// Makes the properties stand that move without a driver and do not brake: a checkpoint keeps a bounded number of
  /// those that brake.
  func standUndriven() {
    for slot in Array(properties.occupied)
    where properties.velocity(at: slot) != .zero && properties[slot].stack.driver == nil
      && !properties.governors.contains(slot) && !isLost(slot)
    {
      stand(slot)
    }
  }

  /// The state of properties under limits or in a range besides their values and velocities, in the order of their slots:
  /// their accelerations and demands, and the motions of forces behind them. Each motion is complete, so that another
  /// process continues it to the bit. Linear in what moves and, while limits hold anything back, in what has limits.
  ///
  /// - Parameter limit: the most that are kept of those that move by themselves, of those that stand at a bound, and of
  ///   those that forces move.
  func governed(atMost limit: Int) -> [RuntimeCheckpoint.Governed] {
    guard !properties.governors.isEmpty || properties.ranges.count > 0 else { return [] }
    var motions: [PropertyTable.Slot: SpringBank.MovingState] = [:]
    let moving = bank.moving(atMost: limit) { tag in
      properties.governors.contains(Int(tag)) || properties.ranges.range(of: Int(tag)) != nil
    }
    // A motion that stands at its equilibrium, where it was demanded, comes to rest with the next step: it follows from
    // the demand. A force that has just begun stands where its property is, and that may not be the demand.
    for (tag, state) in moving
    where state.distance != .zero || state.velocity != .zero
      || properties.governors.demand(of: Int(tag)).map({ $0.value.storage != state.value }) ?? false
    {
      motions[Int(tag)] = state
    }
    let slots = Set(properties.governors.unsettled(atMost: limit)).union(motions.keys)
    return slots.sorted().compactMap { governed($0, motions[$0]) }
  }

  private func governed(
    _ slot: PropertyTable.Slot, _ state: SpringBank.MovingState?
  ) -> RuntimeCheckpoint.Governed? {
    let (reference, lanes) = (properties[slot].reference, properties.lanes(at: slot))
    let motion = state.map {
      RuntimeCheckpoint.Governed.Motion(
        PropertyState(Lanes($0.value, count: lanes), velocity: Lanes($0.velocity, count: lanes)),
        distance: Lanes($0.distance, count: lanes))
    }
    if var governed = properties.governors.kept(slot, of: reference) {
      governed.motion = motion
      // A range may hold a property that brakes.
      if !governed.isDriven { governed.demand = properties.state(at: slot) }
      return governed
    }
    guard let motion else { return nil }
    // Only a range limits it.
    let zero = Lanes(SIMD4<Double>.zero, count: lanes)
    return RuntimeCheckpoint.Governed(
      reference, acceleration: zero, demand: motion.state, demandAcceleration: zero, isDriven: true, isPending: false,
      motion: motion)
  }
}
