import MotionCore
import MotionModel

/// A runtime with the surroundings that a test needs: a trace, a port to workers that do not exist, puppets.
///
/// It runs at 100 frames a second, so that a frame is 0.01 s, unless a test needs another rate.
final class Scene {
  let runtime: Runtime
  let trace: TraceLog
  let port = FakePort()
  let stage = Stage()

  init(instances: Int = 1, ratePerSecond: Double = 100) throws {
    var registry = ExecutorRegistry()
    try registry.register(.tween(instances: instances))
    try registry.register(.gesture)
    for declaration in stage.declarations { try registry.register(declaration) }
    runtime = Runtime(registry: registry, ratePerSecond: ratePerSecond)
    runtime.workerPort = port
    trace = TraceLog(runtime)
  }

  /// Commits one plan.
  @discardableResult
  func add(
    _ intention: Intention, named name: IntentionName? = nil, to target: TargetName = "ball"
  ) throws -> IntentionIdentity {
    var transaction = Transaction()
    if let name { transaction.add(intention, named: name, to: target) } else { transaction.add(intention, to: target) }
    return IntentionIdentity(sequence: try runtime.commit(transaction).sequence, operation: 0)
  }

  func remove(_ name: IntentionName, from target: TargetName = "ball") throws {
    var transaction = Transaction()
    transaction.remove(named: name, from: target)
    try runtime.commit(transaction)
  }

  func forget(_ target: TargetName = "ball") throws {
    var transaction = Transaction()
    transaction.forget(target)
    try runtime.commit(transaction)
  }

  func advance(_ frames: Int = 1) {
    for _ in 0..<frames { runtime.advance() }
  }

  /// The first lane of a property's value, and of its velocity.
  func value(_ property: PropertyName = "x", on target: TargetName = "ball") -> Double {
    runtime.state(of: property, on: target)?.value[0] ?? .nan
  }

  func velocity(_ property: PropertyName = "x", on target: TargetName = "ball") -> Double {
    runtime.state(of: property, on: target)?.velocity[0] ?? .nan
  }

  /// The ends of plans since the last call: `1.0 completed`.
  func ended() -> [String] {
    trace.takeEnded().map { "\($0.identity) \($0.outcome)" }
  }

  /// The row of a property.
  func row(_ property: PropertyName = "x", on target: TargetName = "ball") throws -> PropertyRow? {
    guard case .properties(let rows)? = try runtime.answer(.properties(target)) else { return nil }
    return rows.first { $0.reference.property == property }
  }

  /// The present plans, in order.
  func intentions() throws -> [IntentionRow] {
    guard case .intentions(let rows)? = try runtime.answer(.intentions(nil)) else { return [] }
    return rows
  }

  /// The executor in charge of a property.
  func driver(_ property: PropertyName = "x", on target: TargetName = "ball") throws -> ExecutorType? {
    try row(property, on: target)?.driver
  }

  /// A worker of a plugin that is provisioned.
  func worker(_ plugin: PluginName, _ instance: Int = 0) -> FakeWorker {
    let worker = FakeWorker(WorkerAddress(plugin, instance), self)
    worker.provision()
    return worker
  }
}

extension PluginManifest {
  static func tween(instances: Int = 1) -> PluginManifest {
    PluginManifest(
      name: "tween", executable: "tween",
      intentions: [TweenIntention.description, SquashAndStretchIntention.description], instances: instances)
  }

  static let gesture = PluginManifest(
    name: "gesture", executable: "gesture",
    intentions: [
      DraggableIntention.description, PinchableIntention.description, RotatableIntention.description,
    ])
}
