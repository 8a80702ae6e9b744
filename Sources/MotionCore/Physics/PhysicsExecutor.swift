import MotionModel
import MotionPhysics

/// Fulfils springs, friction and constant forces on the properties of one target, in this process.
///
/// All forces on a property add up to one exact linear step, which the runtime's bank computes; of forces with different
/// priorities only the highest act, which are those that were added last. The executor keeps the plans. It passes the changed sum to the bank once the runtime has settled who moves the property, however many plans
/// were added and removed. It is not called in a frame unless a property comes to rest.
final class PhysicsExecutor {
  /// One plan as a force; its action is kept beside it.
  struct Force {
    var identity: IntentionIdentity
    let isOneShot: Bool
    let priority: Int8
    /// The threshold of arrival; 0 leaves it to other forces and the property.
    let threshold: Double
    /// The property that the anchor is tied to, of the few that are.
    let leader: Leader?

    /// A separate object, because few forces have one.
    final class Leader {
      let reference: PropertyReference

      init(_ reference: PropertyReference) { self.reference = reference }
    }

    init(_ identity: IntentionIdentity, _ law: ForceLaw) {
      self.identity = identity
      isOneShot = law.isOneShot
      priority = law.priority
      threshold = law.threshold ?? 0
      leader = law.follows.map(Leader.init)
    }
  }

  /// The forces on one property, and its place in the bank while this executor moves it.
  ///
  /// An object, so that reading it copies nothing.
  final class Body {
    let slot: PropertyTable.Slot
    private(set) var forces = SmallList<Force>()
    /// The actions of the forces, in the same order. They hold no references, so that adding up hundreds of them counts
    /// none.
    private(set) var actions = SmallList<ForceLaw.Action>()
    var handle: SpringBank.Handle?
    /// Whether the bank needs another sum of forces, or another velocity.
    var isChanged = false
    var isKicked = false
    /// The sum of the forces, where there are several and the sum is up to date.
    var sum: Sum?

    /// A separate object, because most properties have one force.
    final class Sum {
      let forces: ForceSum

      init(_ forces: ForceSum) { self.forces = forces }
    }

    init(_ slot: PropertyTable.Slot) { self.slot = slot }

    func keep(_ forces: ForceSum) { sum = self.forces.count > 1 ? Sum(forces) : nil }

    func append(_ identity: IntentionIdentity, _ law: ForceLaw) {
      forces.append(Force(identity, law))
      actions.append(law.action)
    }

    /// - Returns: the identity of the plan.
    @discardableResult
    func removeForce(at index: Int) -> IntentionIdentity {
      actions.remove(at: index)
      return forces.remove(at: index).identity
    }

    /// The index of the first force that acts: those before it have lower priorities.
    func firstActing(beside priority: Int8? = nil) -> Int {
      guard let highest = priority ?? forces.last?.priority else { return 0 }
      return forces.firstIndex { $0.priority >= highest } ?? forces.count
    }

    /// - Returns: whether it was somewhere else.
    func moveAnchor(of force: Int, to place: SIMD4<Double>) -> Bool { actions[force].moveAnchor(to: place) }

    /// Gives the plans of a staged transaction its sequence.
    func number(sequence: UInt64) {
      for force in forces.indices { forces[force].identity.sequence = sequence }
    }
  }

  private var handle: ExecutorHandle
  // The runtime owns this executor and the movement, and is the executor's only caller.
  unowned(unsafe) let movement: Movement
  var bodies = SmallList<Body>()

  init(handle: ExecutorHandle, in movement: Movement) {
    self.handle = handle
    self.movement = movement
  }

  // MARK: Plans

