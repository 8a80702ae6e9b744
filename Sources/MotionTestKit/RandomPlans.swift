import Glibc
public import MotionModel

/// Random plans of every built-in type, and transactions of them, on a few targets, so that targets become empty and
/// names are reused.
///
/// The plans are made from the descriptions of their types. A type that is added later is produced without a change
/// here, or the census of the simulation reports that it is missing.
public struct RandomPlans: Sendable {
  /// The targets of the transactions.
  public let targets: [TargetName]
  /// The names of the plans.
  public let names: [IntentionName]
  /// The types of the plans.
  public let types: [IntentionDescription]
  /// Fields that are never given.
  private let omitted: Set<String>
  /// Whether transactions limit properties.
  private let isLimiting: Bool
  /// Whether some plans have a priority.
  private let isRanking: Bool
  /// Whether some operations have selectors, and transactions set groups.
  let isSelecting: Bool
  /// Whether some plans begin later.
  private let isDelaying: Bool
  /// Whether transactions save, recall and delete scenes.
  private let isPicturing: Bool
  let cues: Cues
  package static let groups: [GroupName] = ["g1", "g2"]
  /// The names of the scenes.
  public static let scenes: [SceneName] = ["s1", "s2"]
  /// The names of the lists of cues.
  public static let cueLists: [CueListName] = ["c1", "c2"]
  /// The names of the cues.
  static let cueNames: [CueName] = ["1", "2", "2.5", "last"]

  /// The probability of a transaction that forgets all targets.
  private static let chanceOfNothing = 0.1
  /// The probability that an optional field is given.
  private static let chanceOfField = 0.3
  /// The probability of a priority, and the priorities: few, so that equal ones compete, too.
  private static let chanceOfPriority = 0.25
  private static let priorities: [Int32] = [-100, -1, 1, 1, 5, 100]
  /// The probability that a transaction concerns a scene, if some do.
  private static let chanceOfScene = 0.15
  /// The probability that a transaction concerns a list of cues, if some do.
  private static let chanceOfCue = 0.1
  /// The probability that a plan begins later, if some do.
  private static let chanceOfDelay = 0.15
  /// The attempts to make a plan whose fields fit together, before only the required ones are given.
  private static let attempts = 8

  private static let catalog: IntentionCatalog = {
    var catalog = IntentionCatalog()
    for description in BuiltInIntentions.all {
      do {
        try catalog.add(description, from: .inProcess)
      } catch {
        preconditionFailure("\(description.type): \(error)")
      }
    }
    return catalog
  }()

  /// Creates a generator of plans of these types on these targets.
  ///
  /// - Parameters:
  ///   - omitted: names of optional fields that are never given.
  ///   - isLimiting: whether transactions set and lift limits of properties, too.
  ///   - isRanking: whether some plans have a priority.
  ///   - isSelecting: whether some operations have selectors, and transactions set groups. A selector stands only for
  ///     these targets, or others that begin like all of them; it is refused where it stands for none.
  ///   - isPicturing: whether transactions save, recall and delete scenes. A scene that there is not is refused, and so is
  ///     one that is saved for later.
  ///   - cues: which cues transactions load and command. A command that a list does not have is refused.
  ///   - isDelaying: whether some plans begin later, and differ from target to target of their selector.
  public init(
    on targets: [TargetName], names: [IntentionName] = ["a", "b"],
    types: [IntentionDescription] = BuiltInIntentions.all, omitting omitted: Set<String> = [],
    limiting isLimiting: Bool = false, ranking isRanking: Bool = false,
    selecting isSelecting: Bool = false, picturing isPicturing: Bool = false,
    cueing cues: Cues = .none, delaying isDelaying: Bool = false
  ) {
    (self.targets, self.names, self.types, self.omitted) = (targets, names, types, omitted)
    self.isLimiting = isLimiting
    self.isRanking = isRanking
    self.isSelecting = isSelecting
    self.isPicturing = isPicturing
    self.cues = cues
    self.isDelaying = isDelaying
  }

  // MARK: Transactions

  /// A transaction of one to five operations, of which an addition may be for several targets; or one that forgets all
  /// targets.
  public func transaction(_ random: inout SeededRandom) -> Transaction {
    var transaction = Transaction()
    if random.chance(Self.chanceOfNothing) {
      for target in targets { transaction.forget(target) }
      return transaction
    }
    if isPicturing, random.chance(Self.chanceOfScene) { picture(&transaction, &random) }
    if cues != .none, random.chance(Self.chanceOfCue) { command(&transaction, &random) }
    for _ in 0..<Int.random(in: transaction.log.isEmpty ? 1...5 : 0...2, using: &random) {
      add(to: &transaction, &random)
    }
    return transaction
  }

