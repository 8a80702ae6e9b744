import Foundation
import MotionClient
import MotionModel
import Testing

extension TimedTests {
  /// examples/web, served as its README describes. The compositor has a tween only while motiond's values are in time.
  @Suite struct WebExampleTests {
    /// A server of files, at any port.
    private final class FileServer {
      let process: ChildProcess
      let origin: String

      init(_ folder: String, in directory: TestDirectory) throws {
        process = try ChildProcess(
          "/usr/bin/python3", ["-u", "-m", "http.server", "--bind", "127.0.0.1", "--directory", folder, "0"],
          environment: ["PATH": "/usr/bin:/bin"], output: directory["web.out"], errors: directory["web.log"])
        let port = try awaitFact("the port") { () -> Substring? in
          directory.text(of: "web.out").firstMatch(of: /port (\d+)/)?.1
        }
        origin = "http://127.0.0.1:\(port)"
      }
    }

    // Clauses: S30.47
    @Test func `a page of another site moves elements, and the compositor runs a tween until a spring takes over`()
      throws
    {
      let daemon = try Daemon([.tween()])
      let directory = daemon.directory
      let site = directory["site"]
      try FileManager.default.createDirectory(atPath: site, withIntermediateDirectories: true)
      let files = ["index.html", "app.js"].map { "examples/web/\($0)" }
      let modules = ["motion.js", "protocol.js", "pointers.js"].map { "Sources/MotionStudio/Page/\($0)" }
      for file in files + modules {
        let name = file.split(separator: "/").last.map(String.init) ?? file
        try FileManager.default.copyItem(atPath: Programs.source(file), toPath: "\(site)/\(name)")
      }
      let server = try FileServer(site, in: directory)
      let studio = try StudioProcess(to: daemon, runtimeDirectory: nil, "--allow-origin", server.origin)
      let token = try studio.viewer("add", "web", "--write").trimmingCharacters(in: .newlines)
      let origin = try #require(studio.page.split(separator: "/#").first)
      let browser = try Browser(
        studio, in: directory, address: "\(server.origin)/#studio=\(origin)&token=\(token)")
      try awaitTruth("the connection") { try browser.text("#connection") == "Connected" }
      #expect(try !browser.run("address").text.contains("token"))
      let client = try daemon.connect()
      func ball() throws -> String { try browser.run("script document.getElementById('ball').style.translate").text }
      try awaitTruth("the ball's first place") { try ball() == "100px 160px" }
      try browser.run("pull #stage 300 100 0 0")
      // The field may begin at a part of a pixel.
      try awaitTruth("the spring's end") { try ball().hasPrefix("300") || ball().hasPrefix("299.") }

      func opacity() throws -> Double {
        Double(try browser.run("script getComputedStyle(document.getElementById('card')).opacity").text) ?? .nan
      }
      try awaitTruth("an opaque card") { try opacity() == 1 }
      try browser.run("click #fade")
      try awaitTruth("the compositor") { try browser.text("#mode") == "the compositor" }
      #expect(
        try browser.run("script document.getElementById('card').getAnimations().length").number == 1)
      try awaitTruth("the fade is shown") { try opacity() < 0.9 }
      // Both are at the same place: motiond, and the browser on its own.
      let seen = try opacity()
      let value = try #require(try client.state(of: "opacity", of: "card")).state.value[0]
      #expect(abs(seen - value) < 0.2, "\(seen) in the browser, \(value) in motiond")
      try browser.run("click #wave")
      try awaitTruth("motiond's values again") { try browser.text("#mode") == "motiond's values" }
      try awaitTruth("the spring's end") { try opacity() == 1 }
      #expect(try browser.run("errors").elements.map(\.text) == [])
    }
  }
}