  /// Takes over a plan that writes one property.
  ///
  /// - Parameters:
  ///   - plan: the plan as a force.
  ///   - leader: the state of the property that it follows, if it follows one that exists.
  ///   - isNew: whether its time begins with that.
  /// - Returns: the plan that it displaces.
  func add(
    _ plan: ForceLaw, as identity: IntentionIdentity, on slot: PropertyTable.Slot, following leader: PropertyState?,
    isNew: Bool
  ) throws -> IntentionIdentity? {
    var law = plan
    if let reference = law.follows {
      law.action.moveAnchor(to: try anchor(of: reference, leader, for: slot, isNew: isNew))
    }
    let known = body(of: slot)
    let replaced = known?.forces.firstIndex { $0.isOneShot && (law.isOneShot || $0.priority < law.priority) }
    let sum = self.sum(adding: law, to: known, without: replaced)
    guard isUsable(sum) else { throw OutOfBounds() }

    let body = known ?? Body(slot)
    if known == nil { bodies.append(body) }
    let displaced = replaced.map { body.removeForce(at: $0) }
    body.append(identity, law)
    body.keep(sum)
    body.isChanged = true
    if let velocity = law.initialVelocity { kick(body, velocity) }
    return displaced
  }

  private func body(of slot: PropertyTable.Slot) -> Body? { bodies.first { $0.slot == slot } }

  /// The anchor of a spring that follows another property: that property's value. Without that property, or if it has
  /// got other lanes since the spring began, the anchor is the value of the spring's own property.
  private func anchor(
    of leader: PropertyReference, _ state: PropertyState?, for slot: PropertyTable.Slot, isNew: Bool
  ) throws -> SIMD4<Double> {
    let (follower, lanes) = (movement.properties[slot].reference, movement.properties.lanes(at: slot))
    guard leader != follower else { throw CannotFollow("\(leader) cannot follow itself") }
    guard let state else { return movement.properties.value(at: slot) }
    guard state.value.count == lanes else {
      guard isNew else { return movement.properties.value(at: slot) }
      throw CannotFollow("\(leader) has \(state.value.count) lanes and \(follower) has \(lanes)")
    }
    return state.value.storage
  }

  /// Moves the anchors that are tied to a property to its value. If the property is gone or has got other lanes, the
  /// anchors stay. A property at a bound counts as changed as long as the motion behind it moves: its value is what matters.
  /// The forces change once all leaders are known (``endNotices(_:)``): in what order they were told must not show in the
  /// last bit.
  func noticed(_ leader: PropertyReference, _ state: PropertyState?) {
    guard let state else { return }
    for body in bodies where movement.properties.lanes(at: body.slot) == state.value.count {
      var hasMoved = false
      for force in body.forces.indices where body.forces[force].leader?.reference == leader {
        if body.moveAnchor(of: force, to: state.value.storage) { hasMoved = true }
      }
      guard hasMoved else { continue }
      (body.sum, body.isChanged) = (nil, true)
    }
  }

  /// Passes the forces of moved anchors to the bank.
  func endNotices(_ fail: (IntentionIdentity) -> Void) {
    for body in Array(bodies) where body.isChanged && body.handle != nil { push(body, fail) }
  }

  /// Sets the velocity with which a plan begins, if this executor drives.
  ///
  /// The executor does not drive only while a manipulation holds the property. A one-shot is not handed over then, and
  /// begins with its own velocity when the manipulation ends. A standing plan has begun already and continues with the
  /// velocity that the manipulation leaves, which is the newer one.
  private func kick(_ body: Body, _ velocity: Lanes) {
    guard movement.properties[body.slot].stack.driver == handle else { return }
    movement.properties.set(
      body.slot, value: movement.properties.value(at: body.slot), velocity: velocity.storage)
    body.isKicked = true
  }

  /// Stops fulfilling a plan.
  func remove(_ identity: IntentionIdentity) {
    for body in bodies {
      if let force = body.forces.firstIndex(where: { $0.identity == identity }) { return removeForce(force, of: body) }
    }
  }

  private func removeForce(_ force: Int, of body: Body) {
    body.removeForce(at: force)
    (body.sum, body.isChanged) = (nil, true)
    guard body.forces.isEmpty else { return }
    leaveBank(body)
    bodies.removeAll { $0 === body }
  }

  /// The sum of the forces on a body, taken in the order of their addition, so that it can be repeated to the bit.
  func sum(adding law: ForceLaw? = nil, to body: Body?, without replaced: Int? = nil) -> ForceSum {
    var sum = ForceSum()
    if let body {
      let first = body.firstActing(beside: law?.priority)
      if replaced == nil, let known = body.sum, first == body.firstActing() {
        sum = known.forces
      } else {
        var position = 0
        body.actions.visit { action in
          if position != replaced, position >= first { action.act(on: &sum) }
          position += 1
        }
      }
    }
    law?.action.act(on: &sum)
    return sum
  }

