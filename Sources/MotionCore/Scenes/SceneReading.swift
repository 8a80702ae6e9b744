import MotionModel

/// What scenes are made of, and what a recall makes of them.
extension Plans {
  /// The part of a scene that is the present state of a target; `nil` if the target does not exist or has no properties.
  ///
  /// - Parameter columns: the values of the properties.
  func scene(of name: TargetName, _ columns: PropertyColumns) -> Scene.Target? {
    guard let target = targets[name], !target.slots.isEmpty else { return nil }
    var moved: Set<PropertyTable.Slot> = []
    var part = Scene.Target(name)
    for identity in identities(on: name) {
      guard let record = intentions[identity], isPicture(record) else { continue }
      if record.intention.holdsItsProperties { moved.formUnion(record.slots) }
      part.plans.append(Scene.Plan(record.still, named: record.name))
    }
    for slot in target.slots where !moved.contains(slot) && slot < columns.rows.count && columns.rows[slot].isOccupied {
      let row = columns.rows[slot]
      guard let value = Lanes(columns.values[row.first..<row.first + row.lanes]) else { continue }
      part.values.append(Scene.Value(movement.properties[slot].reference.property, value))
    }
    part.values.sort { $0.property.isListedBefore($1.property) }
    return part
  }

  /// Whether a plan is part of a scene: it stands, has begun, and follows no input.
  private func isPicture(_ record: IntentionRecord) -> Bool {
    record.kind == .standing && record.begins == nil && !record.slots.isEmpty
      && executors[record.executor]?.abilities.contains(.follows) != true
  }

  /// The operations that bring a target to a scene: those that remove what moves its properties otherwise, and those that
  /// add what is missing.
  ///
  /// - Parameter coming: what operations before will do to the target. If they concern the properties of the scene, all
  ///   of its plans and values are set again.
  func operations(
    recalling part: Scene.Target, _ transition: SceneRecall.Transition, after coming: ComingChanges = ComingChanges(),
    _ reader: PlanReader
  ) -> [Transaction.Operation] {
    let target = targets[part.name]
    let properties = part.properties(reader)
    let slots = Set(properties.compactMap { property in target.flatMap { slot(of: property, on: $0) } })
    let names = part.planNames
    let changes = coming.concern(properties, names)
    // The places of plans in the scene: of those that are missing, and of those that stay.
    var places = Array(part.plans.indices)
    var kept: [IntentionIdentity: Int] = [:]
    var removed: Set<IntentionIdentity> = []
    var oneShots: [IntentionRecord] = []
    for identity in identities(on: part.name) {
      guard let record = intentions[identity] else { continue }
      // One that waits to take the name of a plan of the scene would remove that plan.
      if record.begins != nil, record.name.map(names.contains) == true { removed.insert(identity) }
      guard record.slots.contains(where: slots.contains) else { continue }
      switch record.kind {
      case .standing:
        let plan = Scene.Plan(record.still, named: record.name)
        var index = places.firstIndex { part.plans[$0] == plan }
        // Its name had another plan when it was recalled before.
        if record.name == nil { index = index ?? places.firstIndex { part.plans[$0].intention == plan.intention } }
        if record.begins == nil, !changes, let index {
          kept[identity] = places.remove(at: index)
        } else {
          removed.insert(identity)
        }
      case .oneShot:
        // One that waits for its time must not begin afterwards.
        if record.begins != nil { removed.insert(identity) } else { oneShots.append(record) }
      case .manipulation, .output: break
      }
    }
    if case .fade = transition {
      let staying = Set(kept.keys)
      for identity in staying where !holds(identity, staying) {
        if let place = kept.removeValue(forKey: identity) { places.append(place) }
        removed.insert(identity)
      }
    }
    let layers = SceneLayers(part, reader)
    for (identity, place) in layers.misplaced(kept, { intentions[$0]?.order ?? 0 }) {
      kept[identity] = nil
      places.append(place)
      removed.insert(identity)
    }
    var missing = places.sorted().map { (plan: part.plans[$0], isCovered: !layers.drives($0)) }
    removed.formUnion(coming.additions.filter { $0.concerns(properties, names) }.compactMap(\.identity))
    // A plan on other properties keeps its name.
    for index in missing.indices
    where missing[index].plan.name.map({ coming.gives($0, apart: properties, names) }) == true {
      missing[index].plan.name = nil
    }
    let values = part.values.filter { value in
      guard !changes, let slot = target.flatMap({ self.slot(of: value.property, on: $0) }) else { return true }
      let state = movement.properties.state(at: slot)
      let isMoved = movement.properties[slot].stack.claims.contains {
        $0.kind != .manipulation && kept[$0.identity] == nil
      }
      return isMoved || state.value != value.value || state.velocity.storage != .zero
    }
    let over = removed.union(oneShots.map(\.identity))
    // What is under way ends with a plan that takes its property over, or here.
    let taken = Set(missing.flatMap { reader.read($0.plan.intention)?.written ?? [] } + values.map(\.property))
    for record in oneShots
    where !record.slots.contains(where: { taken.contains(movement.properties[$0].reference.property) }) {
      removed.insert(record.identity)
    }
    var operations = removed.sorted().map { Transaction.Operation.removePlan($0, from: part.name) }
    for (plan, isCovered) in missing {
      operations += additions(
        of: plan, to: part.name, without: over, isFree: coming.frees, isCovered ? nil : transition)
    }
    operations += values.map { .add($0.approach(transition), named: nil, to: part.name) }
    return operations
  }

