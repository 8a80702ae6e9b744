import MotionModel

@testable import MotionCoordinator
@testable import MotionCore

/// Checks after each frame who drives: of the plans that want a property, one of the highest priority does; a plan that
/// has not begun is kept from it by another; a one-shot that may not drive has ended.
///
/// It computes what plans want from the plans and tokens, not from the stacks of writers.
enum DriverCheck {
  /// A plan that writes a property, and whether it wants the property: it has begun and, as a manipulation, is active.
  private struct Wish {
    let plan: IntentionRecord
    let wants: Bool
    var priority: Int32 { plan.intention.priority }
  }

  /// The violations now.
  ///
  /// - Parameter granted: the highest priority that clients may state.
  static func problems(in runtime: Runtime, granted: Int32) -> [String] {
    var wishes: [PropertyTable.Slot: [Wish]] = [:]
    var problems: [String] = []
    for (identity, plan) in runtime.plans.intentions {
      if plan.intention.priority > granted {
        problems.append("\(identity) has the priority \(plan.intention.priority), and \(granted) is granted")
      }
      if Self.repeatsForEver(plan.intention), plan.kind == .oneShot {
        problems.append("\(identity) repeats for ever, and would end below a one-shot")
      }
      if DMXPatchSelectors(plan.intention) != nil {
        problems.append("\(identity) has patterns in its patch, and no names")
      }
      for slot in plan.slots { wishes[slot, default: []].append(wish(of: plan, for: slot, in: runtime)) }
    }
    for (slot, wishes) in wishes { problems += self.problems(of: slot, wishes, in: runtime) }
    for (identity, plan) in runtime.plans.intentions where plan.state == .waiting {
      if let begins = plan.begins {
        if begins <= runtime.frame.time { problems.append("\(identity) waits for \(begins), which has come") }
        if begins > runtime.frame.time + plan.intention.after {
          problems.append("\(identity) waits for \(begins), longer than \(plan.intention.after) s")
        }
        continue
      }
      let isKept = plan.slots.contains { slot in wishes[slot]?.contains { keeps($0, plan) } ?? false }
      if !isKept { problems.append("\(identity) waits, and nothing keeps it from its properties") }
    }
    return problems.sorted()
  }

  private static func repeatsForEver(_ intention: Intention) -> Bool {
    guard case .choice(let word)? = intention["repeat"] else { return false }
    return word == "forever"
  }

  private static func wish(of plan: IntentionRecord, for slot: PropertyTable.Slot, in runtime: Runtime) -> Wish {
    guard plan.kind == .manipulation else { return Wish(plan: plan, wants: plan.state != .waiting) }
    let tokens = runtime.plans.executors[plan.executor]?.tokens.values.map(\.self) ?? []
    return Wish(plan: plan, wants: plan.state != .waiting && tokens.contains { $0.slots.contains(slot) })
  }

  /// Whether a wish keeps a plan from a property that both write.
  private static func keeps(_ wish: Wish, _ plan: IntentionRecord) -> Bool {
    guard wish.plan !== plan, wish.plan.state != .waiting else { return false }
    return switch plan.kind {
    case .oneShot: wish.plan.kind == .manipulation && wish.priority == plan.intention.priority
    case .standing: wish.wants && wish.priority > plan.intention.priority
    case .manipulation: wish.plan.executor == plan.executor && wish.priority > plan.intention.priority
    case .output: false
    }
  }

  private static func problems(of slot: PropertyTable.Slot, _ wishes: [Wish], in runtime: Runtime) -> [String] {
    let entry = runtime.movement.properties[slot]
    let wanting = wishes.filter(\.wants)
    let highest = wanting.map(\.priority).max()
    var problems: [String] = []
    // A manipulation without a list of properties holds those that it has written, which is not visible here.
    if let leading = entry.leading.flatMap({ runtime.plans.intentions[$0] }), let highest,
      leading.intention.priority < highest
    {
      problems.append(
        "\(entry.reference) is driven for \(leading.identity) of priority \(leading.intention.priority), and wanted for "
          + "\(highest)")
    }
    if entry.leading == nil, let highest {
      problems.append("\(entry.reference) is wanted for \(highest), and not driven")
    }
    // One-shots of the driver itself may last until it has displaced them, and the former driver's until the first
    // values of the next.
    for wish in wishes
    where wish.plan.kind == .oneShot && wish.plan.begins == nil && wish.priority < highest ?? .min {
      guard wish.plan.executor != entry.driver, wish.plan.executor != entry.actor else { continue }
      problems.append("\(wish.plan.identity) may not drive \(entry.reference), and has not ended")
    }
    return problems
  }

  /// The rare paths in this state.
  static func paths(in runtime: Runtime) -> [Census.Path] {
    var paths: [Census.Path] = runtime.plans.intentions.contains { hadPatterns($0.1) } ? [.patchResolved] : []
    guard runtime.plans.ranked > 0 else { return paths }
    for slot in runtime.movement.properties.occupied {
      let stack = runtime.movement.properties[slot].stack
      if stack.claims.contains(where: { $0.isWaiting && $0.kind == .standing }) { paths.append(.standingWaits) }
      if let leading = stack.leadingClaim, leading.kind != .manipulation, stack.isHeld { paths.append(.handOutranked) }
    }
    return paths
  }

  /// Whether a plan of lamps had a pattern or a group when it was committed (``RandomPlans``).
  private static func hadPatterns(_ plan: IntentionRecord) -> Bool {
    guard case .list(let lines)? = plan.intention["patch"] else { return false }
    return lines.first == .text("universe 9 sacn")
  }
}