  /// Continues a motion from the state that it had in another process, ahead of its property or beyond its bound.
  func restore(_ slot: PropertyTable.Slot, _ motion: RuntimeCheckpoint.Governed.Motion) {
    guard let handle = body(of: slot)?.handle else { return }
    movement.bank.setState(
      .init(
        value: motion.state.value.storage, velocity: motion.state.velocity.storage,
        distance: motion.distance.storage), for: handle)
  }

  /// Continues a motion that came to rest beyond a bound: its property stands there.
  func restoreRest(_ slot: PropertyTable.Slot) {
    guard let body = body(of: slot), let handle = body.handle, let equilibrium = sum(to: body).equilibrium else {
      return
    }
    guard movement.properties.value(at: slot) == movement.properties.place(of: equilibrium, inRangeOf: slot),
      movement.properties.velocity(at: slot) == .zero
    else { return }
    movement.bank.setState(value: equilibrium, velocity: .zero, for: handle)
  }

  /// Lets the next step pass the state of a motion at rest to its property, whose range has changed.
  func repeatRest(_ slot: PropertyTable.Slot) {
    guard let handle = body(of: slot)?.handle, !movement.bank.isMoving(handle) else { return }
    movement.bank.setState(value: movement.bank.value(of: handle), velocity: .zero, for: handle)
  }

  /// The acceleration that the forces which have moved a property cause where it is; `nil` if none have.
  func acceleration(at slot: PropertyTable.Slot) -> SIMD4<Double>? {
    guard let handle = body(of: slot)?.handle else { return nil }
    let (_, value, velocity) = movement.place(of: slot)
    return movement.bank.acceleration(of: handle, value: value, velocity: velocity)
  }

  // MARK: Drivers

  /// Another writer drives a property now.
  func displaced(_ property: PropertyName) {
    if let body = body(of: property) { leaveBank(body) }
  }

  /// This executor drives a property again, from its present state.
  func resumed(_ property: PropertyName, _ fail: (IntentionIdentity) -> Void) {
    guard let body = body(of: property) else { return }
    leaveBank(body)
    push(body, fail)
  }

  private func body(of property: PropertyName) -> Body? {
    bodies.first { movement.properties[$0.slot].reference.property == property }
  }

  // MARK: Results

  /// Passes changed forces to the bank: the runtime has settled that this executor moves the property.
  func settled(_ slot: PropertyTable.Slot, _ fail: (IntentionIdentity) -> Void) {
    if let body = body(of: slot), body.isChanged { push(body, fail) }
  }

  /// Whether forces move a property, or what it follows under limits.
  func isMoving(_ slot: PropertyTable.Slot) -> Bool { body(of: slot)?.handle.map(movement.bank.isMoving) ?? false }

  /// Handles a property that has come to rest: its one-shot spring has arrived. Where limits hold the property back, the
  /// spring stays until it is removed: other forces would lead the property elsewhere.
  ///
  /// - Returns: the plan that is completed.
  func arrived(at slot: PropertyTable.Slot, _ motion: SpringBank.Handle) -> IntentionIdentity? {
    guard let body = body(of: slot), body.handle == motion,
      let force = body.forces.firstIndex(where: \.isOneShot)
    else { return nil }
    let identity = body.forces[force].identity
    if !movement.properties.governors.isLagging(slot) { removeForce(force, of: body) }
    return identity
  }

  /// Fails all forces on a property whose value has left the range of numbers; the property stands.
  func overflowed(_ slot: PropertyTable.Slot, _ fail: (IntentionIdentity) -> Void) {
    guard let body = body(of: slot) else { return }
    leaveBank(body)
    bodies.removeAll { $0 === body }
    for force in body.forces { fail(force.identity) }
  }

  /// Takes every property out of the bank, because the executor is removed.
  func letGo() {
    for body in bodies { leaveBank(body) }
    bodies = SmallList()
  }

  // MARK: The bank