  /// Whether a plan that the scene has can stay as it is where values fade. An anchored spring, a wave or a tween must have
  /// its property to itself, but for other plans that stay, and an anchored spring must rest: otherwise the fade reaches it,
  /// like one that is missing.
  private func holds(_ identity: IntentionIdentity, _ staying: Set<IntentionIdentity>) -> Bool {
    guard let record = intentions[identity] else { return false }
    let type = record.intention.type.text
    guard ["AnchoredSpring", "Wave", "Tween"].contains(type) else { return true }
    return record.slots.allSatisfy { slot in
      movement.properties[slot].stack.claims.allSatisfy { $0.kind == .manipulation || staying.contains($0.identity) }
        && (type != "AnchoredSpring" || movement.properties.state(at: slot).velocity.storage == .zero)
    }
  }

  /// The operations that add a plan of a scene. Where values fade, an anchored spring and a wave are reached by the fade as
  /// well: the fade lies above the spring, which has the property again afterwards. A tween that repeats itself begins where
  /// it says: its first value is approached, and it goes on from there.
  ///
  /// - Parameter transition: how its values are approached; `nil` of a plan that lies under another one of the scene.
  private func additions(
    of plan: Scene.Plan, to target: TargetName, without removed: Set<IntentionIdentity>,
    isFree: (IntentionName) -> Bool,
    _ transition: SceneRecall.Transition?
  ) -> [Transaction.Operation] {
    // A plan on other properties keeps its name.
    let holder = plan.name.flatMap { isFree($0) ? nil : targets[target]?.names[$0] }
    let name = holder.map { removed.contains($0) ? plan.name : nil } ?? plan.name
    guard let transition else { return [.add(plan.intention, named: name, to: target)] }
    if let tween = try? TweenIntention(plan.intention), let first = tween.from ?? tween.values.first {
      let approach = Scene.Value(tween.property, first).approach(transition).priority(plan.intention.priority)
      // It would be elsewhere by the end of a fade.
      if case .fade(let seconds) = transition, seconds > 0 {
        return [
          .add(approach, named: nil, to: target), .add(plan.intention.after(seconds), named: name, to: target),
        ]
      }
      return [.add(plan.intention, named: name, to: target), .add(approach, named: nil, to: target)]
    }
    guard case .fade(let seconds) = transition else { return [.add(plan.intention, named: name, to: target)] }
    if let spring = try? AnchoredSpringIntention(plan.intention) {
      let fade = Scene.Value(spring.property, spring.destination).approach(transition)
      return [
        .add(plan.intention, named: name, to: target),
        .add(fade.priority(plan.intention.priority), named: nil, to: target),
      ]
    }
    if let wave = try? WaveIntention(plan.intention), wave.fade < .seconds(seconds) {
      var intention = plan.intention
      intention["fade"] = .duration(.seconds(seconds))
      return [.add(intention, named: name, to: target)]
    }
    return [.add(plan.intention, named: name, to: target)]
  }
}

extension IntentionRecord {
  /// The plan as a scene has it: ``MotionModel/Intention/still``, and of a tween with the value from which it began.
  fileprivate var still: Intention {
    var plan = intention.still
    if let tween = try? TweenIntention(plan), tween.startsAtPresent, let start = starts.first {
      plan["from"] = FieldValue(start.state.value)
    }
    return plan
  }
}

extension Intention {
  /// Whether the plan determines where its properties are: friction and a constant force leave that to others.
  fileprivate var holdsItsProperties: Bool { type.text != "Friction" && type.text != "ConstantForce" }

  /// The plan as it is when it has begun: without a delay, without a velocity to begin with, and without a long fade.
  fileprivate var still: Intention {
    var plan = self
    plan.after = 0
    plan["initialVelocity"] = nil
    if let wave = try? WaveIntention(plan), wave.fade > WaveIntention.defaultFade { plan["fade"] = nil }
    return plan
  }
}

extension Scene.Target {
  /// The properties that it has a value or a plan of.
  func properties(_ reader: PlanReader) -> Set<PropertyName> {
    Set(plans.flatMap { reader.read($0.intention)?.written ?? [] } + values.map(\.property))
  }

  /// The names of its plans.
  var planNames: Set<IntentionName> { Set(plans.compactMap(\.name)) }
}

extension Scene.Value {
  /// The plan that brings the property to the value.
  fileprivate func approach(_ transition: SceneRecall.Transition) -> Intention {
    switch transition {
    case .spring: .springTo(property, value)
    case .fade(let seconds): .tween(property, to: value, duration: .seconds(seconds))
    }
  }
}
