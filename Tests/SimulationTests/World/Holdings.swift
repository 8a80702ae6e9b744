import MotionModel

@testable import MotionCore

/// The state of a runtime: plans with their names, properties, and waiting transactions. Also models how journal
/// entries change this state.
///
/// This is a separate model. It shares no code with the recovery that it checks, except for the descriptions of types.
struct Holdings {
  struct Plan: Hashable {
    var target: TargetName
    var name: IntentionName?
    var intention: Intention
  }

  private(set) var plans: [IntentionIdentity: Plan] = [:]
  /// When the plans begin that wait for their time; not a number where that depends on the next frame.
  private(set) var begins: [IntentionIdentity: Double] = [:]
  /// The places of the plans in the order in which they were added.
  private var order: [IntentionIdentity: Int] = [:]
  private var lastOrder = 0
  /// The last frame.
  private(set) var frame: Frame
  private(set) var properties: [PropertyReference: Int] = [:]
  /// The lanes that the limits of a property have, of one that exists or not.
  private var limitLanes: [PropertyReference: Int] = [:]
  private(set) var targets: Set<TargetName> = []
  private(set) var groups: [GroupName: [TargetName]] = [:]
  private(set) var scenes: [SceneName: MotionModel.Scene] = [:]
  private(set) var cues = CueHoldings()
  private(set) var waiting: [UInt64: RuntimeCheckpoint.Waiting] = [:]
  /// The transactions that wait for the next frame, in order.
  private(set) var pending: [Pending] = []
  private(set) var isPaused: Bool
  private(set) var isHeld: Bool
  /// Whether time stands after a start.
  var stands: Bool { isPaused || isHeld }
  /// One-shots whose property another plan took over later, or had with a higher priority: they may have ended or not.
  private(set) var contested: Set<IntentionIdentity> = []

  struct Pending: Hashable {
    var sequence: UInt64
    var transaction: Transaction

    /// The targets that the transaction concerns.
    var targets: Set<TargetName> { Set(transaction.targets) }
  }

  private static let descriptions = Dictionary(uniqueKeysWithValues: BuiltInIntentions.all.map { ($0.type, $0) })

  /// The state in a stored checkpoint: transactions whose time has come wait for the next frame.
  init(stored checkpoint: RuntimeCheckpoint) {
    self.init(checkpoint, [])
    passOnDue(at: checkpoint.frame.time)
  }

  /// Transactions whose time has come wait for the next frame, before the others.
  mutating func passOnDue(at time: Double) {
    let due = waiting.values.filter { $0.at <= time }.sorted { ($0.at, $0.sequence) < ($1.at, $1.sequence) }
    for entry in due { waiting[entry.sequence] = nil }
    pending = due.map { Pending(sequence: $0.sequence, transaction: $0.transaction) } + pending
  }

  /// The state of a runtime, and the events that wait for the next frame.
  init(_ checkpoint: RuntimeCheckpoint, _ events: [RuntimeEvent]) {
    (isPaused, isHeld) = (checkpoint.clock.isPaused, checkpoint.clock.hold != nil)
    frame = checkpoint.frame
    pending = events.compactMap {
      if case .commit(let sequence, let transaction) = $0 {
        Pending(sequence: sequence, transaction: transaction)
      } else {
        nil
      }
    }
    for target in checkpoint.targets {
      targets.insert(target.name)
      for property in target.properties {
        properties[PropertyReference(target.name, property.name)] = property.state.value.count
        limitLanes[PropertyReference(target.name, property.name)] = property.limits?.lanes
      }
    }
    for limit in checkpoint.limits { limitLanes[limit.property] = limit.setting.lanes }
    for row in checkpoint.groups { groups[row.group] = row.members }
    for stored in checkpoint.scenes { scenes[stored.name] = stored.scene }
    cues = CueHoldings(checkpoint)
    for plan in checkpoint.plans {
      contest(plan.intention, on: plan.target, by: plan.identity)
      plans[plan.identity] = Plan(target: plan.target, name: plan.name, intention: plan.intention)
      if plan.start == nil { begins[plan.identity] = plan.begins }
      putLast(plan.identity)
    }
    for entry in checkpoint.waiting { waiting[entry.sequence] = entry }
  }

  // MARK: Events after the checkpoint