  /// Passes the sum of the forces on a property that this executor moves to the bank, from the property's present
  /// state.
  private func push(_ body: Body, _ fail: (IntentionIdentity) -> Void) {
    let slot = body.slot
    let sum = self.sum(to: body)
    var (lanes, value, velocity) = movement.place(of: slot)
    // Under limits, an initial velocity is a demand.
    if body.isKicked { velocity = movement.properties.demand(at: slot).velocity.storage }
    guard isUsable(sum) else { return overflowed(slot, fail) }
    if let handle = body.handle {
      movement.bank.setForces(sum, for: handle, threshold: threshold(of: body))
      // The bank's value may be beyond a bound of the range, or ahead of a property that limits hold back.
      if body.isKicked || movement.properties.isHeldBack(slot) {
        movement.bank.setState(value: value, velocity: velocity, for: handle)
        movement.properties.governors.endFade(slot)
      }
    } else {
      movement.properties.governors.endFade(slot)
      body.handle = movement.bank.insert(
        lanes: lanes, forces: sum, value: value, velocity: velocity,
        threshold: threshold(of: body), tag: UInt32(slot))
    }
    body.keep(sum)
    (body.isChanged, body.isKicked) = (false, false)
  }

  private func leaveBank(_ body: Body) {
    guard let handle = body.handle else { return }
    movement.bank.remove(handle)
    body.handle = nil
  }

  /// Behind a leader that moves slowly, a motion would come to rest in each frame, with a velocity of 0.
  private static let finenessOfFollowers = 1e-3

  /// The finest threshold of the forces, or the property's if no force has one; a finer one of a property that follows.
  func threshold(of body: Body) -> Double {
    // A loop, because an array would be allocated for each change of each property.
    var finest = Double.infinity
    let highest = body.forces.last?.priority ?? 0
    for force in body.forces where force.threshold > 0 && force.priority >= highest {
      finest = min(finest, force.threshold)
    }
    if finest == .infinity { finest = KnownProperty.named(movement.properties[body.slot].reference.property).threshold }
    return body.forces.contains { $0.leader != nil } ? finest * Self.finenessOfFollowers : finest
  }

  // MARK: Staging

  /// Takes over the first plan of a property that is still invisible, and reserves an entry in the bank, which moves
  /// from ``SpringBank/begin(_:value:velocity:in:)`` on.
  ///
  /// - Returns: the entry; `nil` if only the frame that applies the plan can determine its result.
  func stage(
    _ law: ForceLaw, as identity: IntentionIdentity, on slot: PropertyTable.Slot, of property: PropertyName
  ) -> SpringBank.Handle? {
    var sum = ForceSum()
    law.action.act(on: &sum)
    let (lanes, _, _) = movement.place(of: slot)
    guard law.follows == nil, isUsable(sum) else { return nil }
    let threshold = law.threshold ?? 0
    let motion = movement.bank.reserve(
      lanes: lanes, forces: sum, threshold: threshold > 0 ? threshold : KnownProperty.named(property).threshold,
      tag: UInt32(slot))
    let body = Body(slot)
    body.append(identity, law)
    body.handle = motion
    bodies.append(body)
    return motion
  }

  /// Renumbers a staged executor whose numbers have been given to others meanwhile.
  func number(_ handle: ExecutorHandle, sequence: UInt64) {
    self.handle = handle
    for body in bodies { body.number(sequence: sequence) }
  }

  /// Whether these forces can move a property. Each may be within ``Limits/magnitude``, and still the equilibrium, or
  /// the remaining acceleration, beyond ``Limits/valueMagnitude``.
  func isUsable(_ sum: ForceSum) -> Bool {
    sum.stiffness.isFinite && sum.damping.isFinite && (sum.equilibrium ?? sum.drive).isWithin(Limits.valueMagnitude)
  }
}

/// The error for a property that cannot follow another.
private struct CannotFollow: Error, CustomStringConvertible {
  let description: String

  init(_ reason: String) { description = reason }
}

/// The error for a movement that leads beyond the range of a property.
struct OutOfBounds: Error, CustomStringConvertible {
  var description: String { "the movement leaves the range of numbers (±1e120)" }
}
