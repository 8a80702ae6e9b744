import Glibc
import MotionClient
import MotionModel
import MotionWire
import Testing

extension DistributedTests {
  /// The first real output: what moves in the daemon is read by a worker and heard by a program of others.
  @Suite struct OSCTests {
    private let level = PropertyReference("ball", "level")
    private let address = "/ball/level"

    /// A ball that stands at 5, with what is heard of it.
    private func stage(_ more: [PluginFolder] = []) throws -> (Daemon, MotionClient, OSCReceiver) {
      let daemon = try Daemon([.osc()] + more)
      let client = try daemon.connect()
      try client.add(.springTo("level", 5), to: "ball")
      try client.awaitIdle()
      return (daemon, client, try OSCReceiver())
    }

    @Test func `a spring is heard from where it is to exactly where it ends, at no more than the rate`() throws {
      let (daemon, client, receiver) = try stage()
      _ = daemon
      let rate = 30.0
      try client.add(.sendOSC(level, port: receiver.port, rate: rate), named: "out", to: "ball")
      try receiver.awaitLast([5], at: address)
      try client.awaitIdle()
      #expect(try receiver.messages().count == 1, "the present value, once")

      try client.add(.springTo("level", 100, .physical(tension: 120, friction: 8)), to: "ball")
      try receiver.awaitLast([100], at: address)
      try client.awaitIdle()
      let frame = try client.status().frame.number
      letPass(.milliseconds(300))
      let messages = try receiver.messages()
      #expect(messages.last?.arguments == [100], "and after it nothing")
      #expect(try client.status().frame.number == frame, "an output has nothing to do while nothing moves")
      #expect(messages.allSatisfy { $0.types == "f" && $0.address == address })
      #expect(zip(messages, messages.dropFirst()).allSatisfy { $0.arguments != $1.arguments }, "nothing is said twice")
      #expect(messages.allSatisfy { abs($0.tag - $0.time) < 0.5 }, "the time of a bundle is that of the calendar")
      let moving = messages.dropFirst()
      let first = try #require(moving.first)
      let last = try #require(moving.last)
      #expect(last.tag - first.tag > 1, "long enough to count")
      for (one, other) in zip(moving, moving.dropFirst(Int(rate))) {
        // Calendars are adjusted by up to half a millisecond a second.
        #expect(other.tag - one.tag > 0.999, "\(rate) a second at most")
      }
      let perSecond = Double(moving.count - 1) / (last.tag - first.tag)
      #expect(perSecond > rate * 0.5, "and not far fewer, even of late frames: \(perSecond)")
      print("OSC: \(moving.count) messages in \(last.tag - first.tag) s, \(perSecond) a second at a rate of \(rate)")
    }

    @Test func `what moves in the same frame comes in the same bundle`() throws {
      let (daemon, client, receiver) = try stage()
      _ = daemon
      let position = PropertyReference("square", "position")
      var transaction = Transaction()
      transaction.add(.sendOSC(level, address: "/1/level", port: receiver.port, rate: 100), to: "output")
      transaction.add(.sendOSC(position, port: receiver.port, rate: 100), to: "output")
      transaction.add(.springTo("level", 100), to: "ball")
      transaction.add(.springTo("position", [300, -20]), to: "square")
      try client.commit(transaction)
      try receiver.awaitLast([300, -20], at: "/square/position")
      try receiver.awaitLast([100], at: "/1/level")
      let messages = try receiver.messages()
      #expect(messages.filter { $0.address == "/square/position" }.allSatisfy { $0.types == "ff" })
      let together = Dictionary(grouping: messages, by: \.bundle).values.filter { $0.count == 2 }
      #expect(together.count > 10)
      #expect(together.allSatisfy { $0[0].tag == $0[1].tag && $0.map(\.address) == ["/1/level", "/square/position"] })
    }

    @Test func `a worker that dies is followed by one that says where things are`() throws {
      let (daemon, client, receiver) = try stage()
      _ = daemon
      try client.add(.sendOSC(level, port: receiver.port), to: "ball")
      try receiver.awaitLast([5], at: address)
      let worker = try client.awaitReady("osc")
      kill(worker.processID, SIGKILL)
      try awaitTruth("it is said again") { try receiver.messages().map(\.arguments) == [[5], [5]] }
      try client.add(.springTo("level", 7), to: "ball")
      try receiver.awaitLast([7], at: address)
    }

    @Test func `a plan for a host that there is not fails with a remedy, and others go on`() throws {
      let (daemon, client, receiver) = try stage()
      _ = daemon
      let watcher = try Watcher(client, .outcomes(nil))
      try client.add(.sendOSC(level, port: receiver.port), to: "ball")
      try client.add(.sendOSC(level, host: "receiver.invalid", port: receiver.port), to: "ball")
      try watcher.listen("it fails") { watcher.ended.contains { $0.type == "SendOSC" } }
      let failed = try #require(watcher.ended.first { $0.type == "SendOSC" })
      #expect(failed.outcome == .failed)
      #expect(failed.reason.contains("receiver.invalid") && failed.reason.contains("numeric address"))
      try client.add(.springTo("level", 7), to: "ball")
      try receiver.awaitLast([7], at: address)
      #expect(throws: MotionClientError.self) { try client.add(.sendOSC(level, address: "level"), to: "ball") }
    }

    @Test func `nobody need listen`() throws {
      let (daemon, client, _) = try stage()
      try client.add(.sendOSC(level, port: 9), to: "ball")
      try client.add(.springTo("level", 7), to: "ball")
      try client.awaitIdle()
      #expect(try client.state(of: "level", of: "ball")?.state == PropertyState(7))
      #expect(try client.worker("osc")?.incarnation == 1)
      #expect(!daemon.log.contains("fails"))
    }
  }
}
