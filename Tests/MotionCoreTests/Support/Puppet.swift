import MotionCore
import MotionModel

/// An executor in this process that records its calls and acts as a test requires.
final class Puppet: NamedExecutor, UpdatingExecutor, YieldingExecutor, ReadingExecutor,
  InputExecutor
{
  let context: ExecutorContext
  /// The calls that it received: `add 1.0`, `displaced x`, …
  private(set) var calls: [String] = []
  private(set) var plans: [PlannedIntention] = []
  private(set) var frames: [Frame] = []
  var onAdd: ((PlannedIntention) throws -> Void)?
  var onUpdate: ((Frame) -> Bool)?
  var onReceive: (() -> Void)?

  init(_ context: ExecutorContext) {
    self.context = context
  }

  func takeCalls() -> [String] {
    defer { calls = [] }
    return calls
  }

  func add(_ planned: PlannedIntention) throws {
    calls.append("add \(planned.identity)")
    plans.append(planned)
    try onAdd?(planned)
  }

  func add(_ planned: PlannedIntention, named name: IntentionName) throws {
    calls.append("add \(planned.identity) \"\(name)\"")
    plans.append(planned)
    try onAdd?(planned)
  }

  func remove(_ identity: IntentionIdentity) { calls.append("remove \(identity)") }
  func remove(named name: IntentionName) { calls.append("remove \"\(name)\"") }

  func update(_ frame: Frame) -> Bool {
    frames.append(frame)
    return onUpdate?(frame) ?? false
  }

  func displaced(_ property: PropertyName) { calls.append("displaced \(property)") }

  func resumed(_ property: PropertyName, from state: PropertyState, at time: Double) {
    calls.append("resumed \(property) \(state.value) \(state.velocity)")
  }

  func receive(_ input: PointerInput) {
    let events = input.events.map { "\($0.phase) \($0.location.x)" }
    calls.append("receive \(input.device) " + events.joined(separator: ", "))
    onReceive?()
  }

  func noticed(_ property: PropertyReference, _ state: PropertyState?) {
    calls.append("noticed \(property) \(state.map { "\($0.value)" } ?? "gone")")
  }
}

/// The puppets of a runtime, by target and type, and the declarations of their types.
final class Stage {
  private(set) var puppets: [ExecutorKey: Puppet] = [:]
  /// The action of the next puppet of a type when a plan is added to it.
  var onAdd: [ExecutorType: (Puppet, PlannedIntention) throws -> Void] = [:]

  /// The puppet of a type on a target.
  func puppet(_ type: ExecutorType, on target: TargetName = "ball") -> Puppet? { puppets[ExecutorKey(target, type)] }

  /// One-shots `Show` of a `Player`, standing `Stay` of a `Stayer`, manipulations `Grab` of a `Hand` and `Grasp` of a
  /// `Glove`, `Pair`, a one-shot of the `Player` on two properties, and outputs `Print` of a `Printer`.
  var declarations: [ExecutorDeclaration] {
    [
      declaration("Player", [.puppet("Show", .oneShot, "Player"), .pair]),
      declaration("Stayer", [.puppet("Stay", .standing, "Stayer")]),
      declaration("Hand", [.puppet("Grab", .manipulation, "Hand")]),
      declaration("Glove", [.puppet("Grasp", .manipulation, "Glove")]),
      declaration("Printer", [.print]),
      declaration("Nameless", [.puppet("Whim", .oneShot, "Nameless")], acceptsNames: false),
    ]
  }

  private func declaration(
    _ type: ExecutorType, _ descriptions: [IntentionDescription], acceptsNames: Bool = true
  ) -> ExecutorDeclaration {
    ExecutorDeclaration(type: type, descriptions: descriptions, acceptsNames: acceptsNames) { [self] target, context in
      let puppet = Puppet(context)
      puppet.onAdd = { [unowned self, unowned puppet] in try onAdd[type]?(puppet, $0) }
      puppets[ExecutorKey(target, type)] = puppet
      return puppet
    }
  }
}

extension IntentionDescription {
  static func puppet(_ type: IntentionType, _ kind: IntentionKind, _ executor: ExecutorType) -> IntentionDescription {
    IntentionDescription(
      type: type, kind: kind, executor: executor,
      fields: [
        FieldDescription("property", .property, default: .property("x"), access: .writes, "What it writes."),
        FieldDescription("value", .number, .vector, lanesOf: "property", "A value."),
        FieldDescription("values", .list, elements: [.number, .vector], lanesOf: "property", "Several values."),
        FieldDescription("reads", .property, access: .reads, "What it reads."),
        FieldDescription("follows", .reference, "What it follows."),
      ], documentation: "For tests.")
  }

  static let print = IntentionDescription(
    type: "Print", kind: .output, executor: "Printer", fields: [], reads: ["x"], documentation: "For tests.")

  static let pair = IntentionDescription(
    type: "Pair", kind: .oneShot, executor: "Player", fields: [], writes: ["x", "y"], documentation: "For tests.")
}

extension Intention {
  static func show(_ property: PropertyName = "x") -> Intention { puppet("Show", property) }
  static func stay(_ property: PropertyName = "x") -> Intention { puppet("Stay", property) }
  static func grab(_ property: PropertyName = "x") -> Intention { puppet("Grab", property) }
  static func grasp(_ property: PropertyName = "x") -> Intention { puppet("Grasp", property) }

  private static func puppet(_ type: IntentionType, _ property: PropertyName) -> Intention {
    Intention(type, [.init("property", .property(property))])
  }
}