  /// Applies the event in a row.
  mutating func apply(_ entry: JournalEntry) {
    let before = pending.map(\.sequence)
    apply(upTo: entry.applied ?? 0)
    if entry.frame.number > frame.number {
      frame = Frame(number: entry.frame.number, time: max(frame.time, entry.frame.time), dt: 0)
    }
    begin(dueAt: entry.frame.time)
    let due = waiting.values.filter { $0.at <= entry.frame.time }.sorted { ($0.at, $0.sequence) < ($1.at, $1.sequence) }
    for entry in due {
      waiting[entry.sequence] = nil
      apply(entry.transaction, entry.sequence)
    }
    // Those that were due come before the others of their frame, and which frame that was is not known here.
    let others = due.isEmpty ? [] : Set(before).subtracting(pending.map(\.sequence))
    for (identity, plan) in plans where others.contains(identity.sequence) {
      contest(plan.intention, on: plan.target, by: identity)
    }
    switch entry.event {
    case .commit(let sequence, let commit, _):
      // They take effect with the row.
      for case .scene(let name, let scene) in commit.transaction.log { scenes[name] = scene.isEmpty ? nil : scene }
      for case .cues(let name, let change) in commit.transaction.log { cues.apply(change, to: name) }
      if let at = commit.at, at > entry.frame.time {
        waiting[sequence] = .init(at: at, sequence: sequence, commit.transaction, by: entry.provenance)
      } else {
        pending.append(Pending(sequence: sequence, transaction: commit.transaction))
      }
    case .stop(let stopped):
      runFrame()
      if stopped.targets.isEmpty {
        waiting = [:]
        cues.stopAll()
      }
      plans = plans.filter { _, plan in
        let isOutput = Self.descriptions[plan.intention.type]?.kind == .output
        let isStopped = stopped.targets.isEmpty || stopped.targets.contains(plan.target)
        return !isStopped || isOutput && !stopped.outputs
      }
    case .withdraw(let sequences):
      for sequence in sequences { waiting[sequence] = nil }
      pending.removeAll { sequences.contains($0.sequence) }
      plans = plans.filter { !sequences.contains($0.key.sequence) }
    case .clock(.pause): isPaused = true
    case .clock(.resume): isPaused = false
    case .clock(.hold): isHeld = true
    case .clock(.release): isHeld = false
    case .clock, .void: break
    }
  }

  /// All entries were applied: unless time is paused, so is what waits for the next frame.
  mutating func finish() { finish(stands: stands) }

  /// Likewise, where it is known whether time stands.
  mutating func finish(stands: Bool) {
    guard !stands else { return }
    // A frame may have applied it, or the start.
    frame.time = .nan
    runFrame()
  }

  /// Plans whose time has come begin, as if they were added last.
  private mutating func begin(dueAt time: Double) {
    let due = begins.filter { $0.value <= time + Self.rounding }
    for (identity, _) in due.sorted(by: { ($0.value, order[$0.key] ?? 0) < ($1.value, order[$1.key] ?? 0) }) {
      guard let plan = plans[identity] else { continue }
      if let name = plan.name { remove(named: name, from: plan.target, before: order[identity]) }
      begins[identity] = nil
      contest(plan.intention, on: plan.target, by: identity)
      putLast(identity)
    }
  }

  private static let rounding = 1e-6

  private mutating func putLast(_ identity: IntentionIdentity) {
    lastOrder += 1
    order[identity] = lastOrder
  }

  /// The transactions up to this one had been applied.
  private mutating func apply(upTo applied: UInt64) {
    let later = pending.drop { $0.sequence <= applied }
    pending = Array(pending.prefix(pending.count - later.count))
    runFrame()
    pending = Array(later)
  }

  private mutating func runFrame() {
    let events = pending
    pending = []
    for event in events { apply(event.transaction, event.sequence) }
  }

  private mutating func apply(_ transaction: Transaction, _ sequence: UInt64) {
    for (index, operation) in transaction.log.enumerated() {
      switch operation {
      case .add(let intention, let name, let target):
        add(
          Plan(target: target, name: name, intention: intention),
          IntentionIdentity(sequence: sequence, operation: UInt32(index)))
      case .remove(let name, let target): remove(named: name, from: target)
      case .removePlan(let identity, let target) where plans[identity]?.target == target:
        plans = plans.filter { !$0.key.isOrDescends(from: identity) }
      case .removePlan: break
      case .limit(let property, let target, let setting): limit(PropertyReference(target, property), setting)
      case .group(let name, let members): groups[name] = members.isEmpty ? nil : members
      case .scene, .cues: break
      case .forget(let target):
        targets.remove(target)
        properties = properties.filter { $0.key.target != target }
        plans = plans.filter { $0.value.target != target }
      }
    }
  }

