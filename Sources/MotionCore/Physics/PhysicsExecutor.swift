import MotionModel
import MotionPhysics

/// Fulfils springs, friction and constant forces on the properties of one target, in this process.
///
/// All forces on a property add up to one exact linear step, which the runtime's bank takes for it. The executor keeps
/// the plans and tells the bank what has changed; it is not called in a frame unless a property comes to rest.
final class PhysicsExecutor: NamedExecutor, YieldingExecutor {
  /// One plan as a force.
  struct Force {
    var identity: IntentionIdentity
    var name: IntentionName?
    var law: ForceLaw
  }

  /// The forces on one property, and its place in the bank while this executor drives it.
  struct Body {
    var forces: [Force] = []
    var handle: SpringBank.Handle?
    var isSilent = false
  }

  private let target: TargetName
  private let handle: ExecutorHandle
  private unowned let runtime: Runtime
  private var bodies: [PropertyTable.Slot: Body] = [:]

  init(target: TargetName, handle: ExecutorHandle, runtime: Runtime) {
    self.target = target
    self.handle = handle
    self.runtime = runtime
  }

  // MARK: Plans

  func add(_ planned: PlannedIntention) throws {
    try add(planned, as: nil)
  }

  func add(_ planned: PlannedIntention, named name: IntentionName) throws {
    try add(planned, as: name)
  }

  private func add(_ planned: PlannedIntention, as name: IntentionName?) throws {
    let law = try ForceLaw(planned.intention)
    guard let slot = runtime.properties.slot(of: PropertyReference(target, law.property)) else { return }
    var body = bodies[slot] ?? Body()
    if law.isOneShot, let index = body.forces.firstIndex(where: { $0.law.isOneShot }) {
      let replaced = body.forces.remove(at: index).identity
      bodies[slot] = body
      runtime.finish(replaced, .displaced, of: handle)
    }
    body.forces.append(Force(identity: planned.identity, name: name, law: law))
    bodies[slot] = body
    push(slot, kick: law.initialVelocity)
  }

  func remove(_ identity: IntentionIdentity) {
    removeForces { $0.identity == identity }
  }

  func remove(named name: IntentionName) {
    removeForces { $0.name == name }
  }

  private func removeForces(where isGone: (Force) -> Bool) {
    for slot in bodies.keys.sorted() {
      guard bodies[slot]?.forces.contains(where: isGone) == true else { continue }
      bodies[slot]?.forces.removeAll(where: isGone)
      push(slot, kick: nil)
    }
  }

  // MARK: Drivers

  func displaced(_ property: PropertyName) {
    guard let slot = runtime.properties.slot(of: PropertyReference(target, property)) else { return }
    leaveBank(slot)
    bodies[slot]?.isSilent = true
  }

  func resumed(_ property: PropertyName, from state: PropertyState, at time: Double) {
    guard let slot = runtime.properties.slot(of: PropertyReference(target, property)) else { return }
    leaveBank(slot)
    bodies[slot]?.isSilent = false
    push(slot, kick: nil)
  }

  /// The property has come to rest: a spring that goes somewhere once has arrived.
  func arrived(at slot: PropertyTable.Slot) {
    guard let force = bodies[slot]?.forces.first(where: { $0.law.isOneShot }) else { return }
    bodies[slot]?.forces.removeAll { $0.identity == force.identity }
    push(slot, kick: nil)
    runtime.finish(force.identity, .completed, of: handle)
  }

  /// Takes every property out of the bank, because the executor goes.
  func letGo() {
    for slot in bodies.keys.sorted() { leaveBank(slot) }
    bodies = [:]
  }

  // MARK: The bank

  /// Tells the bank the sum of the forces, from the property's present state.
  private func push(_ slot: PropertyTable.Slot, kick: Lanes?) {
    guard let body = bodies[slot] else { return }
    guard !body.forces.isEmpty else {
      leaveBank(slot)
      bodies[slot] = nil
      return
    }
    guard !body.isSilent else { return }
    if let kick { runtime.properties.set(slot, value: runtime.properties[slot].value, velocity: kick.storage) }
    let sum = body.forces.reduce(into: ForceSum()) { $1.law.act(on: &$0) }
    let threshold =
      body.forces.compactMap(\.law.threshold).min()
      ?? KnownProperty.named(
        runtime.properties[slot].reference.property
      ).threshold
    let entry = runtime.properties[slot]
    if let handle = body.handle {
      runtime.bank.setForces(sum, for: handle, threshold: threshold)
      if kick != nil { runtime.bank.setState(value: entry.value, velocity: entry.velocity, for: handle) }
    } else {
      bodies[slot]?.handle = runtime.bank.insert(
        lanes: max(entry.lanes, 1), forces: sum, value: entry.value, velocity: entry.velocity, threshold: threshold,
        tag: UInt32(slot))
    }
    runtime.properties[slot].motion = nil
  }

  private func leaveBank(_ slot: PropertyTable.Slot) {
    guard let handle = bodies[slot]?.handle else { return }
    runtime.bank.remove(handle)
    bodies[slot]?.handle = nil
  }
}
