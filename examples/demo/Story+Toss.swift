import Foundation
import MotionClient
import MotionFiles
import MotionModel

extension Story {
  /// Act 3: a hand drags the ball, flings it, catches it in flight, and lets it go.
  func tossTheBall() throws {
    Terminal.act(3, "A hand drags the ball, flings it, grabs it in flight, and lets go")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: stage.tracePath))
    let trace = try PointerTraceFile(Array(bytes), named: stage.tracePath, target: "ball")
    var toss = Toss(hand: trace.entries.map(\.event))
    let feel = ["tension=\(Toss.tension.text(0))", "friction=\(Toss.friction.text(0))"]
    // Without slop, so that the ball goes exactly as far as the hand.
    try stage.motionctl(["add", "Tossable", "--to", "ball", "destination=300,50", "slop=0"] + feel)
    try waitUntilReady("gesture")
    try waitUntilIdle()
    try forgetWhatWasSaid()
    let drawing = try stage.draw("ball/position", seconds: 5, into: stage.tossPicture)
    // So that the picture shows it at rest before the hand comes.
    _ = try? listen(atMost: 0.3) { _ in false }
    try stage.motionctl(["input", stage.tracePath, "--to", "ball"])
    try listen(atMost: 15) { event in
      toss.hear(event, Self.ballPosition)
      return toss.isOver
    }
    try drawing.finish(within: 10)
    try report(toss)
  }

  private func report(_ toss: Toss) throws {
    try Terminal.check(
      toss.drivers == ["Draggable", "AnchoredSpring", "Draggable", "AnchoredSpring"],
      "who drove it: \(toss.drivers.joined(separator: ", then "))")
    try reportThrow(toss)
    try reportCatch(toss)
    let jump = toss.largestJump()
    try Terminal.check(
      jump < 0.5, "the largest step beyond its velocity, hand-overs included: \(jump.text(4)) points in a frame")
    let (late, frames) = toss.lateness
    if late > 0 { Terminal.note("the hand's worker was late for its frame: \(late) of \(frames) values bridge that") }
    try Terminal.check(toss.isOver, "it rests at exactly 300, 50")
  }

  private func reportThrow(_ toss: Toss) throws {
    let (last, next) = try toss.release()
    let thrown = try toss.thrownVelocity()
    let released = last.state.velocity
    let difference = (0..<2).map { abs(released[$0] - thrown[$0]) }.max() ?? .infinity
    let speed = (thrown[0] * thrown[0] + thrown[1] * thrown[1]).squareRoot()
    try Terminal.check(
      difference < 0.02 * speed,
      "thrown with \(text(released)) per s; the hand of the trace has \(thrown[0].text(1)), \(thrown[1].text(1))")
    let distance = try toss.distanceFromHand(at: last)
    try Terminal.check(distance < 1e-6, "let go where the hand of the trace lets go: off by \(distance.text(9)) points")
    // One frame later the ball has to be where the spring's own formula takes it from there.
    let expected = toss.spring(after: last, for: next.dt)
    let error =
      (0..<2).map { lane in
        max(
          abs(next.state.value[lane] - expected.value[lane]),
          abs(next.state.velocity[lane] - expected.velocity[lane]) * next.dt)
      }.max() ?? .infinity
    try Terminal.check(
      next.frame == last.frame + 1 && error < 1e-6,
      "the spring began in the next frame with that velocity, from \(text(last.state.value)): "
        + "off by \(error.text(9)) points")
  }

  private func reportCatch(_ toss: Toss) throws {
    let (flight, held) = try toss.catching()
    let stands = held.allSatisfy { $0.state == held[0].state && $0.state.velocity == .zero(count: 2) }
    try Terminal.check(
      stands && held[0].frame == flight.frame + 1,
      "grabbed at \(text(flight.state.velocity)) per s it stood in the next frame, and moved no more")
  }

  private func text(_ lanes: Lanes) -> String { lanes.array.map { $0.text(1) }.joined(separator: ", ") }

  /// Waits until a worker of the plugin is ready, so that what begins next does not wait for its start.
  private func waitUntilReady(_ plugin: PluginName) throws {
    let limit = Date().addingTimeInterval(10)
    while true {
      let workers = try client.plugins().first { $0.name == plugin }?.workers ?? []
      if let worker = workers.first(where: { $0.state == .ready }) { return stage.sawWorker(worker.processID) }
      guard Date() < limit else { throw DemoFailure("no worker of the plugin \(plugin) is ready") }
      usleep(20_000)
    }
  }
}
