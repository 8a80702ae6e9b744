import Foundation
import MotionClient
import MotionModel
import Testing

/// A motiond with a ball at (100, 50) that can be thrown, a motion-studio, and its page in a browser.
final class PageStage {
  var daemon: Daemon
  let studio: StudioProcess
  let browser: Browser

  /// Opens the page, and waits until it shows the ball.
  ///
  /// - Parameter prepare: what happens before the page is opened: a browser makes a machine busy, and workers late.
  init(
    _ arguments: String..., plugins: [PluginFolder] = [],
    after prepare: (Daemon, MotionClient) throws -> Void = { _, _ in }
  ) throws {
    daemon = try Daemon([.gestures(), .tween()] + plugins, arguments: arguments)
    let client = try daemon.connect()
    try client.add(.springTo("position", [100, 50]), to: "ball")
    try client.awaitIdle()
    let added = try daemon.ctl(
      "add", "Tossable", "--to", "ball", "destination=100,50", "slop=0", "tension=20", "friction=2")
    try #require(added.end == .exited(0))
    _ = try client.awaitReady("gesture")
    try prepare(daemon, client)
    studio = try StudioProcess(to: daemon)
    browser = try Browser(studio, in: daemon.directory)
    do {
      try awaitTruth("the ball is seen") { [browser] in try browser.ball() != nil }
    } catch is WaitTimeout {
      let shown = try browser.run("script document.body.innerText").text
      throw WaitTimeout(
        "the ball is seen", after: factTimeout, last: "\(shown)\n\(try browser.run("errors"))\n\(studio.log)")
    }
  }

  /// Where the ball is.
  func place() throws -> SIMD2<Double> {
    let value = try #require(try daemon.connect().state(of: "position", of: "ball")).state.value
    return SIMD2(value[0], value[1])
  }

  /// Commits a tween that begins elsewhere than the ball is: it jumps on purpose.
  func jump(from start: String = "300,50", to end: String = "0,50", duration: String = "300ms") throws {
    let run = try daemon.ctl(
      "add", "Tween", "--to", "ball", "--named", "leap", "property=position", "from=\(start)", "to=\(end)",
      "duration=\(duration)", "carry=false")
    guard run.end == .exited(0) else { throw Problem("motionctl add: \(run.errors)") }
  }

  /// The page with the Timeline of the ball, after a tween that jumped to (200, 50) on purpose.
  static func timeline() throws -> PageStage {
    let stage = try PageStage("--history", "10min")
    try stage.jump(from: "200,50")
    try stage.daemon.connect().awaitIdle()
    let ball = try #require(try stage.browser.ball())
    try stage.browser.run("pull #canvas \(ball.x) \(ball.y) 0 0")
    try stage.enter("timeline")
    try awaitTruth("the hand-over") { try stage.browser.text("#marks").contains("Tween") }
    return stage
  }

  /// Goes to a room with a click, and waits until it is shown.
  func enter(_ room: String) throws {
    try browser.run("click #tab-\(room)")
    try awaitTruth("the room \(room)") { try !browser.run("script document.getElementById('\(room)').hidden").flag }
  }
}
