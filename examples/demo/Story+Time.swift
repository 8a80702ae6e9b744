import Foundation
import MotionClient
import MotionModel

extension Story {
  /// Act 6: time stands, steps and runs slowly.
  func bendTime() throws {
    Terminal.act(6, "Time is a tool: pause, step, slow motion")
    try stage.motionctl(["pause"])
    let paused = try client.status()
    let again = try client.status()
    try Terminal.check(
      paused.clock.isPaused && paused.clock.time == again.clock.time && paused.frame == again.frame,
      "time stands at \(paused.clock.time.text()) s, in frame \(paused.frame.number)")
    try stage.motionctl(["step", "12"])
    let stepped = try client.status()
    let passed = stepped.frame.time - paused.frame.time
    try Terminal.check(
      stepped.frame.number == paused.frame.number + 12 && abs(passed - 0.1) < 1e-9,
      "12 steps are 12 frames and \(passed.text(6)) s")
    try stage.motionctl(["speed", "0.25"])
    try stage.motionctl(["resume"])
    let before = try client.status()
    _ = try? listen(atMost: 0.8) { _ in false }
    let after = try client.status()
    let ratio = (after.clock.time - before.clock.time) / (after.uptime - before.uptime)
    try Terminal.check(abs(ratio - 0.25) < 0.02, "at speed 0.25, \(ratio.text(4)) simulated seconds pass in a second")
    try stage.motionctl(["speed", "1"])
  }

  /// Act 8: nothing moves, and nothing is spent on it.
  func rest() throws {
    Terminal.act(8, "An idle motiond costs nothing")
    try stage.motionctl(["stop"])
    try waitUntilIdle()
    let before = try client.status()
    let wokenBefore = try Kernel.wakeUps(of: stage.daemon.processIdentifier)
    _ = try? listen(atMost: 2) { _ in false }
    let woken = try Kernel.wakeUps(of: stage.daemon.processIdentifier) - wokenBefore
    let after = try client.status()
    let frames = counter("frame-wake-ups", after) - counter("frame-wake-ups", before)
    try Terminal.check(frames == 0, "\(frames) wake-ups of the frame timer in 2 s")
    // Heartbeats of a worker are two a second each way, and libzmq's own thread wakes for each message too.
    Terminal.note(
      "\(woken) wake-ups of all its threads in 2 s, by the kernel's count: heartbeats of the worker, and this client")
  }

  /// Waits until nothing moves.
  func waitUntilIdle() throws {
    let limit = Date().addingTimeInterval(10)
    while try client.status().isActive {
      guard Date() < limit else { throw DemoFailure("motiond does not become idle") }
      usleep(20_000)
    }
  }

  private func counter(_ name: String, _ status: Status) -> UInt64 {
    status.counters.first { $0.name == name }?.value ?? 0
  }
}
