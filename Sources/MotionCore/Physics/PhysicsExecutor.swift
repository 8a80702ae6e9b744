import MotionModel
import MotionPhysics

/// Fulfils springs, friction and constant forces on the properties of one target, in this process.
///
/// All forces on a property add up to one exact linear step, which the runtime's bank takes for it. The executor keeps
/// the plans and tells the bank what has changed; it is not called in a frame unless a property comes to rest.
final class PhysicsExecutor: NamedExecutor, YieldingExecutor {
  /// One plan as a force.
  private struct Force {
    var identity: IntentionIdentity
    var name: IntentionName?
    var law: ForceLaw
  }

  /// The forces on one property, their sum, and its place in the bank while this executor moves it.
  private struct Body {
    var slot: PropertyTable.Slot
    var forces: [Force] = []
    var sum = ForceSum()
    var handle: SpringBank.Handle?
  }

  private let target: TargetName
  private let handle: ExecutorHandle
  private unowned let runtime: Runtime
  private var bodies: [Body] = []

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
    var body = bodies.first { $0.slot == slot } ?? Body(slot: slot)
    let replaced = law.isOneShot ? body.forces.firstIndex { $0.law.isOneShot } : nil
    let displaced = replaced.map { body.forces.remove(at: $0).identity }
    body.forces.append(Force(identity: planned.identity, name: name, law: law))
    if displaced == nil { law.act(on: &body.sum) } else { body.sum = Self.sum(of: body.forces) }
    guard isUsable(body.sum, on: slot) else { throw OutOfBounds() }
    let index = bodies.firstIndex { $0.slot == slot } ?? bodies.endIndex
    if index < bodies.endIndex { bodies[index] = body } else { bodies.append(body) }
    push(index, kick: law.initialVelocity)
    if let displaced { runtime.finish(displaced, .displaced, of: handle) }
  }

  func remove(_ identity: IntentionIdentity) {
    removeForce { $0.identity == identity }
  }

  func remove(named name: IntentionName) {
    removeForce { $0.name == name }
  }

  private func removeForce(where isGone: (Force) -> Bool) {
    guard let index = bodies.firstIndex(where: { $0.forces.contains(where: isGone) }) else { return }
    bodies[index].forces.removeAll(where: isGone)
    bodies[index].sum = Self.sum(of: bodies[index].forces)
    push(index, kick: nil)
  }

  private static func sum(of forces: [Force]) -> ForceSum {
    forces.reduce(into: ForceSum()) { $1.law.act(on: &$0) }
  }

  // MARK: Drivers

  func displaced(_ property: PropertyName) {
    guard let index = index(of: property) else { return }
    leaveBank(index)
  }

  func resumed(_ property: PropertyName, from state: PropertyState, at time: Double) {
    guard let index = index(of: property) else { return }
    leaveBank(index)
    push(index, kick: nil)
  }

  private func index(of property: PropertyName) -> Int? {
    let slot = runtime.properties.slot(of: PropertyReference(target, property))
    return bodies.firstIndex { $0.slot == slot }
  }

  // MARK: What comes of it

  /// The property has come to rest: a spring that goes somewhere once has arrived.
  func arrived(at slot: PropertyTable.Slot) {
    guard let index = bodies.firstIndex(where: { $0.slot == slot }),
      let force = bodies[index].forces.first(where: { $0.law.isOneShot })
    else { return }
    remove(force.identity)
    runtime.finish(force.identity, .completed, of: handle)
  }

  /// The property has run out of the numbers that there are: no force on it can be fulfilled, and it stands.
  func overflowed(_ slot: PropertyTable.Slot) {
    guard let index = bodies.firstIndex(where: { $0.slot == slot }) else { return }
    leaveBank(index)
    for force in bodies.remove(at: index).forces {
      runtime.fail(force.identity, reason: OutOfBounds().description, of: handle)
    }
  }

  /// Takes every property out of the bank, because the executor goes.
  func letGo() {
    for index in bodies.indices { leaveBank(index) }
    bodies = []
  }

  // MARK: The bank

  /// Tells the bank the sum of the forces, from the property's present state, if this executor moves the property.
  private func push(_ index: Int, kick: Lanes?) {
    let (slot, sum) = (bodies[index].slot, bodies[index].sum)
    guard !bodies[index].forces.isEmpty else {
      leaveBank(index)
      bodies.remove(at: index)
      return
    }
    guard isUsable(sum, on: slot) else { return overflowed(slot) }
    let isDriver = runtime.properties[slot].stack.driver == handle
    guard isDriver || runtime.properties[slot].actor == handle else { return leaveBank(index) }
    let value = runtime.properties[slot].value
    if let kick, isDriver { runtime.properties.set(slot, value: value, velocity: kick.storage) }
    let velocity = runtime.properties[slot].velocity
    if let handle = bodies[index].handle {
      runtime.bank.setForces(sum, for: handle, threshold: threshold(of: bodies[index]))
      if kick != nil { runtime.bank.setState(value: value, velocity: velocity, for: handle) }
    } else {
      bodies[index].handle = runtime.bank.insert(
        lanes: runtime.properties[slot].lanes, forces: sum, value: value, velocity: velocity,
        threshold: threshold(of: bodies[index]), tag: UInt32(slot))
    }
  }

  private func leaveBank(_ index: Int) {
    guard let handle = bodies[index].handle else { return }
    runtime.bank.remove(handle)
    bodies[index].handle = nil
  }

  /// The finest threshold that a force asks for, or the property's.
  private func threshold(of body: Body) -> Double {
    body.forces.compactMap(\.law.threshold).min()
      ?? KnownProperty.named(runtime.properties[body.slot].reference.property).threshold
  }

  /// Whether numbers are enough for these forces: each may be fine and their sum, or the way to their rest, endless.
  private func isUsable(_ sum: ForceSum, on slot: PropertyTable.Slot) -> Bool {
    let place = sum.equilibrium ?? sum.drive
    let way = runtime.properties[slot].value - place
    return sum.stiffness.isFinite && sum.damping.isFinite && all((place - place) .== 0) && all((way - way) .== 0)
  }
}

/// Numbers are not enough for a motion.
private struct OutOfBounds: Error, CustomStringConvertible {
  var description: String { "the movement leaves the range of numbers" }
}
