import Foundation
import MotionClient
import MotionCore
import MotionHistory
import MotionModel
import Testing

extension DistributedTests {
  /// motion-studio plays the last minutes and recordings to viewers that are not ours.
  @Suite(.enabled(if: ViewerPeer.isInstalled, "PyPI websockets is not installed: make test installs it"))
  struct PlaybackTests {
    private static let position = "values/ball/position"

    /// A motiond that was restarted after a ball had moved to (100, 50), and in which it has moved to (0, 0) since; its last
    /// minutes as a recording, from the restart on; and a motion-studio.
    private final class Stage {
      let daemon: Daemon
      let client: MotionClient
      let studio: StudioProcess
      let file: String

      init() throws {
        let first = try Daemon(rate: 240, arguments: ["--history", "10min"])
        let former = try first.connect()
        try former.add(.springTo("position", [100, 50]), named: "away", to: "ball")
        try former.awaitIdle()
        #expect(try first.terminate() == .exited(0))
        daemon = try Daemon(rate: 240, in: first.directory, arguments: ["--history", "10min"])
        client = try daemon.connect()
        try client.add(.springTo("position", [0, 0]), named: "home", to: "ball")
        try client.awaitIdle()
        try client.add(.springTo("opacity", 1), to: "lamp")
        try client.awaitIdle()
        let folder = daemon.directory["recordings"]
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        file = "\(folder)/show.mcap"
        let run = try daemon.ctl("record", "--last", "10min", file)
        #expect(run.end == .exited(0), "\(run.errors)")
        studio = try StudioProcess(to: daemon, "--recordings", folder)
      }

      func player(_ path: String) throws -> ViewerPeer {
        try ViewerPeer("player", studio.live().replacing("/live", with: "/\(path)"), in: daemon.directory)
      }
    }

    private func state(_ viewer: ViewerPeer, _ status: String, _ id: String) throws -> JSON {
      try viewer.await("\(status), as answer to \(id)") {
        $0["event"].text == "state" && $0["status"].text == status && $0["id"].text == id
      }
    }

    // Clauses: S30.18, S30.19
    @Test func `a recording is played to its end, and each value is that of its frame`() throws {
      let stage = try Stage()
      let viewer = try stage.player("recording/show.mcap")
      let info = try viewer.await("what is played") { $0["event"].text == "info" }
      #expect(info["name"].text == "show.mcap" && info["end"].number > info["start"].number)
      #expect(info["capabilities"].elements.map(\.text) == ["time", "playbackControl"])
      try viewer.await("a channel") { $0["topic"].text == Self.position }
      try viewer.send("subscribe \(Self.position)")
      try viewer.send("subscribe motiond/drivers")
      try viewer.send("subscribe motiond/log")
      try viewer.await("the value at the beginning") {
        $0["topic"].text == Self.position && $0["event"].text == "message"
      }
      try viewer.send("play 1")
      _ = try state(viewer, "playing", "play 1")
      _ = try state(viewer, "ended", "")
      try viewer.await("the driver") { $0["message"]["driver"].text.hasSuffix("named home") }
      try viewer.await("a line of the log") {
        $0["message"]["message"].text.contains("named home drives ball/position")
      }
      try viewer.await("a channel of what comes later") { $0["topic"].text == "values/lamp/opacity" }
      let messages = try viewer.messages(of: Self.position)
      #expect(messages.last?["message"]["value"].elements.map(\.number) == [0, 0])
      #expect(messages.count > 10 && messages.count < 61 * 10)
      let timeline = try Timeline(stage.file)
      for (one, next) in zip(messages, messages.dropFirst()) {
        #expect(next["time"].number >= one["time"].number)
        #expect(next["message"]["frame"].count > one["message"]["frame"].count)
      }
      for message in messages {
        try timeline.seek(to: UInt64(message["message"]["frame"].count))
        let state = try #require(timeline.runtime.state(of: PropertyReference("ball", "position")))
        let found = (message["message"]["value"].elements + message["message"]["velocity"].elements).map(\.number)
        // Foundation reads the last digits of numbers differently.
        #expect(
          found.count == 4
            && zip(found, state.value.array + state.velocity.array).allSatisfy {
              abs($0 - $1) <= 1e-15 * max(1, abs($1))
            })
      }
      // motiond has gone on meanwhile, and was not changed.
      #expect(try stage.client.status().clock.isPaused == false)
      #expect(try stage.client.state(of: "position", of: "ball")?.state.value == [0, 0])

