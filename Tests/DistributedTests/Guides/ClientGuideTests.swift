import Foundation
import LinuxSystem
import MotionClient
import MotionModel
import MotionWire
import Testing
import ZeroMQ

extension DistributedTests {
  /// The guide docs/writing-a-client.md: the files that it shows run here, and have the effect that it states.
  @Suite struct ClientGuideTests {
    @Test func `the guide shows the files of its examples`() throws {
      let python = try blocks("python")
      #expect(python.count > 5)
      let files = try ["motion_client", "follow", "drag"].map { try source("examples/clients/python/\($0).py") }
      #expect(lines(python.joined()) == lines(files.joined()), "all of each, in order, but for empty lines")
      let code = try source("Tests/DistributedTests/Guides/ClientCode.swift")
      let marked = code.components(separatedBy: "\n// guide begins\n").dropFirst().compactMap {
        $0.components(separatedBy: "// guide ends\n").first
      }
      #expect(marked.count == 3)
      #expect(try blocks("swift") == marked)
    }

    @Test func `a follower in Python receives values of a restarted motiond`() throws {
      var daemon: Daemon? = try Daemon()
      let directory = try #require(daemon).directory
      let follower = try python("follow", ["ball"], directory)
      defer { follower.kill() }
      for epoch in 1...2 {
        if epoch == 2 {
          try #require(daemon).terminate()
          daemon = nil
          daemon = try Daemon(in: directory)
        }
        let client = try #require(daemon).connect()
        // The follower may not have subscribed yet, so the ball moves until it has.
        try awaitTruth("values of epoch \(epoch)", within: .seconds(20)) {
          try client.add(.springTo("position", [7, 8]), to: "ball")
          return try said("follow", directory).contains {
            $0["epoch"].count == UInt64(epoch) && $0["value"].elements.map(\.number) == [7, 8]
          }
        }
      }
      let heard = try said("follow", directory)
      #expect(heard.allSatisfy { $0["property"].text == "position" && $0["missed"].count == 0 })
    }

    @Test func `a pointer trace in Python drags the ball`() throws {
      let daemon = try Daemon([.gestures()])
      let client = try daemon.connect()
      let drag = try python("drag", ["ball"], daemon.directory)
      #expect(try drag.awaitEnd(within: .seconds(30)) == .exited(0), "\(daemon.directory.text(of: "drag.err"))")
      // The finger moved 100, and 16 of them were the slop.
      try awaitTruth("the ball is where it was let go") {
        try client.state(of: "position", of: "ball")?.state == PropertyState([84, 0])
      }
    }

    @Test func `a client in Python exits with 3 without motiond, and with 2 without arguments`() throws {
      let directory = try TestDirectory()
      let lost = try python("motion_client", ["ball", "position", "1", "2"], directory)
      #expect(try lost.awaitEnd(within: .seconds(20)) == .exited(3))
      #expect(directory.text(of: "motion_client.err").contains("is motiond running?"))
      let unused = try python("motion_client", [], directory)
      #expect(try unused.awaitEnd(within: .seconds(20)) == .exited(2))
    }

    @Test func `the client in Swift commits a spring, swipes and explains errors`() throws {
      let daemon = try Daemon([.gestures()])
      let client = try daemon.connect()
      var frames: [UInt64] = []
      let plan = try spring(to: [100, 50], through: client) { frames.append($0.frame) }
      #expect(plan?.outcome == .completed)
      #expect(frames.count > 20)
      #expect(try client.state(of: "position", of: "ball")?.state == PropertyState([100, 50]))

      let error = try #require(throws: MotionClientError.self) {
        try spring(to: [1, 2, 3], through: client) { _ in }
      }
      #expect(advice(about: error).hasPrefix("operation 0: "))
      let nobody = try #require(throws: MotionClientError.self) {
        try MotionClient(connectingTo: daemon.directory["nowhere"], name: "test")
      }
      #expect(advice(about: nobody).hasPrefix("try again later: "))

      try client.add(.draggable(), named: "drag", to: "ball")
      _ = try client.awaitReady("gesture")
      try swipe(through: client, now: BootClock.now / .seconds(1))
      try awaitTruth("the ball follows") {
        try client.state(of: "position", of: "ball")?.state.value == [184, 50]
      }
    }

    /// Starts one of the programs of the guide against the daemon of a directory.
    private func python(_ name: String, _ arguments: [String], _ directory: TestDirectory) throws -> ChildProcess {
      try ChildProcess(
        "/usr/bin/python3", [Programs.source("examples/clients/python/\(name).py")] + arguments,
        environment: [
          "PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1", "MOTIOND_RUNTIME_DIR": directory["run"],
        ], output: directory[name], errors: directory[name + ".err"])
    }

    /// The whole lines of JSON that a program has printed.
    private func said(_ name: String, _ directory: TestDirectory) throws -> [JSON] {
      let text = directory.text(of: name)
      guard let end = text.lastIndex(of: "\n") else { return [] }
      return try text[..<end].split(separator: "\n").map { try JSON($0) }
    }

    private func blocks(_ language: String) throws -> [String] {
      try source("docs/writing-a-client.md").components(separatedBy: "```\(language)\n").dropFirst().compactMap {
        $0.components(separatedBy: "```").first
      }
    }

    private func lines(_ text: String) -> [Substring] { text.split(separator: "\n") }

    private func source(_ path: String) throws -> String {
      try String(contentsOfFile: Programs.source(path), encoding: .utf8)
    }
  }
}
