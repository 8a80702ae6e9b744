import Foundation
import MotionClient
import MotionModel
import Testing

extension TimedTests {
  /// The page while motiond is gone: it says so within a second.
  @Suite struct PageOutageTests {
    // Clauses: S30.8, S30.15, S30.45
    @Test func `the page says that motiond is gone, and continues when it is back`() throws {
      let room = try PageStage()
      let browser = room.browser
      room.daemon.process.kill()
      try awaitTruth("the page says so", within: .seconds(1)) {
        try browser.text("#connection").contains("motiond is gone")
      }
      try browser.run("picture absent")
      room.daemon = try Daemon([.gestures()], in: room.daemon.directory)
      try awaitTruth("the page continues") {
        try browser.run("script document.getElementById('connection').dataset.state").text == "open"
      }
      let client = try room.daemon.connect()
      let rest = try #require(try browser.ball())
      try client.add(.springTo("position", [130, 50]), to: "ball")
      try awaitTruth("the ball moves in the page") { abs((try browser.ball()?.x ?? rest.x) - rest.x) > 10 }
    }
  }
}