  func add(to transaction: inout Transaction, _ random: inout SeededRandom) {
    let target = pick(targets, &random)
    switch Int.random(in: 0..<(isSelecting ? 24 : 20), using: &random) {
    case 20 where random.chance(0.2): transaction.ungroup(pick(Self.groups, &random))
    case 20: transaction.group(pick(Self.groups, &random), selector(&random))
    case 21..<24: select(for: &transaction, &random)
    case 0..<2: transaction.remove(named: pick(names, &random), from: target)
    case 2:
      // The identity belongs to one of the first transactions, or to none: both occur.
      let sequence = UInt64.random(in: 1...40, using: &random)
      transaction.remove(
        IntentionIdentity(sequence: sequence, operation: UInt32.random(in: 0...2, using: &random)), from: target)
    case 5 where isLimiting: limit(on: target, of: &transaction, &random)
    case 3..<6: transaction.forget(target)
    case 6..<8:
      // A group, as one command for several targets makes it.
      let intention = plan(on: target, &random)
      for target in targets where target != referred(by: intention) { transaction.add(intention, to: target) }
    case 8..<14: transaction.add(plan(on: target, &random), named: pick(names, &random), to: target)
    default: transaction.add(plan(on: target, &random), to: target)
    }
  }

  /// A selector of some of the targets.
  public func selector(_ random: inout SeededRandom) -> TargetSelector {
    let names = targets.map(\.text)
    let beginning = names.dropFirst().reduce(names[0]) { String(zip($0, $1).prefix { $0 == $1 }.map(\.0)) }
    let pattern = beginning.isEmpty ? names[0] + "*" : beginning + (random.chance(0.3) ? "?" : "*")
    let texts = ["@\(pick(Self.groups, &random))", "{\(names.joined(separator: ",")),}", pattern]
    let text = pick(texts, &random)
    do {
      return try TargetSelector(random.chance(0.2) ? [text, pick(names, &random)] : [text])
    } catch {
      preconditionFailure("\(error)")
    }
  }

  /// An operation with a selector.
  private func select(for transaction: inout Transaction, _ random: inout SeededRandom) {
    let (target, selector) = (pick(targets, &random), selector(&random))
    let name = random.chance(0.5) ? pick(names, &random) : nil
    switch Int.random(in: 0..<8, using: &random) {
    case 0: transaction.forget(each: selector)
    case 1: transaction.remove(named: pick(names, &random), fromEach: selector)
    case 2 where isLimiting:
      let plan = plan(on: target, &random)
      let description = types.first { $0.type == plan.type }
      guard let property = description?.propertiesWritten(by: plan).first else { return }
      transaction.limit(property, ofEach: selector, .limits(limits(of: property, &random)))
    default:
      let plan = plan(on: target, &random)
      let spread = isDelaying && random.chance(0.5) ? spread(of: plan, &random) : nil
      transaction.add(plan, named: name, toEach: selector, spread: spread)
    }
  }

  /// Differences of a plan from target to target. An order by a property is refused where a target lacks it.
  private func spread(of plan: Intention, _ random: inout SeededRandom) -> Spread {
    var spread = Spread(stagger: .random(in: 0...0.5, using: &random))
    for field in plan.fields where ["destination", "to"].contains(field.name) && random.chance(0.5) {
      switch field.value {
      case .number(let number): spread.to.append(.init(field.name, .number(number / 2)))
      case .vector(let lanes):
        spread.to.append(.init(field.name, .vector(Lanes(lanes.storage / 2, count: lanes.count))))
      default: break
      }
    }
    if random.chance(0.3) { spread.by = SpreadOrder("x", isDescending: random.chance(0.5)) }
    return spread
  }

  /// Limits a property that a plan writes, or lifts its limits.
  private func limit(on target: TargetName, of transaction: inout Transaction, _ random: inout SeededRandom) {
    let plan = plan(on: target, &random)
    let description = types.first { $0.type == plan.type }
    guard let property = description?.propertiesWritten(by: plan).first else { return }
    switch Int.random(in: 0..<8, using: &random) {
    case 0: transaction.liftLimits(property, of: target)
    case 1: transaction.limit(property, of: target, PropertyLimits())
    default: transaction.limit(property, of: target, limits(of: property, &random))
    }
  }

