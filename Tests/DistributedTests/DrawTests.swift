import Foundation
import MotionClient
import MotionModel
import MotionWire
import Testing

extension DistributedTests {
  /// Curves of running and of recorded motion, with the drivers named.
  @Suite struct DrawTests {
    private func handOvers(_ track: JSON) -> [String] { track["handOvers"].elements.map(\.["to"].text) }

    @Test func `motion is drawn with its hand-overs, live and from the recording`() throws {
      let directory = try TestDirectory()
      try PluginFolder.tween().write(to: directory)
      let daemon = try Daemon(in: directory, arguments: ["--record", directory["show.motion"]])
      let client = try daemon.connect()
      try client.add(.springTo("position", [100, 50]), to: "ball")
      try client.awaitIdle()
      let svg = directory["live.svg"]
      let drawing = try daemon.ctl.start(["draw", "ball/position", "--seconds", "600", "--svg", svg, "--json"])
      try awaitTruth("it follows") { drawing.errors.contains("Following") }

      let watcher = try Watcher(client, .motion(.target("ball")), .drivers(.target("ball")))
      let spring = Intention.anchoredSpring("position", [400, 50], .physical(tension: 60, friction: 6))
      try client.add(spring, named: "hold", to: "ball")
      try watcher.listen("it flies") { watcher.track("position", of: "ball").last.map { $0.value[0] > 200 } ?? false }
      try client.add(.tween("position", to: [150, 50], duration: .milliseconds(200)), to: "ball")
      try watcher.listenUntilIdle(client)
      let order: [IntentionType?] = ["AnchoredSpring", "Tween", "AnchoredSpring"]
      #expect(watcher.handedOver.map { $0.driver?.type } == order)
      #expect(watcher.handedOver.first?.driver?.name == "hold")

      drawing.process.send(SIGINT)
      let run = try drawing.finish()
      #expect(run.end == .exited(0), "\(run.errors)")
      let live = try #require(try run.json()["tracks"].elements.first)
      #expect(handOvers(live) == ["AnchoredSpring", "Tween", "AnchoredSpring"])
      #expect(try run.json()["missed"].count == 0)
      let samples = live["samples"].elements
      #expect(samples.first?["value"].elements.map(\.number) == [100, 50])
      #expect(samples.last?["value"].elements.map(\.number) == [400, 50])
      // Each frame that the watcher received is a sample. The JSON reader used here rounds the last digit.
      let drawn = Dictionary(
        samples.map { ($0["frame"].count, $0["value"].elements.map(\.number)) }, uniquingKeysWith: { first, _ in first }
      )
      for point in watcher.track("position", of: "ball") {
        #expect(abs((drawn[point.frame]?.first ?? .infinity) - point.value[0]) < 1e-9)
      }
      let picture = try String(contentsOfFile: svg, encoding: .utf8)
      #expect(picture.contains("polyline") && picture.contains(">Tween</text>"))

      #expect(try daemon.terminate() == .exited(0))
      let again = try daemon.ctl("draw", "ball", "--recording", directory["show.motion"], "--json")
      #expect(again.end == .exited(0), "\(again.errors)")
      let recorded = try #require(try again.json()["tracks"].elements.first)
      #expect(handOvers(recorded) == ["SpringTo", "nobody", "AnchoredSpring", "Tween", "AnchoredSpring"])
      // The first hand-over may precede the live picture by a moment; the live picture then shows it at its beginning.
      let (before, now) = (recorded["handOvers"].elements.suffix(3), live["handOvers"].elements)
      for (one, other) in zip(before, now) { #expect(abs(one["time"].number - other["time"].number) < 1 / 120) }
      #expect(before.dropFirst().map(\.["time"].number) == now.dropFirst().map(\.["time"].number))
      #expect(recorded["samples"].elements.last?["value"].elements.map(\.number) == [400, 50])
      let drawnForPeople = try daemon.ctl("draw", "ball", "--recording", directory["show.motion"])
      #expect(drawnForPeople.output.contains("ball/position x") && drawnForPeople.output.contains("┊"))
    }

    @Test func `motionctl draw fails without values, and ends after the given seconds`() throws {
      let daemon = try Daemon()
      let run = try daemon.ctl("draw", "ghost", "--seconds", "0.2")
      #expect(run.end == .exited(1))
      #expect(run.errors.contains("nothing to draw"))
      let client = try daemon.connect()
      try client.add(.springTo("opacity", 0.5), to: "lamp")
      let lamp = try daemon.ctl("draw", "lamp", "--seconds", "0.2")
      #expect(lamp.end == .exited(0), "\(lamp.errors)")
      #expect(lamp.output.contains("lamp/opacity"))
    }
  }
}
