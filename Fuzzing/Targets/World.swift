import MotionCore
import MotionExecutors
import MotionFiles
import MotionModel
import MotionWire

/// A runtime to which things happen, and what holds of it in any case.
enum World {
  /// All types of intentions, with their executors in this process where those do without a network.
  static func registry() throws -> ExecutorRegistry {
    var registry = ExecutorRegistry()
    try registry.register(ExecutorDeclaration(TweenExecutor.self))
    try registry.register(ExecutorDeclaration(SquashAndStretchExecutor.self))
    try registry.register(ExecutorDeclaration(GestureExecutor.self))
    try registry.register(
      PluginManifest(name: "osc", executable: "osc", intentions: [SendOSCIntention.description]))
    return registry
  }

  /// Runs some frames.
  static func run(_ runtime: Runtime, frames: Int) throws {
    for _ in 0..<frames {
      runtime.advance()
      try checkLog(runtime)
      try check(runtime)
    }
  }

  /// Whatever has happened, the next thing can.
  static func goOn(_ runtime: Runtime) throws {
    var transaction = Transaction()
    transaction.add(.springTo("position", [3, 4]), to: "next")
    transaction.add(.tween("opacity", to: 0.5), to: "next")
    do throws(Refusal) { _ = try runtime.commit(transaction) } catch { try Told.check(error) }
    try run(runtime, frames: 3)
  }

  /// Everything is at a place, and moves at a velocity, that a property may have.
  static func check(_ runtime: Runtime) throws {
    let columns = runtime.columns
    try require(
      columns.values.allSatisfy { abs($0) <= Limits.valueMagnitude }
        && columns.velocities.allSatisfy { abs($0) <= Limits.velocityMagnitude },
      "a property is at \(columns.values) and moves with \(columns.velocities)")
  }

  /// Takes the records of the log, whose frames are in order.
  static func checkLog(_ runtime: Runtime) throws {
    var last: UInt64 = 0
    for record in runtime.log.take() {
      try require(
        record.frame.number >= last && record.frame.number <= runtime.frame.number,
        "a record of frame \(record.frame.number) follows one of frame \(last)")
      last = record.frame.number
    }
  }

  /// What the runtime would write into a journal is what a start reads from there, and a runtime goes on from it.
  static func checkpoint(_ runtime: Runtime) throws {
    let checkpoint = runtime.checkpoint()
    let bytes = JournalCoding.bytes(of: checkpoint)
    let again: RuntimeCheckpoint
    do {
      again = try JournalCoding.checkpoint(in: bytes)
    } catch {
      throw FuzzFinding("the checkpoint of a runtime cannot be read: \(error); it is \(checkpoint)")
    }
    try require(again == checkpoint, "the checkpoint of a runtime reads back as another one")
    let next = Runtime(registry: runtime.registry, ratePerSecond: runtime.ratePerSecond)
    next.restore(again)
    try goOn(next)
  }
}

/// Errors that people, and clients, read: each says something, and what to do.
enum Told {
  static func check(_ error: WireError) throws {
    try require(!error.code.rawValue.isEmpty && !error.message.isEmpty, "an error says nothing: \(error)")
    try require(!error.field.isEmpty || !error.remedy.isEmpty, "an error has neither place nor remedy: \(error)")
  }

  static func check(_ refusal: Refusal) throws {
    try require(!refusal.code.rawValue.isEmpty && !refusal.message.isEmpty, "a refusal says nothing: \(refusal)")
    try require(!refusal.remedy.isEmpty, "a refusal has no remedy: \(refusal)")
  }

  static func check(_ errors: FileErrors) throws {
    for error in errors.errors {
      try require(!error.message.isEmpty, "an error says nothing: \(error)")
      try require(error.position.line >= 1 && error.position.column >= 1, "an error has no place: \(error)")
    }
  }
}
