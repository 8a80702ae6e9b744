import MotionModel

@testable import MotionCore

/// Checks after each frame that a property which an even fade of a worker moves never goes back, once it moved evenly as the
/// fade does: however often the worker is late. When it has passed the end without a sample, it may return there. Limits and
/// bounds may keep a property from its fade.
struct FadeCheck {
  /// A fade that moves a property without a break.
  private struct Lead {
    let identity: IntentionIdentity
    let end: SIMD4<Double>
    /// The signs of the ways to the end; 0 until the property has moved evenly towards it.
    var direction = SIMD4<Double>.zero
    var value: SIMD4<Double>
    var velocity: SIMD4<Double>
    var isLate: Bool
  }

  private var leads: [PropertyHandle: Lead] = [:]
  /// The rare paths of the last frame.
  private(set) var paths: [Census.Path] = []

  /// A runtime was started.
  mutating func started() { (leads, paths) = ([:], []) }

  /// The violations of a frame.
  ///
  /// - Parameter follows: whether it follows the frame that was checked last.
  mutating func problems(of runtime: Runtime, follows: Bool) -> [String] {
    let before = follows ? leads : [:]
    (leads, paths) = ([:], [])
    let properties = runtime.movement.properties
    var problems: [String] = []
    for slot in properties.occupied {
      let (entry, handle) = (properties[slot], properties.handle(at: slot))
      guard let identity = entry.leading, let record = runtime.plans.intentions[identity],
        record.intention.type == "Tween", entry.actor == record.executor, !entry.stack.isHeld,
        properties.limits[entry.reference] == nil, !properties.governors.contains(slot), !properties.isAtBound(slot)
      else { continue }
      let (motion, value) = (properties.motions[slot], properties.value(at: slot))
      let velocity = properties.velocity(at: slot)
      let known = before[handle].flatMap { $0.identity == identity ? $0 : nil }
      guard var lead = known ?? Self.lead(identity, record.intention, at: value, velocity) else { continue }
      let isLate = motion?.isLate ?? false
      if let known, known.direction != .zero {
        let isShortOfEnd = (lead.end - known.value) * known.direction .> 0
        let back = (known.value - value) * known.direction
        let precision = 1e-9 * (1 + (lead.end - known.value) * known.direction)
        if isLate { paths.append(.fadeLate) }
        if known.isLate, !isLate { paths.append(.fadeInTime) }
        if any(isShortOfEnd .& (back .> precision)) {
          problems.append("\(entry.reference) went back from \(known.value) to \(value) on its way to \(lead.end)")
        }
      } else if !isLate, motion?.blend == nil, motion?.newPlan == nil, velocity == lead.velocity {
        let way = (lead.end - value) * velocity
        lead.direction = velocity.replacing(with: 0, where: way .<= 0)
        lead.direction.replace(with: 1, where: lead.direction .> 0)
        lead.direction.replace(with: -1, where: lead.direction .< 0)
      }
      (lead.value, lead.velocity, lead.isLate) = (value, velocity, isLate)
      leads[handle] = lead
    }
    return problems
  }

  /// An even fade to one value; `nil` if the intention is another.
  private static func lead(
    _ identity: IntentionIdentity, _ intention: Intention, at value: SIMD4<Double>, _ velocity: SIMD4<Double>
  ) -> Lead? {
    guard let tween = try? TweenIntention(intention), tween.startsAtPresent, tween.easing == ["linear"],
      tween.repetition == .times(1)
    else { return nil }
    return Lead(identity: identity, end: tween.values[0].storage, value: value, velocity: velocity, isLate: false)
  }
}
