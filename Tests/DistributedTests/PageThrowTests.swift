import Foundation
import MotionClient
import MotionModel
import MotionWire
import Testing

extension TimedTests {
  /// A throw in the page. A hand whose moves arrive all at once throws otherwise.
  @Suite struct PageThrowTests {
    // Clauses: S30.3, S30.14, S30.15
    @Test func `the page exchanges its token, shows a ball, and throws it`() throws {
      let room = try PageStage()
      let browser = room.browser
      #expect(try !browser.run("address").text.contains("token"))
      let rest = try #require(try browser.ball())
      let client = try room.daemon.connect()
      let watcher = try Watcher(client, .motion(.target("ball")))
      try browser.run("drag \(rest.x) \(rest.y) 80 40 THROW")
      try client.awaitIdle()
      try watcher.listenUntilIdle(client)
      let track = watcher.track("position", of: "ball")
      #expect(track.count > 20)
      #expect(track.contains { $0.value[0] > 130 }, "the ball follows the hand")
      // The spring brings it back.
      let end = try room.place() - SIMD2(100, 50)
      #expect((end * end).sum() < 1)
      try awaitTruth("the page shows its end") {
        guard let seen = try browser.ball() else { return false }
        let way = seen - rest
        return (way * way).sum() < 9
      }
      try browser.run("picture stage")
    }
  }
}