  /// Limits of other lanes than the property has are not set.
  private mutating func limit(_ reference: PropertyReference, _ setting: LimitSetting) {
    if let lanes = setting.lanes, let present = properties[reference], present != lanes { return }
    limitLanes[reference] = setting.lanes
  }

  private mutating func remove(named name: IntentionName, from target: TargetName, before place: Int? = nil) {
    for (identity, plan) in plans where plan.target == target && plan.name == name {
      if let place, order[identity] == place || begins[identity] != nil && order[identity] ?? 0 > place { continue }
      plans = plans.filter { !$0.key.isOrDescends(from: identity) }
    }
  }

  /// Adds a plan and the plans that it emits. A plan fails if the lanes of its values do not fit. Then it is not
  /// added, the existing plan of its name stays, and a target that has nothing else is not there.
  private mutating func add(_ plan: Plan, _ identity: IntentionIdentity) {
    guard let description = Self.descriptions[plan.intention.type], let lanes = lanes(of: plan, description) else {
      return
    }
    targets.insert(plan.target)
    let parts = Self.parts(of: plan.intention)
    let delay = parts.isEmpty ? plan.intention.after : 0
    if let name = plan.name, delay == 0 { remove(named: name, from: plan.target) }
    contest(plan.intention, on: plan.target, by: identity)
    plans[identity] = plan
    putLast(identity)
    if delay != 0 { begins[identity] = frame.time + delay }
    for (property, count) in lanes { properties[PropertyReference(plan.target, property)] = count }
    for (ordinal, part) in parts.enumerated() {
      var part = part
      part.priority = plan.intention.priority
      part.after += plan.intention.after
      add(Plan(target: plan.target, name: nil, intention: part), identity.child(UInt32(ordinal)))
    }
  }

  /// The number of lanes of a plan's properties after the plan was added: their present number, that of their limits,
  /// the number of its values, or the smallest allowed number. `nil` if values do not fit.
  private func lanes(of plan: Plan, _ description: IntentionDescription) -> [PropertyName: Int]? {
    var lanes: [PropertyName: Int] = [:]
    func present(_ name: PropertyName) -> Int? {
      let reference = PropertyReference(plan.target, name)
      return lanes[name] ?? properties[reference] ?? limitLanes[reference]
    }
    for name in description.propertiesWritten(by: plan.intention) { lanes[name] = present(name) ?? 0 }
    for requirement in description.laneRequirements(of: plan.intention) {
      let count = present(requirement.property) ?? 0
      let allowed = count > 0 ? count...count : KnownProperty.named(requirement.property).lanes
      guard allowed.contains(requirement.lanes) else { return nil }
      lanes[requirement.property] = requirement.lanes
    }
    for (name, count) in lanes where count == 0 { lanes[name] = KnownProperty.named(name).lanes.lowerBound }
    for (_, leader, follower) in description.leaders(of: plan.intention) {
      let isSame = leader == PropertyReference(plan.target, follower)
      guard !isSame, properties[leader].map({ $0 == lanes[follower] }) ?? true else { return nil }
    }
    return lanes
  }

  private mutating func contest(_ intention: Intention, on target: TargetName, by other: IntentionIdentity) {
    let written = Set(Self.written(by: intention))
    for (identity, plan) in plans
    where plan.target == target && Self.isOneShot(plan.intention) && !other.isOrDescends(from: identity) {
      if !written.isDisjoint(with: Self.written(by: plan.intention)) { contested.insert(identity) }
    }
    // A plan that waits for its time takes the property over then.
    let isAwaited = plans.contains { identity, plan in
      plan.target == target && begins[identity] != nil && !written.isDisjoint(with: Self.written(by: plan.intention))
    }
    if isAwaited, Self.isOneShot(intention) {
      contested.insert(other)
      for ancestor in plans.keys where other.isOrDescends(from: ancestor) { contested.insert(ancestor) }
    }
    let isOutranked = plans.contains { identity, plan in
      plan.target == target && plan.intention.priority > intention.priority
        && !written.isDisjoint(with: Self.written(by: plan.intention))
    }
    if isOutranked, Self.isOneShot(intention) {
      contested.insert(other)
      for ancestor in plans.keys where other.isOrDescends(from: ancestor) { contested.insert(ancestor) }
    }
  }

