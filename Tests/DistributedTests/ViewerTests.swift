import Foundation
import MotionClient
import MotionModel
import MotionWire
import Testing

extension DistributedTests {
  /// motion-studio, with viewers that are not ours.
  @Suite(.enabled(if: ViewerPeer.isInstalled, "PyPI robo-ws-bridge is not installed: make test installs it"))
  struct ViewerTests {
    private let position = "values/ball/position"

    /// A motiond with a ball at 0, a motion-studio, and a viewer that is connected.
    private final class Stage {
      let daemon: Daemon
      let client: MotionClient
      let studio: StudioProcess
      let viewer: ViewerPeer

      init() throws {
        daemon = try Daemon(rate: 240)
        client = try daemon.connect()
        try client.add(.springTo("position", [0, 0]), to: "ball")
        try client.awaitIdle()
        studio = try StudioProcess(to: daemon)
        viewer = try ViewerPeer("viewer", studio.live(), in: daemon.directory)
        try viewer.await("a channel") { $0["event"].text == "channel" && $0["topic"].text == "values/ball/position" }
      }
    }

    // Clauses: S30.5, S30.6
    @Test func `a viewer follows a spring by the schemas that it was sent`() throws {
      let stage = try Stage()
      let (client, viewer) = (stage.client, stage.viewer)
      try viewer.send("subscribe \(position)")
      // The present value, before anything moves.
      let first = try viewer.await("the present value") { $0["event"].text == "message" }
      #expect(first["message"]["value"].elements.map(\.number) == [0, 0])
      try client.add(.springTo("position", [100, 50]), to: "ball")
      try viewer.await("the end") { $0["message"]["value"].elements.map(\.number) == [100, 50] }
      let messages = try viewer.messages(of: position)
      let moving = messages.dropFirst()
      #expect(moving.count > 20)
      // Of four frames in a sixtieth of a second one is sent, and the others are counted.
      for (a, b) in zip(moving, moving.dropFirst()) {
        let frames = b["message"]["frame"].count - a["message"]["frame"].count
        #expect(b["message"]["omitted"].count == frames - 1)
        #expect(b["message"]["velocity"].elements.count == 2)
      }
      let seconds = ((moving.last?["time"].number ?? 0) - (moving.first?["time"].number ?? 0)) / 1e9
      #expect(Double(moving.count - 1) / seconds < 61, "\(moving.count) messages in \(seconds) s")
    }

    // Clauses: S30.5
    @Test func `drivers, hand-overs and the graph are shown, and new targets have channels`() throws {
      let stage = try Stage()
      let (client, viewer) = (stage.client, stage.viewer)
      try client.add(.anchoredSpring("position", [1, 0]), named: "hold", to: "ball")
      try viewer.send("subscribe motiond/drivers")
      try viewer.send("subscribe motiond/log")
      try viewer.await("the present driver") { $0["message"]["driver"].text == "AnchoredSpring 2.0 named hold" }
      try client.add(.springTo("position", [1, 1]), named: "anchor", to: "ball")
      try viewer.await("the next driver") { $0["message"]["driver"].text.hasSuffix("named anchor") }
      try viewer.await("a line of the log") {
        $0["topic"].text == "motiond/log" && $0["message"]["message"].text.contains("named anchor drives ball/position")
      }
      try viewer.send("graph")
      try viewer.await("who drives it") {
        $0["published"][position].elements.map(\.text) == ["Physics in motiond on ball"]
      }
      try client.add(.springTo("opacity", 1), to: "lamp")
      try viewer.await("a new channel") { $0["event"].text == "channel" && $0["topic"].text == "values/lamp/opacity" }
      var transaction = Transaction()
      transaction.forget("lamp")
      try client.commit(transaction)
      try viewer.await("a channel that is gone") {
        $0["event"].text == "gone" && $0["topic"].text == "values/lamp/opacity"
      }
    }

