import MotionClient
import MotionModel
import MotionWire
import Testing
import Trajectories

/// Motion that is unrelated to the fault of a test, and must not be affected by it.
///
/// A spring in the coordinator that never rests, watched frame by frame, and a plugin of its own with an endless tween.
final class Bystanders {
  private let client: MotionClient
  private let watcher: Watcher
  private let worker: WorkerRow

  /// Starts the motion. The daemon has to have the plugin `tween`.
  init(_ daemon: Daemon) throws {
    client = try daemon.connect()
    watcher = try Watcher(client, .motion(.target("bystander")))
    try client.add(.springTo("position", [100, 0], .physical(tension: 100, friction: 0)), to: "bystander")
    try client.add(
      .tween("glow", from: 0, to: 1, duration: .seconds(1), repetition: .forever, autoreverses: true),
      to: "bystander")
    worker = try client.awaitReady("tween")
    try watcher.listen("the bystanders move") { watcher.track("glow", of: "bystander").count > 10 }
  }

  /// Receives while a test waits, so that no queue grows.
  func listen() throws { try watcher.take(upTo: .milliseconds(5)) }

  /// Waits until a condition holds, and receives meanwhile.
  func wait(for name: String, within limit: Duration = factTimeout, _ isTrue: () throws -> Bool) throws {
    try awaitTruth(name, within: limit) {
      try listen()
      return try isTrue()
    }
  }

  /// Checks that they were not affected: no frame without the spring, no jump, the same worker.
  func expectUntouched(sourceLocation: SourceLocation = #_sourceLocation) throws {
    try listen()
    let seen = watcher.frames.count
    try watcher.listen("the bystanders still move") { watcher.frames.count > seen + 20 }
    let spring = watcher.track("position", of: "bystander")
    // Until the worker serves, it stays at the beginning.
    let tween = Array(watcher.track("glow", of: "bystander").drop { $0.value == 0 })
    #expect(watcher.missed == 0, sourceLocation: sourceLocation)
    #expect(Watcher.isGapless(spring), sourceLocation: sourceLocation)
    // At most 1000 a second for the spring: the distance of three frames is no jump.
    #expect(
      WorkerTests.largestStep(of: spring) < 30, "\(WorkerTests.aroundLargestStep(of: spring))",
      sourceLocation: sourceLocation)
    // On a busy machine its worker may be late and catch up, faster than 1 a second; but its movement matches its
    // published velocity. Where it turns, the distance of half a frame is in no velocity.
    let jump = Watcher.jump(of: tween)
    #expect(jump.value < 0.01, "\(jump.place)", sourceLocation: sourceLocation)
    let row = try client.worker("tween")
    #expect(row?.incarnation == worker.incarnation, sourceLocation: sourceLocation)
    #expect(row?.state == .ready, sourceLocation: sourceLocation)
  }
}

private typealias WorkerTests = DistributedTests.WorkerTests
