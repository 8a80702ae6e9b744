import Foundation
import MotionClient
import MotionModel

extension Story {
  /// Act 4: the worker of a running tween is killed.
  func killTheWorker() throws {
    Terminal.act(4, "Nothing takes it down: the worker of a running tween is killed with SIGKILL")
    try swing()
    let observer = try stage.observer(of: "metronome")
    try observer.waitUntilItHears()
    var transaction = Transaction()
    transaction.add(.tween("opacity", from: 0, to: 1, duration: .milliseconds(2500)), to: "lamp")
    try client.commit(transaction)
    try listen(atMost: 5) { _ in self.lamp.samples.last.map { $0.velocity > 0 && $0.value > 0.3 } ?? false }
    let killed = try worker(of: "tween")
    let moment = Date()
    lamp.marks.append(.init(time: lamp.samples.last?.time ?? 0, label: "SIGKILL"))
    guard kill(killed.processID, SIGKILL) == 0 else { throw DemoFailure("process \(killed.processID) is not there") }
    let back = try waitForNewWorker(of: "tween", after: killed.incarnation)
    let outage = Date().timeIntervalSince(moment) * 1000
    let outcome = try listen(untilEndOn: "lamp", of: "Tween", atMost: 10)
    // What its worker's death has left of a difference may still fade.
    if lamp.samples.last?.value != 1 { try? listen(atMost: 1) { _ in self.lamp.samples.last?.value == 1 } }
    observer.stop()
    try report(outcome, outage, try observer.frames())
  }

  /// Something else that moves in every frame meanwhile, for the observer.
  private func swing() throws {
    var transaction = Transaction()
    transaction.add(
      .springTo("rotation", 1, .physical(tension: 80, friction: 0.05), threshold: 0.001, initialVelocity: 20),
      to: "metronome")
    try client.commit(transaction)
  }

  /// The worker of a plugin that runs.
  func worker(of plugin: PluginName) throws -> WorkerRow {
    guard let row = try client.plugins().first(where: { $0.name == plugin })?.workers.first else {
      throw DemoFailure("no worker of the plugin \(plugin) runs")
    }
    stage.sawWorker(row.processID)
    return row
  }

  /// Waits for the successor of a worker, until it is ready.
  func waitForNewWorker(of plugin: PluginName, after incarnation: UInt64) throws -> WorkerRow {
    let limit = Date().addingTimeInterval(10)
    while Date() < limit {
      let row = try worker(of: plugin)
      if row.incarnation > incarnation, row.state == .ready { return row }
      // Hearing goes on, so that the queue of the subscription does not fill.
      if let event = try values.next(timeout: .milliseconds(2)) { hear(event) }
    }
    throw DemoFailure("the worker did not come back within 10 s")
  }

  private func report(_ outcome: Outcome, _ outage: Double, _ frames: [UInt64]) throws {
    // The lamp was lit; the tween says that it comes from dark, and so it does at once. That is asked for, and left out.
    let death = lamp.marks.first?.time ?? 0
    lamp.samples.removeAll { $0.velocity == 0 && $0.time < death }
    Terminal.say("   opacity  \(Terminal.sparkline(lamp.samples.map(\.value)))")
    let missed = Int((frames.last ?? 0) - (frames.first ?? 0)) + 1 - frames.count
    try Terminal.check(
      !frames.isEmpty && missed == 0,
      "a observer in a process of its own missed \(missed) of \(frames.count) frames of another property")
    try Terminal.check(outage < 2000, "\(outage.text(0)) ms until a new worker had been told everything")
    let step = lamp.largestStep(since: death)
    try Terminal.check(
      step < 0.02, "the largest step of the opacity in one frame: \(step.text(4)) (undisturbed: 0.0033)")
    try Terminal.check(
      outcome == .completed && lamp.samples.last?.value == 1, "the tween ended where it should: at exactly 1")
  }
}
