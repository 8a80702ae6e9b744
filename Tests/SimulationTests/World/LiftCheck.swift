import MotionModel
import MotionPhysics

@testable import MotionCore

/// Checks after each frame that limits which are lifted while they hold a property back leave no jump.
///
/// The difference between property and demand has to fade by the cubic of a hand-over. Otherwise the driver, or another
/// one, has to begin where the property is. Hands and workers are left out: their demands may jump, or be late.
struct LiftCheck {
  /// A property after a frame.
  private struct State {
    let state: Course.State
    let demand: Course.State
    let hasLimits: Bool
    let claims: [IntentionIdentity]
    /// Whether a plan in this process drives it that is no hand.
    let isKnown: Bool
    /// The forces that move it, if nothing else does and they follow no property.
    let forces: ForceSum?
  }

  /// The difference of a property whose limits were lifted.
  private struct Fade {
    var difference: Course.State
    var elapsed = 0.0
  }

  private static let duration = 0.15

  private var states: [PropertyHandle: State] = [:]
  private var fades: [PropertyHandle: Fade] = [:]
  /// The rare paths of the last frame.
  private(set) var paths: [Census.Path] = []

  /// A runtime was started: no difference outlasts that.
  mutating func started(_ runtime: Runtime) { (states, fades, paths) = (Self.states(in: runtime), [:], []) }

  /// The violations of a frame.
  ///
  /// - Parameter follows: whether it follows the frame that was checked last.
  mutating func problems(of runtime: Runtime, follows: Bool) -> [String] {
    let before = states
    (states, paths) = (Self.states(in: runtime), [])
    guard follows else {
      fades = [:]
      return []
    }
    let properties = runtime.movement.properties
    var problems: [String] = []
    for slot in properties.occupied {
      let handle = properties.handle(at: slot)
      guard let last = before[handle], let now = states[handle] else { continue }
      if last.hasLimits, !now.hasLimits {
        fades[handle] = Fade(difference: Self.difference(last.state, last.demand))
      }
      guard var fade = fades[handle] else { continue }
      guard !now.hasLimits, now.isKnown, last.isKnown, !properties.isAtBound(slot) else {
        fades[handle] = nil
        continue
      }
      if !follow(&fade, from: last, to: now, runtime.frame.dt) {
        problems.append(
          "\(properties[slot].reference) jumped from \(last.state) to \(now.state), demanded \(now.demand), "
            + "\(fade.elapsed) s after its limits were lifted with a difference of \(fade.difference)")
      }
      fades[handle] = fade.elapsed < Self.duration ? fade : nil
    }
    return problems
  }

  /// Whether a frame continues a fade, or another movement from where the property was.
  private mutating func follow(_ fade: inout Fade, from last: State, to now: State, _ dt: Double) -> Bool {
    let isFirst = fade.elapsed == 0
    let former = Self.left(of: fade.difference, fade.elapsed)
    // Worth a jump: farther than a spring snaps.
    let isFar = former.farthest > 1
    fade.elapsed += dt
    let difference = Self.difference(now.state, now.demand)
    let precision = 1e-9 * (1 + now.state.farthest + now.demand.farthest + fade.difference.farthest)
    func fits(_ start: Course.State) -> Bool {
      let left = Self.left(of: start, fade.elapsed)
      return (0..<4).allSatisfy { abs(left.value[$0] - difference.value[$0]) <= precision }
    }
    if fits(fade.difference) {
      if isFirst, isFar { paths.append(.liftedInLag) }
      return true
    }
    // The demand at the lift was not known, or that of a former driver: the driver has come evenly to here.
    let evenly = Course.State(
      value: now.demand.value - now.demand.velocity * dt, velocity: now.demand.velocity)
    if isFirst, fits(Self.difference(last.state, evenly)) {
      fade.difference = Self.difference(last.state, evenly)
      if fade.difference.farthest > 1 { paths.append(.liftedInLag) }
      return true
    }
    // Nothing is left of it: the driver begins where the property was.
    fade.elapsed = Self.duration
    guard difference.farthest <= precision else { return false }
    if last.claims != now.claims, isFar { paths.append(.liftedAndInterrupted) }
    if let forces = now.forces, Self.leads(forces, from: last.state, to: now.state, dt) { return true }
    return (0..<4).allSatisfy { lane in
      let way = now.state.value[lane] - last.state.value[lane]
      let (entry, exit) = (last.state.velocity[lane] * dt, now.state.velocity[lane] * dt)
      let leeway = 0.25 * abs(former.value[lane]) + 0.5 * abs(exit - entry) + 0.1 + precision
      return way >= min(entry, exit, 0) - leeway && way <= max(entry, exit, 0) + leeway
    }
  }