  /// Limits of about the movements here, each with some probability, and equal for all lanes. Sometimes they
  /// state more lanes than one, which the property may not have.
  private func limits(of property: PropertyName, _ random: inout SeededRandom) -> PropertyLimits {
    let count = random.chance(0.2) ? Int.random(in: 2...3, using: &random) : 1
    func lanes(_ number: Double) -> Lanes { Lanes(SIMD4(repeating: number), count: count) }
    var limits = PropertyLimits(
      velocity: lanes(pow(10, Double.random(in: 0...3, using: &random))),
      acceleration: lanes(pow(10, Double.random(in: 1...4, using: &random))))
    if random.chance(0.5) { limits.jerk = lanes(pow(10, Double.random(in: 2...5, using: &random))) }
    if random.chance(0.3) {
      let lower = Double.random(in: -100...50, using: &random)
      limits.range = .init(lanes(lower), lanes(lower + Double.random(in: 0...100, using: &random)))
    }
    if random.chance(0.2) { limits.velocity = nil }
    if random.chance(0.2) { (limits.acceleration, limits.jerk) = (nil, nil) }
    if random.chance(0.5) {
      let places = KnownProperty.named(property).range ?? -100...100
      let value = limits.range.map { ($0.lower[0] + $0.upper[0]) / 2 } ?? Double.random(in: places, using: &random)
      let rules: [LossRule] = [.hold, .rest(lanes(value)), .ramp(lanes(value), in: .random(in: 0...2, using: &random))]
      limits.onLost = pick(rules, &random)
    }
    return limits
  }

  /// The target that a plan refers to, if any: it cannot follow itself.
  private func referred(by intention: Intention) -> TargetName? {
    for field in intention.fields { if case .reference(let reference) = field.value { return reference.target } }
    return nil
  }

  // MARK: Plans

  /// A plan of any of the types, for this target.
  public func plan(on target: TargetName, _ random: inout SeededRandom) -> Intention {
    var intention = plan(of: pick(types, &random), on: target, &random)
    if isDelaying, random.chance(Self.chanceOfDelay) { intention.after = .random(in: 0...1, using: &random) }
    guard isRanking, random.chance(Self.chanceOfPriority) else { return intention }
    return intention.priority(pick(Self.priorities, &random))
  }

  /// A plan of a type, for this target, that its catalog would accept.
  public func plan(
    of description: IntentionDescription, on target: TargetName, _ random: inout SeededRandom
  ) -> Intention {
    for _ in 0..<Self.attempts {
      let intention = make(description, on: target, &random, chance: Self.chanceOfField)
      if (try? Self.catalog.check(intention)) != nil { return intention }
    }
    return make(description, on: target, &random, chance: 0)
  }

  private func make(
    _ description: IntentionDescription, on target: TargetName, _ random: inout SeededRandom, chance: Double
  ) -> Intention {
    var given: Set<String> = []
    for field in description.fields where !omitted.contains(field.name) {
      if field.isRequired || Self.isAlwaysGiven(field, of: description) || random.chance(chance) {
        given.insert(field.name)
      }
    }
    for group in description.exclusive where group.allSatisfy(given.contains) {
      // The required one stays.
      let spare = group.filter { description.field($0)?.isRequired != true }
      given.remove(spare.randomElement(using: &random) ?? "")
    }
    for group in description.requiresOneOf where !group.contains(where: given.contains) {
      given.insert(pick(group, &random))
    }
    var intention = Intention(description.type)
    // Properties first: the lanes of the others depend on them.
    for field in description.fields where given.contains(field.name) && field.accepts == [.property] {
      intention[field.name] = .property(pick(Self.properties(for: field, of: description), &random))
    }
    for field in description.fields where given.contains(field.name) && intention[field.name] == nil {
      intention[field.name] = value(of: field, in: intention, description, on: target, &random)
    }
    return intention
  }

  /// Squash and stretch needs two lanes where a pinch may have made one, and a move the limits that its property lacks.
  private static func isAlwaysGiven(_ field: FieldDescription, of description: IntentionDescription) -> Bool {
    description.type == "SquashAndStretch" && field.access == .writes
      || ["maxVelocity", "maxAcceleration", "maxJerk"].contains(field.name)
  }

  // MARK: Fields

  /// The properties that a field may name. Each has the same lanes in all plans, so that no plan causes the refusal of
  /// another.
  private static func properties(for field: FieldDescription, of description: IntentionDescription) -> [PropertyName] {
    switch (description.type.text, field.name) {
    case ("Draggable", _), ("Tossable", _): ["position", "translation"]
    case ("Pinchable", _): ["width", "zoom"]
    case ("Rotatable", _): ["rotation", "angle"]
    case ("SetPositionOnTap", _): ["position"]
    case ("SquashAndStretch", "scale"): ["stretch"]
    case ("SquashAndStretch", "rotation"): ["turn"]
    // These include the properties that squash and stretch writes, so that its worker is displaced and resumes.
    default: ["position", "x", "opacity", "color", "stretch", "turn"]
    }
  }

