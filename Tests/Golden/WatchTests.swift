import FakeCoordinator
import MotionModel
import MotionWire
import Testing

/// Watching through the end of a daemon and the beginning of the next.
@Suite(.timeLimit(.minutes(1))) struct WatchTests {
  private let names = [
    NamedProperty(handle: PropertyHandle(1), reference: PropertyReference("ball", "level"), lanes: 1)
  ]

  private func values(_ frame: UInt64, _ level: Double) -> Values {
    Values(frame: frame, time: 1, dt: 0.01, handles: [PropertyHandle(1)], counts: [1], lanes: [level])
  }

  @Test func `watch continues with the next daemon`() throws {
    let first = try FakeCoordinator()
    first.declare("v/", names, values(900, 1))
    let watch = try Program.start(["watch"], runtimeDirectory: first.paths.directory)
    defer { watch.end() }
    let before = try watch.line()
    #expect(before.contains(#""event":"values""#) && before.contains(#""frame":900"#))
    first.stop(keepsDirectory: true)
    #expect(try watch.line() == #"{"event":"lost"}"#)
    let second = try FakeCoordinator(directory: first.paths.directory, epoch: 2)
    defer { second.stop() }
    second.declare("v/", names, values(3, 0.5))
    // Messages of the new daemon may arrive before its properties are declared; the test requires only that the
    // properties come.
    #expect(try watch.line() == #"{"event":"restarted","epoch":2}"#)
    second.publish("v/", values(4, 0.75))
    var line = try watch.line()
    while line.contains(#""event":"values""#), !line.contains(#""frame":4"#) { line = try watch.line() }
    #expect(line.contains("0.75"))
  }

  // Clauses: S18.14
  @Test func `watch ends when its reader ends, also while nothing moves`() throws {
    let coordinator = try FakeCoordinator()
    defer { coordinator.stop() }
    coordinator.declare("v/", names, values(900, 1))
    // The shell waits for both ends of the pipe.
    let run = try Program.shell("\"$MOTIONCTL\" watch --runtime-dir \(coordinator.paths.directory) | head -n 1")
    #expect(run.status == 0 && run.output.contains(#""frame":900"#), "\(run)")
  }
}