  /// Whether forces lead from one state to another in a frame. Stiff ones may be faster within it than at its ends.
  private static func leads(_ forces: ForceSum, from start: Course.State, to end: Course.State, _ dt: Double) -> Bool {
    // Plans of which the last has ended before the next begins leave the property standing.
    [start.velocity, .zero].contains { velocity in
      let bank = SpringBank()
      let motion = bank.insert(
        lanes: 4, forces: forces, value: start.value, velocity: velocity, threshold: 1, tag: 0)
      bank.step(dt: dt)
      // A spring may come to rest at a tenth of its threshold.
      let way = bank.value(of: motion) - end.value
      return max(way.max(), -way.min()) < 0.11 + 1e-9 * end.farthest
    }
  }

  private static func forces(on slot: PropertyTable.Slot, in runtime: Runtime) -> ForceSum? {
    let entry = runtime.movement.properties[slot]
    guard let actor = entry.actor, runtime.plans.executors[actor]?.physics != nil else { return nil }
    var forces = ForceSum()
    for identity in entry.stack.leadingIdentities {
      guard let intention = runtime.plans.intentions[identity]?.intention, let law = try? ForceLaw(intention),
        law.follows == nil
      else { return nil }
      law.action.act(on: &forces)
    }
    return forces
  }

  private static func difference(_ state: Course.State, _ demand: Course.State) -> Course.State {
    Course.State(value: state.value - demand.value, velocity: state.velocity - demand.velocity)
  }

  /// The part of a difference that is left after a time.
  private static func left(of difference: Course.State, _ elapsed: Double) -> Course.State {
    guard elapsed < duration else { return Course.State(value: .zero, velocity: .zero) }
    let share = elapsed / duration
    let rest = (1 - share) * (1 - share)
    return Course.State(
      value: difference.value * ((1 + 2 * share) * rest) + difference.velocity * (elapsed * rest), velocity: .zero)
  }

  private static func states(in runtime: Runtime) -> [PropertyHandle: State] {
    let properties = runtime.movement.properties
    guard !properties.limits.isEmpty || !properties.governors.isEmpty else { return [:] }
    let states = properties.occupied.map { slot in
      let (entry, state, demand) = (properties[slot], properties.state(at: slot), properties.demand(at: slot))
      let limits = properties.limits[entry.reference].map(\.limits)
      let driver = entry.stack.driver.flatMap { runtime.plans.executors[$0] }
      return (
        properties.handle(at: slot),
        State(
          state: Course.State(value: state.value.storage, velocity: state.velocity.storage),
          demand: Course.State(value: demand.value.storage, velocity: demand.velocity.storage),
          hasLimits: limits.map { $0.velocity != nil || $0.acceleration != nil || $0.jerk != nil } ?? false,
          claims: entry.stack.claims.map(\.identity),
          isKnown: driver != nil && driver?.worker == nil && entry.actor == entry.stack.driver
            && properties.motions[slot] == nil && !entry.stack.isHeld,
          forces: forces(on: slot, in: runtime))
      )
    }
    return Dictionary(uniqueKeysWithValues: states)
  }
}
