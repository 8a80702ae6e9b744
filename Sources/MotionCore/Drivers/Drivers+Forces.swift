import MotionModel
import MotionPhysics

extension Drivers {
  /// Fails the plans whose movement has led beyond ``Limits/valueMagnitude`` or ``Limits/velocityMagnitude``: the
  /// property stands at its last value, until another writer drives it.
  ///
  /// The plan that fails is the one that moves the property: the mover's, which is the driver's until another takes
  /// over. Forces on a property are one movement, and fail together.
  func failOverflowed() {
    for slot in movement.properties.takeOverflowed() where movement.properties.isOccupied(slot) {
      movement.properties.motions[slot] = nil
      guard let mover = movement.properties[slot].actor ?? movement.properties[slot].stack.driver,
        let record = plans.executors[mover]
      else {
        continue
      }
      if let physics = record.physics {
        physics.overflowed(slot) { fail($0, of: record.handle) }
      } else if let identity = plan(of: mover, on: slot), let plan = plans.intentions[identity] {
        retirement.end(plan, .failed, reason: OutOfBounds().description, tellingExecutor: true)
      }
    }
  }

  /// Lets the driver of a property in this process demand its state again, which was beyond a bound that has changed: it
  /// may be at rest.
  func demandAgain(_ slot: PropertyTable.Slot) {
    guard let driver = movement.properties[slot].stack.driver, let record = plans.executors[driver] else { return }
    if let physics = record.physics {
      physics.repeatRest(slot)
    } else if record.worker == nil {
      activity.expectAnswer(of: record)
    }
  }

  /// The plan for which an executor moves a property: of several the latest.
  private func plan(of mover: ExecutorHandle, on slot: PropertyTable.Slot) -> IntentionIdentity? {
    let stack = movement.properties[slot].stack
    return stack.driver == mover ? stack.leading : stack.identities(of: mover).last
  }

  /// Begins the motions of staged rows whose turn it is once so many unsettled properties have been settled.
  func beginStaged(after settled: Int) {
    while let run = staging.runs.first, run.position <= settled {
      staging.runs.removeFirst()
      var beginning = SpringBank.Beginning(of: run.rows.count)
      for row in run.transaction.rows[run.rows] {
        let (_, value, velocity) = movement.place(of: Int(row.slot))
        movement.bank.begin(row.motion, value: value, velocity: velocity, in: &beginning)
        if log.keeps.contains(.drivers) { logDriver(of: Int(row.slot)) }
      }
      movement.bank.end(beginning)
    }
  }

  /// Notifies executors of the properties that have come to rest, oldest first, and at most ``Runtime/arrivalsPerFrame`` in one
  /// frame.
  func takeArrivals() {
    for arrival in movement.takeArrivals(atMost: Self.arrivalsPerFrame)
    where movement.bank.contains(arrival.handle) && !movement.bank.isMoving(arrival.handle) {
      let slot = Int(arrival.tag)
      guard let actor = movement.properties[slot].actor else { continue }
      if let physics = plans.executors[actor]?.physics, let completed = physics.arrived(at: slot, arrival.handle) {
        finish(completed, .completed, of: actor)
        // It stayed for the limits, and ended without a wait.
        if movement.properties.governors.contains(slot), plans.intentions[completed] == nil {
          physics.remove(completed)
        }
      }
    }
  }
}
