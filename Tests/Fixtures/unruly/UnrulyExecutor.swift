import Glibc
import MotionCore
import MotionExecutorKit
import MotionModel

/// Moves a property evenly to a value, and has the given vice.
final class UnrulyExecutor: NamedExecutor, UpdatingExecutor, YieldingExecutor {
  private struct Move {
    let identity: IntentionIdentity
    let name: IntentionName?
    let property: PropertyName
    let handle: PropertyHandle
    let from: Lanes
    let to: Lanes
    let startTime: Double
    let duration: Double
  }

  private let context: ExecutorContext
  private let misdeeds: Misdeeds
  private var moves: [Move] = []

  /// The type of intention `name`, which an executor of the same name fulfils.
  static func description(of name: String) throws -> IntentionDescription {
    IntentionDescription(
      type: try IntentionType(name), kind: .oneShot, executor: try ExecutorType(name),
      fields: [
        FieldDescription(
          "property", .property, default: .property("level"), access: .writes, "The property that moves."),
        FieldDescription(
          "to", .number, .vector, default: .number(1), lanesOf: "property", "Where it goes, at an even pace."),
        FieldDescription(
          "duration", .duration, default: .duration(.milliseconds(300)), range: 0...Limits.durationSeconds, unit: "s",
          "How long it takes."),
      ], documentation: "Moves a property evenly to a value, by a plugin that may misbehave.")
  }

  /// Declares executors that do these misdeeds.
  static func declaration(of name: String, _ misdeeds: Misdeeds) throws -> ExecutorDeclaration {
    ExecutorDeclaration(
      type: try ExecutorType(name), descriptions: [try description(of: name)], acceptsNames: true
    ) { _, context in
      UnrulyExecutor(context, misdeeds)
    }
  }

  private init(_ context: ExecutorContext, _ misdeeds: Misdeeds) {
    self.context = context
    self.misdeeds = misdeeds
  }

  func add(_ planned: PlannedIntention) throws { try add(planned, as: nil) }

  func add(_ planned: PlannedIntention, named name: IntentionName) throws { try add(planned, as: name) }

  func remove(_ identity: IntentionIdentity) { moves.removeAll { $0.identity == identity } }

  func remove(named name: IntentionName) { moves.removeAll { $0.name == name } }

  func update(_ frame: Frame) -> Bool {
    misdeeds.frameBegins()
    for move in moves {
      let share = move.duration > 0 ? min((frame.time - move.startTime) / move.duration, 1) : 1
      let way = move.to.storage - move.from.storage
      let isOver = share >= 1
      var value = Lanes(isOver ? move.to.storage : move.from.storage + way * share, count: move.to.count)
      if share >= 0.5 { value = Lanes(value.storage + misdeeds.jump, count: value.count) }
      let velocity = isOver ? SIMD4<Double>.zero : way / move.duration
      context.write(move.property, PropertyState(value, velocity: Lanes(velocity, count: move.to.count)))
      misdeeds.wrote(move.handle, lanes: move.to.count, by: context.executor, in: frame)
      if isOver {
        remove(move.identity)
        context.finish(move.identity)
      }
    }
    return !moves.isEmpty
  }

  func displaced(_ property: PropertyName) { moves.removeAll { $0.property == property } }

  func resumed(_ property: PropertyName, from state: PropertyState, at time: Double) {}

  private func add(_ planned: PlannedIntention, as name: IntentionName?) throws {
    misdeeds.planArrives(planned)
    guard let start = planned.starts.first else {
      throw Refusal(.fields, field: "property", "the plan came without a start", remedy: "Give it one.")
    }
    let to = planned.intention["to"]?.lanes ?? 1
    var duration = 0.3
    if case .duration(let given)? = planned.intention["duration"] { duration = given.inSeconds }
    let earlier = moves.first { $0.property == start.property }
    displaced(start.property)
    moves.append(
      Move(
        identity: planned.identity, name: name, property: start.property, handle: start.handle,
        from: start.state.value, to: to, startTime: planned.startTime, duration: duration))
    if let earlier { context.finish(earlier.identity, .displaced) }
  }
}