  /// The properties that a plan and the plans that it emits write.
  private static func written(by intention: Intention) -> [PropertyName] {
    (descriptions[intention.type]?.propertiesWritten(by: intention) ?? [])
      + parts(of: intention).flatMap { written(by: $0) }
  }

  static func isOneShot(_ intention: Intention) -> Bool { descriptions[intention.type]?.kind == .oneShot }

  /// The plans that a composition emits.
  private static func parts(of intention: Intention) -> [Intention] {
    switch intention.type {
    case "Tossable":
      (try? TossableIntention(intention)).map { [$0.spring.intention, $0.drag.intention] } ?? []
    case "DirectlyManipulable": [.draggable(), .pinchable(), .rotatable()]
    case "FadeIn": (try? FadeInIntention(intention)).map { [$0.tween] } ?? []
    case "FadeOut": (try? FadeOutIntention(intention)).map { [$0.tween] } ?? []
    default: []
    }
  }

  // MARK: Comparisons

  /// The differences of `other`, the state of a started runtime, from this state.
  func differences(of other: Holdings) -> [String] {
    var problems: [String] = []
    for (identity, plan) in plans where other.plans[identity] != plan {
      if other.plans[identity] == nil, contested.contains(identity) || isReplaced(plan, by: other) { continue }
      problems.append("\(identity) is to be \(plan), and is \(other.plans[identity].map { "\($0)" } ?? "gone")")
    }
    for (identity, plan) in other.plans where plans[identity] == nil {
      problems.append("\(identity) is to be gone, and is \(plan)")
    }
    problems += differencesOfBeginnings(of: other)
    if scenes != other.scenes {
      problems.append("the scenes are to be \(scenes), and are \(other.scenes)")
    }
    problems += cues.differences(of: other.cues)
    if groups != other.groups { problems.append("the groups are to be \(groups), and are \(other.groups)") }
    if targets != other.targets { problems.append("the targets are to be \(targets), and are \(other.targets)") }
    for reference in Set(properties.keys).union(other.properties.keys) {
      let (wanted, found) = (properties[reference], other.properties[reference])
      if wanted == found { continue }
      problems.append("\(reference) is to have \(wanted ?? 0) lanes, and has \(found ?? 0)")
    }
    if waiting != other.waiting {
      problems.append("\(waiting.keys.sorted()) are to wait, and \(other.waiting.keys.sorted()) do")
    }
    if pending != other.pending {
      problems.append("for the next frame, \(pending) are to wait, and \(other.pending) do")
    }
    return problems.sorted()
  }
}

extension Holdings {
  /// Whether a plan of its name was to begin, and has.
  private func isReplaced(_ plan: Plan, by other: Holdings) -> Bool {
    plan.name != nil
      && begins.contains { identity, _ in
        plans[identity]?.name == plan.name && plans[identity]?.target == plan.target && other.begins[identity] == nil
      }
  }

  private func differencesOfBeginnings(of other: Holdings) -> [String] {
    var problems: [String] = []
    for (identity, time) in begins where plans[identity] != nil && other.plans[identity] != nil && !time.isNaN {
      if let found = other.begins[identity] {
        if abs(found - time) > Self.rounding {
          problems.append("\(identity) is to begin at \(time), and begins at \(found)")
        }
      } else if time > other.frame.time + Self.rounding {
        problems.append("\(identity) is to begin at \(time), and has begun at \(other.frame.time)")
      }
    }
    for identity in other.begins.keys where plans[identity] != nil && begins[identity] == nil {
      problems.append("\(identity) is to have begun, and waits")
    }
    return problems
  }
}

extension IntentionIdentity {
  /// Whether it is `other`, or was emitted by it directly or indirectly.
  func isOrDescends(from other: IntentionIdentity) -> Bool {
    sequence == other.sequence && operation == other.operation && path.starts(with: other.path)
  }
}

extension Runtime {
  /// Its state as a checkpoint of a journal has it.
  var kept: RuntimeCheckpoint {
    var checkpoint = checkpoint()
    (checkpoint.scenes, checkpoint.cues) = (scenes.stored, cues.stored)
    return checkpoint
  }
}
