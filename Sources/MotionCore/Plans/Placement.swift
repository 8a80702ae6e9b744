import MotionModel

/// The properties of a target that a plan concerns: which it writes, and with how many lanes.
struct Placement {
  /// Every property it mentions, with its lanes.
  var properties = SmallList<(name: PropertyName, lanes: Int)>()
  /// How many of these the plan writes; they come first.
  var written = 0
}

/// The effect of the first operations of a transaction on a target, as far as the next operation depends on it.
final class TargetOutlook: Named {
  let name: TargetName
  /// Whether the runtime's record of the target is forgotten by then.
  private(set) var isForgotten = false
  /// Whether something was added to it, so that it counts as a target.
  var isMet = false
  /// Properties that these operations made.
  var made = SmallList<(name: PropertyName, lanes: Int)>()
  /// Names of intentions that these operations gave, or took away.
  var names: [IntentionName: Bool] = [:]
  /// Intentions of the runtime that these operations removed by their identities.
  var removed: Set<IntentionIdentity> = []
  /// The limits that these operations set.
  var limits: [PropertyName: LimitSetting] = [:]
  /// How many intentions these operations added, less those they removed.
  var addedIntentions = 0

  init(_ name: TargetName) { self.name = name }

  /// Drops the existing record and the effects so far.
  func forget() { (isForgotten, made, names, removed, addedIntentions) = (true, SmallList(), [:], [], 0) }

  func lanes(of property: PropertyName) -> Int? { made.first { $0.name == property }?.lanes }
}

extension Plans {
  /// Finds a place for a plan on a target: the lanes of its values fit, and there is room.
  ///
  /// The first value of a new property settles its lanes; without a value it has as few as it may have.
  /// - Parameters:
  ///   - reading: the plan.
  ///   - name: the target's name.
  ///   - target: the target's record, if it exists and is not forgotten by then.
  ///   - outlook: the effect of earlier operations on it, if there are any.
  ///   - isReplacing: whether an existing plan makes room for it.
  ///   - hasBegun: whether it began before a restart. Properties that it follows may have got other lanes since.
  /// - Throws: the refusal, with the field.
  func place(
    _ reading: PlanReading, on name: TargetName, _ target: TargetRecord?, after outlook: TargetOutlook? = nil,
    isReplacing: Bool = false, hasBegun: Bool = false
  ) throws(Refusal) -> Placement {
    var placement = Placement()
    for property in reading.written {
      placement.properties.append((property, lanes(of: property, on: name, target, after: outlook)))
    }
    placement.written = placement.properties.count
    for requirement in reading.requirements {
      try place(requirement, on: name, target, after: outlook, in: &placement)
    }
    for index in placement.properties.indices where placement.properties[index].lanes == 0 {
      placement.properties[index].lanes = KnownProperty.named(placement.properties[index].name).lanes.lowerBound
    }
    for (field, leader, follower) in reading.leaders where !hasBegun {
      let lanes = placement.properties.first { $0.name == follower }?.lanes ?? 0
      try check(leader, of: PropertyReference(name, follower), lanes, field: field)
    }
    if reading.isMove, !hasBegun { try checkLimits(of: reading, on: name, after: outlook) }
    let added = (outlook?.addedIntentions ?? 0) - (isReplacing ? 1 : 0)
    try checkRoom(for: placement, on: name, target, added: added, after: outlook)
    return placement
  }

  /// Refuses a property that cannot be followed in the present state; it may be created or forgotten later.
  private func check(
    _ leader: PropertyReference, of follower: PropertyReference, _ lanes: Int, field: String
  ) throws(Refusal) {
    guard leader != follower else {
      throw Refusal(
        .value, field: field, "\(leader) cannot follow itself", remedy: "Name another property, or a place.")
    }
    guard let present = self.lanes(of: leader), present != lanes else { return }
    throw Refusal(
      .lanes, field: field, "\(leader) and \(follower) differ in their lanes: \(present) and \(lanes)",
      remedy: "Name a property with as many lanes.")
  }

  /// How many lanes a property has, if it exists by then.
  func present(_ property: PropertyName, on target: TargetRecord?, after outlook: TargetOutlook?) -> Int? {
    if let lanes = outlook?.lanes(of: property) { return lanes }
    guard let target, let slot = slot(of: property, on: target) else { return nil }
    return movement.properties.lanes(at: slot)
  }

  /// How many lanes a property has, or has to have by its limits; 0 if both are open.
  private func lanes(
    of property: PropertyName, on name: TargetName, _ target: TargetRecord?, after outlook: TargetOutlook?
  ) -> Int {
    present(property, on: target, after: outlook) ?? limits(of: PropertyReference(name, property), after: outlook)?
      .lanes ?? 0
  }

  private func place(
    _ requirement: LaneRequirement, on name: TargetName, _ target: TargetRecord?, after outlook: TargetOutlook?,
    in placement: inout Placement
  ) throws(Refusal) {
    let known = placement.properties.firstIndex { $0.name == requirement.property }
    let index = known ?? placement.properties.endIndex
    if known == nil {
      let lanes = lanes(of: requirement.property, on: name, target, after: outlook)
      placement.properties.append((requirement.property, lanes))
    }
    let lanes = placement.properties[index].lanes
    let allowed = lanes > 0 ? lanes...lanes : KnownProperty.named(requirement.property).lanes
    guard allowed.contains(requirement.lanes) else { throw requirement.refusal(allowed: allowed) }
    placement.properties[index].lanes = requirement.lanes
  }

  /// Refuses a plan that would exceed a limit of one target.
  private func checkRoom(
    for placement: Placement, on name: TargetName, _ target: TargetRecord?, added: Int, after outlook: TargetOutlook?
  ) throws(Refusal) {
    try checkNumbers()
    let intentions = (target?.intentions ?? 0) + added
    guard intentions < Limits.intentionsPerTarget else {
      throw Refusal(
        .limit, "target \(name) has \(intentions) intentions already",
        remedy:
          "Remove intentions that are no longer needed, or add under a name, which replaces the intention of that name."
      )
    }
    let properties = (target?.slots.count ?? 0) + (outlook?.made.count ?? 0)
    guard properties + placement.properties.count > Limits.propertiesPerTarget else { return }
    let new = placement.properties.filter { present($0.name, on: target, after: outlook) == nil }.count
    guard properties + new <= Limits.propertiesPerTarget else {
      throw Refusal(
        .limit, "target \(name) has \(properties) properties already", remedy: "Use another target for more.")
    }
  }

  /// Refuses a plan if there may be no number or no lane left for it. Checked again for each plan when it is applied.
  ///
  /// Handles of executors and properties are never reused: at 400 new ones a second they last for 124 days.
  private func checkNumbers() throws(Refusal) {
    guard hasNumbers(executors: 1, properties: Limits.propertiesPerTarget) else {
      throw Refusal(
        .limit, "this runtime has used up its numbers for executors or properties", remedy: "Restart it.")
    }
  }
}
