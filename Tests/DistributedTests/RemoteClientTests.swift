import Faults
import Foundation
import Glibc
import MotionClient
import MotionModel
import MotionWire
import Testing
import ZeroMQ

extension DistributedTests {
  /// Clients on other machines: only holders of an authorized key connect.
  @Suite struct RemoteClientTests {
    // Clauses: S16.6
    @Test func `a client with an authorized key commits, queries and watches over the network`() throws {
      let stage = try RemoteStage(clients: ["desk"])
      let client = try stage.connect("desk")
      let watcher = try Watcher(client, .motion(.everything))
      try client.add(.springTo("position", [100, 0]), to: "ball")
      try watcher.listen("it arrives") { watcher.track("position", of: "ball").last?.value == [100, 0] }
      #expect(watcher.missed == 0)
      #expect(client.paths == nil)

      let run = try stage.daemon.ctl(
        "list", "targets", "--connect", stage.address, "--key", stage.directory["desk.key"], "--server-key",
        stage.directory["state/motiond.pub"])
      #expect(run.output.contains("ball"), "\(run)")
    }

    // Clauses: S16.6
    @Test(
      .fault(
        .peers, "A client connects without a key, with another one, or with one of another role",
        by: "CURVE with each of them, and none", promise: "refused and counted"))
    func `a client without a key, or with another or a worker's key, is refused and counted`() throws {
      let stage = try RemoteStage(clients: ["desk"], strangers: ["thief"])
      let worker = try RemoteStage.makeKey("tween", in: stage.directory)
      let authorized = stage.directory.text(of: "authorized")
      try stage.directory.write(authorized + "worker \(worker.z85) tween\n", to: "authorized")
      stage.daemon.process.send(SIGHUP)
      try awaitTruth("both keys count") { stage.daemon.log.contains("2 keys are authorized") }
      let own = try stage.daemon.connect()

      for name in ["thief", "tween"] {
        let error = #expect(throws: MotionClientError.self) { try stage.connect(name, timeout: .milliseconds(500)) }
        #expect(error?.code == .timeout)
        #expect(error?.remedy.contains("authorized") == true, "\(String(describing: error))")
      }
      #expect(try own.status()["refused-peers-key"] == 2)

      // Without CURVE no message is received, and none is sent either.
      let (plain, subscriber) = (try DealerSocket(ZeroMQContext()), try SubscribeSocket(ZeroMQContext()))
      try plain.connect(Endpoint(stage.address))
      _ = try plain.send(Envelope(epoch: 0, incarnation: 1, sequence: 1, .greeting(Greeting(name: "x"))).encoded())
      try subscriber.connect(Endpoint(stage.remoteValues))
      try subscriber.subscribe([])
      try own.add(.springTo("position", [100, 0]), to: "ball")
      try own.awaitIdle()
      #expect(try plain.receiveOne().message == nil)
      #expect(try subscriber.receiveOne().message == nil)
      #expect(try own.status()["malformed-messages"] == 0)
    }

    // Clauses: S16.7
    @Test(
      .fault(
        .operators, "The key of a connected client is revoked", by: "its line is removed, SIGHUP",
        promise: "its connections end, and no others"))
    func `a key that is removed disconnects its connections, and no others`() throws {
      let stage = try RemoteStage(clients: ["desk", "lost"])
      let (desk, lost) = (try stage.connect("desk"), try stage.connect("lost"))
      let (near, far) = (try Watcher(desk, .motion(.everything)), try Watcher(lost, .motion(.everything)))
      try desk.add(.springTo("position", [100, 0], .physical(tension: 20, friction: 0)), to: "ball")
      try near.listen("it moves") { near.frames.count > 5 }
      try far.listen("it moves") { far.frames.count > 5 }

      let lines = stage.directory.text(of: "authorized").split(separator: "\n").filter { !$0.hasSuffix("lost") }
      try stage.directory.write(lines.joined(separator: "\n") + "\n", to: "authorized")
      stage.daemon.process.send(SIGHUP)
      try awaitTruth("the key is gone") { stage.daemon.log.contains("lost is no longer authorized") }

      // Messages that were under way at the revocation still arrive; then none does.
      try near.listen("who stays goes on") { near.frames.count > 5 }
      for _ in 0..<100 { guard try far.take(upTo: .milliseconds(500)) else { break } }
      let (seen, heard) = (near.frames.count, far.frames.count)
      try near.listen("who stays goes on for long") { near.frames.count > seen + 120 }
      try far.take(upTo: .milliseconds(200))
      #expect(far.frames.count == heard)
      lost.timeout = .milliseconds(500)
      #expect(throws: MotionClientError.self) { try lost.status() }
      #expect(try desk.status().processID == stage.daemon.process.processID)
      #expect(throws: MotionClientError.self) { try stage.connect("lost", timeout: .milliseconds(500)) }
    }

