import Foundation
import MotionClient
import MotionModel
import Testing

extension DistributedTests {
  /// The pictures of the page in the documents. `make pictures` keeps them in docs/pictures.
  @Suite struct PagePictureTests {
    /// The most bytes of a picture: it is part of the repository.
    private static let mostBytes = 200_000

    /// A few targets that move, with a hand-over that jumps.
    ///
    /// - Returns: a little before that, in simulated seconds.
    private func show(_ stage: PageStage) throws -> Double {
      let client = try stage.daemon.connect()
      try client.add(.springTo("position", [-120, -60]), to: "lamp")
      try client.add(.springTo("opacity", 0.6), to: "lamp")
      try client.add(.springTo("position", [20, 140]), to: "card")
      try client.add(.springTo("rotation", 0.6), to: "card")
      try client.add(.springTo("scale", [1.6, 1.2]), to: "card")
      try client.awaitIdle()
      let start = try client.status().frame
      try stage.jump(from: "160,50", to: "-40,20", duration: "900ms")
      try awaitTruth("in the midst of it") { try client.status().frame.number > start.number + 60 }
      try client.add(.springTo("position", [140, -20]), to: "ball")
      try client.awaitIdle()
      return start.time - 2
    }

    // Clauses: S30.40, S30.42, S30.48
    @Test func `each room is pictured, dark and light, on a screen and on a phone`() throws {
      let stage = try PageStage("--history", "10min")
      let browser = stage.browser
      let loaded = [
        "stage": "#why tr", "hierarchy": "#rows .row", "timeline": "#marks button",
        "graph": "#graph-picture .node",
      ]
      let from = try show(stage)
      let page = try browser.run("script location.href.split('#')[0]").text
      try browser.run("go \(page)#room=stage&target=ball&property=position&from=\(from)")
      let looks = [("", "1280 720", "dark"), ("-light", "1280 720", "light"), ("-phone", "390 844", "dark")]
      for (name, size, scheme) in looks {
        try browser.run("size \(size)")
        try browser.run("scheme \(scheme)")
        for room in ["stage", "hierarchy", "timeline", "graph"] {
          try stage.enter(room)
          try awaitTruth("\(room) is complete") {
            try browser.run("script document.querySelectorAll('\(loaded[room] ?? "")').length").number > 0
          }
          try browser.run("script new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100)))")
          try browser.run("picture \(room)\(name)")
          let path = "\(browser.pictures)/\(room)\(name).png"
          let bytes = try #require(FileManager.default.contents(atPath: path)).count
          #expect(bytes <= Self.mostBytes, "\(path) has \(bytes) bytes")
        }
      }
    }
  }
}