      // Back, and faster.
      try viewer.send("pause 0.05")
      #expect(try state(viewer, "paused", "pause 0.05")["seek"].flag)
      try viewer.await("the value of then") {
        $0["topic"].text == Self.position && abs($0["time"].number - 0.05) < 1e-6
      }
      try viewer.send("play 50")
      _ = try state(viewer, "playing", "play 50")
      try awaitTruth("the end, once more") {
        try viewer.events().filter { $0["event"].text == "state" && $0["status"].text == "ended" }.count == 2
      }
    }

    // Clauses: S30.18
    @Test func `the last minutes are played across a restart of motiond`() throws {
      let stage = try Stage()
      let viewer = try stage.player("history")
      try viewer.await("the beginning") { $0["event"].text == "state" }
      // At the beginning there is no ball.
      try viewer.send("subscribe \(Self.position)")
      try viewer.send("play 2")
      _ = try state(viewer, "ended", "")
      let values = try viewer.messages(of: Self.position).map { $0["message"]["value"].elements.map(\.number) }
      #expect(values.contains([100, 50]) && values.last == [0, 0])
      // The cursor of one viewer is not that of another.
      let other = try ViewerPeer(
        "player", stage.studio.live().replacing("/live", with: "/history"), in: stage.daemon.directory, named: "other")
      try other.await("the beginning") { $0["event"].text == "state" && $0["at"].number == 0 }
      // What motiond has erased meanwhile is explained to the viewer.
      #expect(try stage.daemon.ctl("forget", "--history").end == .exited(0))
      try viewer.send("pause 0")
      try viewer.await("an explanation") {
        $0["event"].text == "status" && $0["message"].text.contains("dropped this part of its history")
      }
      #expect(stage.studio.process.isRunning)
    }

    // Clauses: S30.18
    @Test(arguments: [
      ("recording/none.mcap", "no such file"), ("recording/noise.mcap", "not a recording"),
      ("recording/empty.mcap", "holds no recording"),
    ])
    func `what cannot be played is explained, and the connection is closed`(path: String, reason: String) throws {
      let daemon = try Daemon()
      for (name, text) in [("noise.mcap", String(repeating: "noise", count: 1000)), ("empty.mcap", "")] {
        try daemon.directory.write(text, to: name)
      }
      let studio = try StudioProcess(to: daemon, "--recordings", daemon.directory.path)
      let viewer = try ViewerPeer("player", studio.live().replacing("/live", with: "/\(path)"), in: daemon.directory)
      try viewer.await("the reason") {
        $0["event"].text == "status" && $0["message"].text.lowercased().contains(reason)
      }
      try viewer.await("the end") { $0["event"].text == "closed" }
    }

    // Clauses: S30.18
    @Test func `without a history or a folder of recordings the remedy is given`() throws {
      let daemon = try Daemon(arguments: ["--history", "none"])
      let studio = try StudioProcess(to: daemon)
      for (path, remedy) in [("history", "--history 10min"), ("recording/show.mcap", "--recordings DIR")] {
        let viewer = try ViewerPeer(
          "player", studio.live().replacing("/live", with: "/\(path)"), in: daemon.directory,
          named: "viewer-\(remedy.count)")
        try viewer.await("the remedy") { $0["event"].text == "status" && $0["message"].text.contains(remedy) }
      }
    }

    // Clauses: S30.19
    @Test func `messages of a playback are those of the reference server`() throws {
      let stage = try Stage()
      let address = stage.studio.live().replacing("/live", with: "/recording/show.mcap")
      let comparison = try ViewerPeer("player", address, "reference", in: stage.daemon.directory, named: "reference")
      let events = try comparison.finish(within: .seconds(40))
      #expect(events.last?["compared"].count == 4)
      #expect(
        events.dropLast().map { $0["difference"].text } == [
          "serverInfo.metadata: access is more", "serverInfo.metadata: fg-library is missing",
          "serverInfo.metadata: version is more",
        ])
    }
  }
}
