import Faults
import Foundation
import MotionClient
import MotionModel
import MotionWire
import Testing
import ZeroMQ

extension DistributedTests {
  /// The daemon as a process: one daemon for a directory, a new epoch for each start, a way to stop.
  @Suite struct DaemonTests {
    // Clauses: S18.11
    @Test(arguments: ["debug", "trace"]) func `no log level shows the environment`(level: String) throws {
      let secret = "hunter2-\(level)"
      let daemon = try Daemon(arguments: ["--log-level", level], environment: ["SOME_TOKEN": secret])
      try daemon.connect().add(.springTo("position", [1, 2]), to: "ball")
      #expect(try daemon.terminate() == .exited(0))
      #expect(daemon.log.contains("debug motiond"), "the level is in effect")
      #expect(!daemon.log.contains(secret) && !daemon.log.contains("SOME_TOKEN"))
    }

    @Test(
      .fault(
        .operators, "A second motiond is started on the same directory", by: "a second start",
        promise: "refused; the first is not affected"))
    func `a second motiond in the same runtime directory is refused, and the first is undisturbed`() throws {
      let daemon = try Daemon()
      let client = try daemon.connect()
      let watcher = try Watcher(client, .motion(.everything))
      try client.add(.springTo("position", [100, 0], .physical(tension: 20, friction: 0)), to: "ball")
      try watcher.listen("it moves") { watcher.frames.count > 5 }

      let second = try Daemon.start(daemon.directory, log: "second")
      #expect(try second.awaitEnd() == .exited(1))
      let said = daemon.directory.text(of: "second")
      #expect(said.contains("another motiond runs in this directory"), "\(said)")
      #expect(said.contains("--runtime-dir"), "\(said)")

      let seen = watcher.frames.count
      try watcher.listen("it still moves") { watcher.frames.count > seen + 60 }
      #expect(Watcher.isGapless(watcher.track("position", of: "ball")))
      #expect(watcher.missed == 0)
      // New clients also reach the first daemon: its socket files are still its own.
      #expect(try daemon.connect().status().processID == daemon.process.processID)
      #expect(try daemon.connect().epoch == client.epoch)
    }

    @Test(
      .fault(
        .operators, "A second motiond is started on the same state directory", by: "a second start",
        promise: "refused with the remedy; the first is not affected"))
    func `a second motiond with the same state directory is refused, and the first is undisturbed`() throws {
      let daemon = try Daemon()
      let other = try TestDirectory()
      let second = try ChildProcess(
        Programs.path("motiond"),
        ["--runtime-dir", other["run"], "--state-dir", daemon.directory["state"], "--plugin-path", other["plugins"]],
        environment: ["PATH": "/usr/bin:/bin"], output: other["log"], errors: other["log"])
      #expect(try second.awaitEnd() == .exited(1))
      let said = other.text(of: "log")
      #expect(said.contains("another motiond keeps its state in this directory"), "\(said)")
      #expect(said.contains("--state-dir"), "\(said)")
      let client = try daemon.connect()
      #expect(try client.status().processID == daemon.process.processID)
      // The refused start did not use an epoch either: the next start has the next one.
      let epoch = client.epoch
      #expect(try daemon.terminate() == .exited(0))
      #expect(try Daemon(in: daemon.directory).connect().epoch == epoch + 1)
    }

    @Test(
      .fault(
        .operators, "A path is empty, or leads to no file", by: "each option that takes one",
        promise: "refused with the remedy"),
      arguments: [
        ["--runtime-dir", ""], ["--state-dir", ""], ["--journal", ""], ["--record", ""], ["--listen", ""],
        ["--plugin-path", ""],
        ["--config", "/"], ["--config", "/no/such/file"],
      ])
    func `an empty path or a path to no file is refused with the remedy`(arguments: [String]) throws {
      let directory = try TestDirectory()
      let process = try ChildProcess(
        Programs.path("motiond"), arguments + ["--check"], environment: ["HOME": directory.path],
        output: directory["said"], errors: directory["said"])
      #expect(try process.awaitEnd() == .exited(2))
      let said = directory.text(of: "said")
      #expect(said.contains("is empty; give a value") || said.contains("give --config"), "\(said)")
    }

    @Test func `motiond drains on SIGTERM, notifies the service manager and removes its sockets`() throws {
      let daemon = try Daemon()
      let client = try daemon.connect()
      try client.add(.springTo("position", [100, 0], .physical(tension: 20, friction: 0)), to: "ball")
      #expect(try daemon.terminate() == .exited(0))
      try daemon.notifications.hear("STOPPING=1", from: daemon.process)
      #expect(!FileManager.default.fileExists(atPath: daemon.paths.controlSocket))
      #expect(!FileManager.default.fileExists(atPath: daemon.paths.valuesSocket))

      let run = try daemon.ctl("status")
      #expect(run.end == .exited(3), "nobody can be reached: \(run.errors)")
      #expect(run.errors.contains("motiond"), "\(run.errors)")
    }

    @Test func `each start has a greater epoch, and a client continues with the next motiond`() throws {
      let directory = try TestDirectory()
      var daemon: Daemon? = try Daemon(in: directory)
      let client = try #require(try daemon?.connect())
      let first = client.epoch
      try client.add(.springTo("position", [1, 0]), to: "ball")
      daemon?.process.kill()
      daemon = nil

      daemon = try Daemon(in: directory)
      // The sockets of the killed daemon still exist; its lock does not.
      try client.add(.springTo("position", [2, 0]), to: "ball")
      #expect(client.epoch > first)
      try client.awaitIdle()
      #expect(try client.state(of: "position", of: "ball")?.state.value == [2, 0])
      #expect(try #require(daemon).terminate() == .exited(0))
    }

    @Test(
      .fault(
        .peers, "A client sends bytes that are not a message",
        by: "empty, random and foreign bytes, and too many parts",
        promise: "refused or dropped, counted; changes nothing"))
    func `a message that cannot be decoded is refused or dropped, and counted, and changes nothing`() throws {
      let daemon = try Daemon()
      let client = try daemon.connect()
      let context = try ZeroMQContext()
      let stranger = try DealerSocket(context)
      try stranger.connect(.ipc(daemon.paths.controlSocket))
      for bytes in [[], [0], [255, 255, 255, 255], Array("GET / HTTP/1.1\r\n\r\n".utf8)] as [[UInt8]] {
        _ = try stranger.send(bytes)
      }
      _ = try stranger.send([Message([1]), Message([2]), Message([3])])
      let answer = try awaitFact("an answer") { try stranger.receiveOne().message }
      guard case .refusal(let refusal) = try Envelope(decoding: answer.bytes).body else {
        return #expect(Bool(false), "no refusal")
      }
      #expect(!refusal.remedy.isEmpty)
      try awaitTruth("all are counted") { try client.status()["malformed-messages"] ?? 0 >= 3 }
      #expect(try client.status().frame.number == 0)
    }
  }
}
