import MotionModel
import MotionPhysics

/// Fulfils springs, friction and constant forces on the properties of one target, in this process.
///
/// All forces on a property add up to one exact linear step, which the runtime's bank takes for it. The executor keeps
/// the plans and tells the bank what has changed once the runtime has settled who moves the property, however many plans
/// came and went; it is not called in a frame unless a property comes to rest.
final class PhysicsExecutor: NamedExecutor, YieldingExecutor, ReadingExecutor {
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
    /// The sum of the forces; `nil` when it has to be taken anew.
    var sum: ForceSum? = ForceSum()
    var handle: SpringBank.Handle?
    /// Whether the bank has to hear of other forces, or of another velocity.
    var isChanged = false
    var isKicked = false
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
    var law = try ForceLaw(planned.intention)
    guard let slot = runtime.properties.slot(of: PropertyReference(target, law.property)) else { return }
    if let leader = law.follows { law.moveAnchor(to: try anchor(of: leader, for: slot)) }
    let known = bodies.firstIndex { $0.slot == slot }
    let replaced = law.isOneShot ? known.flatMap { bodies[$0].forces.firstIndex(where: \.law.isOneShot) } : nil
    let sum = self.sum(adding: law, to: known, without: replaced)
    guard isUsable(sum, on: slot) else { throw OutOfBounds() }

    let index = known ?? bodies.endIndex
    if known == nil { bodies.append(Body(slot: slot)) }
    let displaced = replaced.map { bodies[index].forces.remove(at: $0).identity }
    bodies[index].forces.append(Force(identity: planned.identity, name: name, law: law))
    (bodies[index].sum, bodies[index].isChanged) = (sum, true)
    if let velocity = law.initialVelocity { kick(index, velocity) }
    if let displaced { runtime.finish(displaced, .displaced, of: handle) }
  }

  /// Where a spring pulls to that is tied to another property; where its own is, as long as that one does not exist.
  private func anchor(of leader: PropertyReference, for slot: PropertyTable.Slot) throws -> SIMD4<Double> {
    let (follower, lanes) = (runtime.properties[slot].reference, runtime.properties.lanes(at: slot))
    guard leader != follower else { throw CannotFollow("\(leader) cannot follow itself") }
    guard let state = runtime.state(of: leader) else { return runtime.properties.value(at: slot) }
    guard state.value.count == lanes else {
      throw CannotFollow("\(leader) has \(state.value.count) lanes and \(follower) has \(lanes)")
    }
    return state.value.storage
  }

  /// The anchors go where the property is that they are tied to; without it, or if it has come to have other lanes, they
  /// stay.
  func noticed(_ leader: PropertyReference, _ state: PropertyState?) {
    guard let state else { return }
    for index in bodies.indices where runtime.properties.lanes(at: bodies[index].slot) == state.value.count {
      var isTied = false
      for force in bodies[index].forces.indices where bodies[index].forces[force].law.follows == leader {
        bodies[index].forces[force].law.moveAnchor(to: state.value.storage)
        isTied = true
      }
      guard isTied else { continue }
      (bodies[index].sum, bodies[index].isChanged) = (nil, true)
      if bodies[index].handle != nil { push(index) }
    }
  }

  /// Sets the velocity with which a plan begins, if this executor drives.
  private func kick(_ index: Int, _ velocity: Lanes) {
    let slot = bodies[index].slot
    guard runtime.properties[slot].stack.driver == handle else { return }
    runtime.properties.set(slot, value: runtime.properties.value(at: slot), velocity: velocity.storage)
    bodies[index].isKicked = true
  }

  func remove(_ identity: IntentionIdentity) {
    removeForce { $0.identity == identity }
  }

  func remove(named name: IntentionName) {
    removeForce { $0.name == name }
  }

  private func removeForce(where isGone: (Force) -> Bool) {
    for index in bodies.indices {
      guard let gone = bodies[index].forces.firstIndex(where: isGone) else { continue }
      bodies[index].forces.remove(at: gone)
      (bodies[index].sum, bodies[index].isChanged) = (nil, true)
      guard bodies[index].forces.isEmpty else { return }
      leaveBank(index)
      bodies.remove(at: index)
      return
    }
  }

  /// The sum of the forces on a body, taken in the order of their addition, so that it can be repeated to the bit.
  private func sum(adding law: ForceLaw? = nil, to index: Int?, without replaced: Int? = nil) -> ForceSum {
    var sum = ForceSum()
    if let index, replaced == nil, let known = bodies[index].sum {
      sum = known
    } else if let index {
      for position in bodies[index].forces.indices where position != replaced {
        bodies[index].forces[position].law.act(on: &sum)
      }
    }
    law?.act(on: &sum)
    return sum
  }

  // MARK: Drivers

  func displaced(_ property: PropertyName) {
    guard let index = index(of: property) else { return }
    leaveBank(index)
  }

  func resumed(_ property: PropertyName, from state: PropertyState, at time: Double) {
    guard let index = index(of: property) else { return }
    leaveBank(index)
    push(index)
  }

  private func index(of property: PropertyName) -> Int? {
    let slot = runtime.properties.slot(of: PropertyReference(target, property))
    return bodies.firstIndex { $0.slot == slot }
  }

  // MARK: What comes of it

  /// The runtime has settled that this executor moves the property.
  func settled(_ slot: PropertyTable.Slot) {
    guard let index = bodies.firstIndex(where: { $0.slot == slot }), bodies[index].isChanged else { return }
    push(index)
  }

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

  /// Tells the bank the sum of the forces on a property that this executor moves, from where it is.
  private func push(_ index: Int) {
    let slot = bodies[index].slot
    let sum = self.sum(to: index)
    guard isUsable(sum, on: slot) else { return overflowed(slot) }
    let (value, velocity) = (runtime.properties.value(at: slot), runtime.properties.velocity(at: slot))
    if let handle = bodies[index].handle {
      runtime.bank.setForces(sum, for: handle, threshold: threshold(of: bodies[index]))
      if bodies[index].isKicked { runtime.bank.setState(value: value, velocity: velocity, for: handle) }
    } else {
      bodies[index].handle = runtime.bank.insert(
        lanes: runtime.properties.lanes(at: slot), forces: sum, value: value, velocity: velocity,
        threshold: threshold(of: bodies[index]), tag: UInt32(slot))
    }
    bodies[index].sum = sum
    (bodies[index].isChanged, bodies[index].isKicked) = (false, false)
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
    let way = runtime.properties.value(at: slot) - place
    return sum.stiffness.isFinite && sum.damping.isFinite && all((place - place) .== 0) && all((way - way) .== 0)
  }
}

/// A property cannot be tied to another.
private struct CannotFollow: Error, CustomStringConvertible {
  let description: String

  init(_ reason: String) { description = reason }
}

/// Numbers are not enough for a motion.
private struct OutOfBounds: Error, CustomStringConvertible {
  var description: String { "the movement leaves the range of numbers" }
}