    // Clauses: S30.9
    @Test func `a viewer sets parameters and calls services`() throws {
      let stage = try Stage()
      let (client, viewer) = (stage.client, stage.viewer)
      try client.add(.anchoredSpring("position", [1, 2]), named: "anchor", to: "ball")
      var transaction = Transaction()
      transaction.limit("position", of: "ball", PropertyLimits(velocity: [20, 20]))
      try client.commit(transaction)
      // A receipt comes before the frame that applies the limit.
      try awaitTruth("the limit is set") { try client.state(of: "position", of: "ball")?.limits != nil }
      try viewer.send("get")
      let all = try viewer.await("all parameters") { $0["event"].text == "parameters" }
      #expect(all["values"]["/clock/speed"].number == 1)
      #expect(all["values"]["/limits/ball/position"]["velocity"].elements.map(\.number) == [20, 20])
      try viewer.send("set /clock/speed 0.5")
      try viewer.await("the new speed") { $0["values"]["/clock/speed"].number == 0.5 }
      #expect(try client.status().clock.speed == 0.5)
      try viewer.send("set /limits/ball/position {\"velocity\": 500}")
      try viewer.await("the new limit") { $0["values"]["/limits/ball/position"]["velocity"].number == 500 }
      try awaitTruth("the limit is applied") {
        try client.state(of: "position", of: "ball")?.limits == .limits(PropertyLimits(velocity: [500]))
      }
      try viewer.send("set /plans/ball/anchor/destination [30, 40]")
      try viewer.await("the new destination") {
        $0["values"]["/plans/ball/anchor/destination"].elements.map(\.number) == [30, 40]
      }
      try client.awaitIdle()
      #expect(try client.state(of: "position", of: "ball")?.state.value == [30, 40])
      try viewer.send("set /clock/speed 0")
      try viewer.await("a refusal") {
        $0["event"].text == "status" && $0["message"].text.contains("/clock/speed has to be")
      }

      try viewer.send("call /motiond/pause {}")
      try viewer.await("a pause") { $0["response"]["paused"].flag }
      try viewer.send("call /motiond/step {\"frames\": 3}")
      try viewer.await("steps") { $0["service"].text == "/motiond/step" }
      try viewer.send("call /motiond/resume {}")
      try viewer.await("no pause") { $0["service"].text == "/motiond/resume" && !$0["response"]["paused"].flag }
      try viewer.send("call /motiond/why {\"property\": \"ball/position\"}")
      try viewer.await("an explanation") { $0["response"]["plan"]["name"].text == "anchor" }
      try viewer.send("call /motiond/stop {\"targets\": [\"ball\"]}")
      try viewer.await("a stop") { $0["service"].text == "/motiond/stop" }
      #expect(try client.plans(of: "ball").isEmpty)
      try viewer.send("call /motiond/why {\"property\": \"none/x\"}")
      try viewer.await("a failure") { $0["event"].text == "failed" && $0["error"].text.contains("none") }
    }