  private static func lanes(of property: PropertyName) -> Int {
    switch property.text {
    case "position", "translation", "stretch": 2
    case "color": 4
    default: 1
    }
  }

  private func value(
    of field: FieldDescription, in intention: Intention, _ description: IntentionDescription, on target: TargetName,
    _ random: inout SeededRandom
  ) -> FieldValue {
    var owner: PropertyName?
    let isOfLanes = description.type == "Wave" && field.accepts.contains(.vector)
    if let name = field.lanesOf ?? (isOfLanes ? "property" : nil),
      case .property(let property)? = description.value(of: name, in: intention)
    {
      owner = property
    }
    let shapes = field.accepts.filter { shape in
      guard let owner else { return true }
      return shape != (Self.lanes(of: owner) == 1 ? .vector : .number)
    }
    return value(pick(shapes, &random), of: field, for: owner, on: target, &random)
  }

  private func value(
    _ shape: FieldShape, of field: FieldDescription, for owner: PropertyName?, on target: TargetName,
    _ random: inout SeededRandom
  ) -> FieldValue {
    switch shape {
    case .number: return .number(number(field, &random))
    case .vector:
      // A vector without an owner has four lanes: a rectangle.
      let lanes = (0..<(owner.map(Self.lanes) ?? 4)).map { _ in
        owner == nil ? Double.random(in: 0...200, using: &random) : number(field, &random)
      }
      return Lanes(lanes).map { .vector($0) } ?? .number(0)
    case .text: return .text(text(field, &random))
    case .flag: return .flag(Bool.random(using: &random))
    case .duration:
      let least = max(0.05, field.range?.lowerBound ?? 0)
      return .duration(.milliseconds(Int(1000 * Double.random(in: least...1.5, using: &random))))
    case .property: return .property(pick(Self.properties(for: field, of: BuiltInIntentions.all[0]), &random))
    case .choice: return .choice(pick(field.choices, &random))
    case .reference: return .reference(reference(of: owner, from: target, &random))
    case .list:
      let elements = field.elements.filter {
        owner.map(Self.lanes) == 1 ? $0 != .vector : owner == nil || $0 == .vector
      }
      let shape = pick(elements, &random)
      return .list(
        (0..<Int.random(in: 1...3, using: &random)).map { _ in value(shape, of: field, for: owner, on: target, &random)
        })
    }
  }

  /// A property of another target with the lanes of `owner`; without an owner, any property.
  private func reference(
    of owner: PropertyName?, from target: TargetName, _ random: inout SeededRandom
  ) -> PropertyReference {
    guard let owner else { return PropertyReference(pick(targets, &random), pick(["position", "x"], &random)) }
    let others = targets.filter { $0 != target }
    return PropertyReference(others.randomElement(using: &random) ?? target, owner)
  }

  /// A realistic number: no property leaves the usual range within seconds.
  private func number(_ field: FieldDescription, _ random: inout SeededRandom) -> Double {
    switch field.name {
    case "tension": return .random(in: 50...400, using: &random)
    case "friction": return .random(in: 5...40, using: &random)
    case "mass": return .random(in: 0.5...2, using: &random)
    case "coefficient": return .random(in: 0.5...5, using: &random)
    case "bounce": return .random(in: -0.5...0.5, using: &random)
    // No less than any final velocity.
    case "maxVelocity": return .random(in: 100...400, using: &random)
    case "maxAcceleration": return .random(in: 200...2_000, using: &random)
    case "maxJerk": return .random(in: 1_000...20_000, using: &random)
    case "threshold": return .random(in: 0.1...2, using: &random)
    case "scale": return .random(in: -2...2, using: &random)
    case "repeat", "port", "rate": return Double(Int.random(in: 1...3, using: &random))
    default:
      let lowest = max(field.range?.lowerBound ?? -100, -100)
      let highest = min(field.range?.upperBound ?? 100, lowest + 200)
      return .random(in: lowest...highest, using: &random)
    }
  }

  private func text(_ field: FieldDescription, _ random: inout SeededRandom) -> String {
    switch field.name {
    case "easing": pick(["linear", "ease", "ease-in-out", "cubic-bezier(0.1, 0.2, 0.3, 1)", "steps(3, end)"], &random)
    case "host": "127.0.0.1"
    case "address": pick(["/a", "/b/c"], &random)
    case "patch": patch(&random)
    // As the explorers of the simulation send.
    case "input": pick(["fader", "tracker"], &random)
    default: "text"
    }
  }

  func pick<Element>(_ elements: [Element], _ random: inout SeededRandom) -> Element {
    guard let element = elements.randomElement(using: &random) else { preconditionFailure("there is nothing to pick") }
    return element
  }
}
