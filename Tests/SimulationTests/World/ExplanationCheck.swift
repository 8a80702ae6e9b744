import MotionModel

@testable import MotionCore

/// Checks after each frame that the explanations of a part of the properties fit what the runtime has, and so of all of them
/// within some frames: an explanation takes as long as a frame.
enum ExplanationCheck {
  /// How many frames it takes.
  private static let parts = 4

  /// The violations.
  static func problems(of runtime: Runtime) -> [String] {
    var problems: [String] = []
    for slot in runtime.movement.properties.occupied
    where slot % parts == Int(runtime.frame.number % UInt64(parts)) {
      let reference = runtime.movement.properties[slot].reference
      guard case .why(let why)? = try? runtime.answer(.why(reference)) else {
        problems.append("\(reference) has no explanation")
        continue
      }
      if let problem = problem(of: why, in: runtime) { problems.append("the explanation of \(reference): \(problem)") }
    }
    return problems
  }

  private static func problem(of why: Explanation, in runtime: Runtime) -> String? {
    let rows = [why.plan].compactMap(\.self) + why.together + why.waiting
    let identities = rows.map(\.identity)
    if Set(identities).count < identities.count { return "a plan is in it twice: \(identities)" }
    if let gone = identities.first(where: { runtime.plans.intentions[$0] == nil }) { return "\(gone) has ended" }
    if (why.plan == nil) != (why.property.driver == nil) {
      return "the plan \(why.plan?.identity.description ?? "-") of the driver \(why.property.driver?.text ?? "-")"
    }
    if let plan = why.plan, !why.property.because.contains(plan.identity) { return "\(plan.identity) does not drive" }
    // What happens between two frames, or after idleness, is of the present, which may be later than the last frame.
    let latest = max(why.time, runtime.position.moment.time)
    for time in [why.since, why.former?.time].compactMap(\.self) where time > latest { return "\(time) is to come" }
    if let fading = why.fading, !(fading >= 0 && fading.isFinite) { return "a difference fades for \(fading) s" }
    if why.property.demand == nil, !why.restraints.isEmpty { return "limits without a demand: \(why.restraints)" }
    return nil
  }
}