    // Clauses: S30.9
    @Test func `a viewer's commits have its name, and end with its connection`() throws {
      let stage = try Stage()
      let (client, viewer) = (stage.client, stage.viewer)
      try viewer.send(
        #"call /motiond/commit {"transaction": [{"add": {"type": "SpringTo", "property": "x", "destination": 5}, "#
          + #""named": "mine", "to": "ball"}], "whileConnected": true, "comment": "why not"}"#)
      try viewer.await("a receipt") { $0["response"]["sequence"].count == 2 }
      let plan = try #require(try client.plans(of: "ball").first { $0.name == "mine" })
      #expect(plan.provenance?.client.name == "studio page")
      #expect(plan.provenance?.comment == "why not")
      try viewer.send("quit")
      try awaitTruth("the plan has ended") { try !client.plans(of: "ball").contains { $0.name == "mine" } }
    }

    // Clauses: S30.4
    @Test func `a viewer that may only look is refused changes, and loses its connection with its token`() throws {
      let daemon = try Daemon()
      let studio = try StudioProcess(to: daemon)
      let token = try studio.viewer("add", "wall").trimmingCharacters(in: .newlines)
      #expect(try studio.viewer("list") == "read   wall\n")
      try awaitLog(of: studio, "1 have a token")
      let viewer = try ViewerPeer("viewer", studio.live(token), in: daemon.directory)
      try viewer.await("the connection") { $0["event"].text == "connected" }
      try viewer.send("set /clock/speed 2")
      try viewer.await("a refusal") { $0["message"].text.contains("may only look") }
      try viewer.await("the present value") {
        $0["values"]["/clock/speed"].number == 1 || $0["event"].text == "parameters"
      }
      #expect(try daemon.connect().status().clock.speed == 1)
      _ = try studio.viewer("remove", "wall")
      try awaitLog(of: studio, "The token of the viewer wall was revoked")
      try awaitLog(of: studio, "status 401")
    }

    // Clauses: S30.8
    @Test func `a viewer continues by itself when motiond is back`() throws {
      let stage = try Stage()
      let (daemon, viewer) = (stage.daemon, stage.viewer)
      try viewer.send("subscribe \(position)")
      try viewer.await("the present value") { $0["event"].text == "message" }
      daemon.process.kill()
      try viewer.await("the status") { $0["event"].text == "status" && $0["message"].text.contains("motiond is gone") }
      let next = try Daemon(in: daemon.directory)
      try viewer.await("the end of the status") { $0["event"].text == "removed" }
      try next.connect().add(.springTo("position", [7, 7]), to: "ball")
      try viewer.await("values") { $0["message"]["value"].elements.map(\.number) == [7, 7] }
      #expect(stage.studio.process.isRunning)
    }

    // Clauses: S30.2, S30.5
    @Test func `messages are those of the reference server`() throws {
      let stage = try Stage()
      let comparison = try ViewerPeer("reference", stage.studio.live(), in: stage.daemon.directory, named: "reference")
      let events = try comparison.finish(within: .seconds(40))
      let compared = try #require(events.last)["compared"].elements
      #expect(compared.count == 10, "all kinds: \(compared.map { $0.value ?? 0 })")
      let differences = events.dropLast().map { $0["difference"].text }
      // Metadata is each server's own. Of a subscription that does not exist, the other one tells nothing.
      let expected = [
        "serverInfo.metadata: access is more", "serverInfo.metadata: fg-library is missing",
        "serverInfo.metadata: version is more", "only of ours",
      ]
      #expect(differences == expected)
    }

    // Clauses: S30.12
    @Test func `motionctl open starts motion-studio once, and prints the address of its page`() throws {
      let daemon = try Daemon()
      let environment = StudioProcess.environment(daemon.directory)
      func open(_ number: Int) throws -> String {
        let command = try ChildProcess(
          try Programs.path("motionctl"), ["open", "--runtime-dir", daemon.paths.directory], environment: environment,
          output: daemon.directory["open.\(number)"], errors: daemon.directory["open.errors"])
        let end = try command.awaitEnd(within: .seconds(15))
        #expect(end == .exited(0), "\(daemon.directory.text(of: "open.errors"))")
        return daemon.directory.text(of: "open.\(number)").trimmingCharacters(in: .newlines)
      }
      let first = try open(1)
      let id = try #require(StudioProcess.started(by: daemon.directory))
      defer { kill(id, SIGKILL) }
      #expect(first.hasPrefix("http://127.0.0.1:"))
      #expect(try open(2) == first)
      let parts = first.split(separator: "#token=").map(String.init)
      let viewer = try ViewerPeer(
        "viewer", parts[0].replacing("http:", with: "ws:") + "live?token=\(parts[1])", in: daemon.directory)
      try viewer.await("the connection") { $0["event"].text == "info" }
    }

    @Test func `through a gateway a viewer has the gateway's permissions`() throws {
      let daemon = try Daemon()
      try daemon.connect().add(.springTo("position", [0, 0]), to: "ball")
      let gateway = try GatewayProcess(to: daemon, "--read-only")
      let studio = try StudioProcess(to: daemon, runtimeDirectory: gateway.paths.directory)
      let viewer = try ViewerPeer("viewer", studio.live(), in: daemon.directory)
      try viewer.await("a channel") { $0["event"].text == "channel" && $0["topic"].text == position }
      try viewer.send("subscribe \(position)")
      try viewer.await("the present value") { $0["event"].text == "message" }
      try viewer.send("call /motiond/pause {}")
      try viewer.await("a refusal") { $0["event"].text == "failed" && !$0["error"].text.isEmpty }
      #expect(try daemon.connect().status().clock.isPaused == false)
    }
  }
}