    // Clauses: S16.7
    @Test(
      .fault(
        .operators, "The file of keys has an error", by: "an invalid line, SIGHUP",
        promise: "it changes nothing; the log names the line"))
    func `a file of keys that cannot be read changes nothing`() throws {
      let stage = try RemoteStage(clients: ["desk"])
      let client = try stage.connect("desk")
      try stage.directory.write("client nonsense desk\n", to: "authorized")
      stage.daemon.process.send(SIGHUP)
      try awaitTruth("it is told") { stage.daemon.log.contains("previous ones stay in effect") }
      try awaitLog(of: stage.daemon, "authorized:1")
      #expect(try client.status().processID == stage.daemon.process.processID)
    }

    // Clauses: S16.8
    @Test(
      .fault(
        .operators, "motiond is configured to listen at an invalid address, or with keys that others can read",
        by: "such addresses and file modes", promise: "refused with the remedy"))
    func `invalid listen addresses and readable keys are refused with the remedy`() throws {
      let directory = try TestDirectory()
      func refusal(_ arguments: String...) throws -> String {
        let process = try Daemon.start(directory, arguments, log: "refusal")
        defer { unlink(directory["refusal"]) }
        #expect(try process.awaitEnd() != .exited(0))
        return directory.text(of: "refusal")
      }
      #expect(try refusal("--listen", "ws://127.0.0.1:5570").contains("tcp://HOST:PORT"))
      #expect(try refusal("--listen", "ipc:///tmp/x").contains("can connect over tcp only"))
      #expect(try refusal("--listen", "tcp://127.0.0.1:65535").contains("1 to 65534"))
      #expect(try refusal("--listen", "tcp://127.0.0.1:5570").contains("motionctl key new"))

      let (key, stranger) = (directory["desk.key"], directory["other"])
      _ = try RemoteStage.makeKey("desk", in: directory)
      try directory.write("", to: "other")
      chmod(key, 0o640)
      let said = try refusal("--listen", "tcp://127.0.0.1:5570", "--authorized-keys", stranger, "--key", key)
      #expect(said.contains("chmod 600 \(key)"), "\(said)")
      chmod(stranger, 0o666)
      chmod(key, 0o600)
      let other = try refusal("--listen", "tcp://127.0.0.1:5570", "--authorized-keys", stranger, "--key", key)
      #expect(other.contains("chmod go-w \(stranger)"), "\(other)")
    }

    // Clauses: S16.8
    @Test func `motionctl makes and shows keys, and refuses a key that others can read`() throws {
      let stage = try RemoteStage(clients: [])
      let (ctl, directory) = (stage.daemon.ctl, stage.directory)
      let made = try ctl("key", "new", "desk", "--directory", directory.path)
      let words = made.output.split { $0 == " " || $0 == "\n" }
      #expect(words.count == 3 && words.first == "client" && words.last == "desk", "\(made)")
      var facts = stat()
      #expect(stat(directory["desk.key"], &facts) == 0 && facts.st_mode & 0o777 == 0o600)
      for file in ["desk.key", "desk.pub"] {
        #expect(try ctl("key", "show", directory[file]).output == "\(words[1])\n")
      }
      #expect(try ctl("key", "new", "desk", "--directory", directory.path).errors.contains("it is there already"))
      #expect(try ctl("key", "new", "../desk").end == .exited(2))

      try directory.write(made.output, to: "authorized")
      stage.daemon.process.send(SIGHUP)
      try awaitTruth("it counts") { stage.daemon.log.contains("1 keys are authorized") }
      let server = try ctl("key", "show", directory["state/motiond.key"]).output.dropLast()
      func ask(_ arguments: String...) throws -> Ctl.Run {
        try ctl.start(["status", "--timeout", "5s", "--connect", stage.address] + arguments).finish()
      }
      #expect(try ask("--key", directory["desk.key"], "--server-key", String(server)).end == .exited(0))
      chmod(directory["desk.key"], 0o644)
      let refused = try ask("--key", directory["desk.key"], "--server-key", String(server))
      #expect(refused.end == .exited(1) && refused.errors.contains("chmod 600"), "\(refused)")
      #expect(try ask().end == .exited(2))
    }
  }
}

extension RemoteStage {
  /// The address of values.
  fileprivate var remoteValues: String {
    let colon = address.lastIndex(of: ":") ?? address.endIndex
    return "\(address[..<colon]):\((Int(address[address.index(after: colon)...]) ?? 0) + 1)"
  }
}
