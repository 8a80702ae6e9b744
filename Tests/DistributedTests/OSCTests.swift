import Faults
import Foundation
import Glibc
import MotionClient
import MotionModel
import MotionWire
import Testing

extension DistributedTests {
  /// Output by Open Sound Control: a worker reads the daemon's motion, and a third-party program receives it.
  @Suite struct OSCTests {
    private let level = PropertyReference("ball", "level")
    private let address = "/ball/level"

    /// A ball that rests at 5, and the receiver of its output.
    private func stage(_ more: [PluginFolder] = []) throws -> (Daemon, MotionClient, OSCReceiver) {
      let daemon = try Daemon([.osc()] + more)
      let client = try daemon.connect()
      try client.add(.springTo("level", 5), to: "ball")
      try client.awaitIdle()
      return (daemon, client, try OSCReceiver())
    }

    @Test func `a spring is sent up to its exact end, at no more than the rate`() throws {
      let (daemon, client, receiver) = try stage()
      _ = daemon
      let rate = 30.0
      try client.add(.sendOSC(level, port: receiver.port, rate: rate, keepAlive: .zero), named: "out", to: "ball")
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
      let nearest = zip(moving, moving.dropFirst(Int(rate))).map { $1.tag - $0.tag }.min() ?? 0
      // Calendar clocks are adjusted by up to half a millisecond a second.
      #expect(nearest > 0.999, "\(rate) a second at most")
      let perSecond = Double(moving.count - 1) / (last.tag - first.tag)
      // It is the rate on a machine with time for its frames; here other processes may take some.
      #expect(perSecond > rate * 0.8, "and not far fewer, even of late frames: \(perSecond)")
      print("OSC: \(moving.count) messages in \(last.tag - first.tag) s, \(perSecond) a second at a rate of \(rate)")
    }

    // Clauses: S8.53
    @Test(
      .fault(
        .processes, "motiond, idle, is killed while a receiver listens", by: "SIGKILL",
        promise: "its output falls silent, which it does not while motiond lives"))
    func `a receiver tells an idle motiond, also one that is paused, from a dead one`() throws {
      let (daemon, client, receiver) = try stage()
      try client.add(.sendOSC(level, port: receiver.port, keepAlive: .milliseconds(100)), to: "ball")
      try receiver.awaitLast([5], at: address)
      try client.awaitIdle()
      let frame = try client.status().frame.number
      func awaitMore() throws {
        let count = try receiver.messages().count
        try awaitTruth("it is sent again") { try receiver.messages().count > count + 3 }
      }
      try awaitMore()
      #expect(try client.status().frame.number == frame, "nobody needed frames for it")
      try client.clock(.pause)
      try awaitMore()
      let worker = try client.awaitReady("osc").processID
      daemon.process.send(SIGKILL)
      try awaitTruth("the worker has ended") { kill(worker, 0) != 0 }
      let messages = try receiver.messages()
      #expect(messages.allSatisfy { $0.arguments == [5] && abs($0.tag - $0.time) < 0.5 }, "with the time of each")
      letPass(.milliseconds(300))
      #expect(try receiver.messages().count == messages.count)
    }

    // Clauses: S8.37, S11.7
    @Test func `stop keeps outputs, and stop --outputs ends them`() throws {
      let (daemon, client, receiver) = try stage()
      try client.add(.sendOSC(level, port: receiver.port), named: "out", to: "ball")
      try receiver.awaitLast([5], at: address)
      #expect(try daemon.ctl("stop").end == .exited(0))
      try client.add(.springTo("level", 30), to: "ball")
      try receiver.awaitLast([30], at: address)
      try client.awaitIdle()
      #expect(try client.intentions(of: "ball").map(\.kind) == [.output])
      #expect(try daemon.ctl("stop", "--outputs").end == .exited(0))
      #expect(try client.intentions(of: "ball").isEmpty)
      #expect(try daemon.ctl("describe", "SendOSC").output.contains("an output, which reads, moves nothing"))
    }

    @Test func `values of the same frame are sent in the same OSC bundle`() throws {
      let (daemon, client, receiver) = try stage()
      _ = daemon
      let position = PropertyReference("square", "position")
      var transaction = Transaction()
      transaction.add(.sendOSC(level, address: "/1/level", port: receiver.port, rate: 1000), to: "output")
      transaction.add(.sendOSC(position, port: receiver.port, rate: 1000), to: "output")
      transaction.add(.springTo("position", [1, 1]), to: "square")
      try client.commit(transaction)
      try receiver.awaitLast([1, 1], at: "/square/position")
      try client.awaitIdle()
      transaction = Transaction()
      transaction.add(.springTo("level", 100), to: "ball")
      transaction.add(.springTo("position", [300, -20]), to: "square")
      // The worker has sent each frame before the next, however busy the machine is.
      try client.clock(.pause)
      try client.commit(transaction)
      for _ in 1...40 {
        try client.clock(.step(1))
        let row = try #require(client.properties(of: "square").first { $0.reference == position })
        try awaitTruth("\(row.state.value) is heard") {
          guard let last = try receiver.messages(at: "/square/position").last else { return false }
          return last.arguments.indices.allSatisfy { abs(last.arguments[$0] - row.state.value[$0]) < 1e-4 }
        }
      }
      try client.clock(.resume)
      try receiver.awaitLast([300, -20], at: "/square/position")
      try receiver.awaitLast([100], at: "/1/level")
      let messages = try receiver.messages()
      #expect(messages.filter { $0.address == "/square/position" }.allSatisfy { $0.types == "ff" })
      let together = Dictionary(grouping: messages, by: \.bundle).values.filter { $0.count == 2 }
      #expect(together.count > 35)
      #expect(together.allSatisfy { $0[0].tag == $0[1].tag && $0.map(\.address) == ["/1/level", "/square/position"] })
    }

    @Test(
      .fault(
        .processes, "The worker that feeds an output dies", by: "SIGKILL",
        promise: "its successor sends the present values"))
    func `the successor of a killed OSC worker sends the present value again`() throws {
      let (daemon, client, receiver) = try stage()
      _ = daemon
      try client.add(.sendOSC(level, port: receiver.port, keepAlive: .zero), to: "ball")
      try receiver.awaitLast([5], at: address)
      let worker = try client.awaitReady("osc")
      kill(worker.processID, SIGKILL)
      try awaitTruth("it is sent again") { try receiver.messages().map(\.arguments) == [[5], [5]] }
      try client.add(.springTo("level", 7), to: "ball")
      try receiver.awaitLast([7], at: address)
    }

    @Test func `packets are Open Sound Control byte for byte, several plans in one`() throws {
      let daemon = try Daemon([.osc()])
      let client = try daemon.connect()
      let listener = try DatagramListener()
      try client.add(.springTo("frequency", 440), .springTo("position", [1.234, 5.678]), to: "arm")
      try client.awaitIdle()
      try client.add(
        .sendOSC(
          PropertyReference("arm", "frequency"), address: "/oscillator/4/frequency", port: listener.port,
          timeTag: .immediate, keepAlive: .zero),
        .sendOSC(
          PropertyReference("arm", "position"), address: "/foo", port: listener.port, sendsVelocity: true,
          timeTag: .immediate, keepAlive: .zero), to: "arm")
      // The first message and the floats of the second are the examples of the specification of OSC 1.0.
      let expected = """
        2362756e646c6500 0000000000000001 \
        00000020 2f6f7363696c6c61746f722f342f6672657175656e637900 2c660000 43dc0000 \
        00000014 2f666f6f00000000 2c666600 3f9df3b6 40b5b22d \
        0000001c 2f666f6f2f76656c6f63697479000000 2c666600 00000000 00000000
        """
      let packet = listener.next().map { String(format: "%02x", $0) }.joined()
      #expect(packet == expected.filter { $0 != " " })
      try client.awaitIdle()
      #expect(listener.next(within: .zero) == [])
    }

    @Test func `the velocity is sent in the value's bundle, ends at zero, and has no time tag if unwanted`() throws {
      let (daemon, client, receiver) = try stage()
      _ = daemon
      try client.add(
        .sendOSC(level, port: receiver.port, rate: 1000, sendsVelocity: true, timeTag: .immediate), to: "ball")
      try receiver.awaitLast([0], at: "/ball/level/velocity")
      try client.add(.springTo("level", 100), to: "ball")
      try receiver.awaitLast([100], at: address)
      try receiver.awaitLast([0], at: "/ball/level/velocity")
      let messages = try receiver.messages()
      let pairs = Dictionary(grouping: messages, by: \.bundle).sorted { $0.key < $1.key }.map(\.value)
      #expect(pairs.count > 10)
      #expect(pairs.allSatisfy { $0.map(\.address) == [address, address + "/velocity"] })
      // liblo counts the tag for "immediately" as the beginning of 1900.
      #expect(messages.allSatisfy { $0.tag < 0 })
      let fastest = messages.filter { $0.address.hasSuffix("velocity") }.map { $0.arguments[0] }.max() ?? 0
      #expect(fastest > 100, "from 5 to 100 in less than a second")
    }

    @Test(
      .fault(
        .network, "No process listens at an output's address", by: "a port of UDP that is closed, then opened",
        promise: "logged once; motion continues; a receiver that starts later gets the present values"))
    func `an absent receiver is logged once, and gets the present value when it appears`()
      throws
    {
      let daemon = try Daemon([.osc()])
      let client = try daemon.connect()
      // Free a moment ago, so that no program listens there.
      let port = try DatagramListener().port
      let complaint = "OSC to 127.0.0.1:\(port): receiver is unreachable: Connection refused"
      try client.add(.sendOSC(level, port: port), .springTo("level", 7), to: "ball")
      try client.awaitIdle()
      #expect(try client.state(of: "level", of: "ball")?.state == PropertyState(7))
      try awaitTruth("it is missed") { daemon.log.contains(complaint) }
      try client.add(.springTo("level", 8), to: "ball")
      try client.awaitIdle()
      let frame = try client.status().frame.number
      let receiver = try OSCReceiver(port: port)
      try receiver.awaitLast([8], at: address)
      #expect(try client.status().frame.number == frame, "nobody needed frames for it")
      try awaitTruth("it is there") { daemon.log.contains("OSC to 127.0.0.1:\(port): receiver is reachable again") }
      #expect(daemon.log.components(separatedBy: complaint).count == 2, "once")
      try client.add(.springTo("level", 9), to: "ball")
      try receiver.awaitLast([9], at: address)
      #expect(try client.worker("osc")?.incarnation == 1)
      #expect(try client.plans(of: "ball").map(\.intention.type) == ["SendOSC"])
    }

    // Clauses: S18.9
    @Test(
      .fault(
        .network, "Twenty receivers of an output cannot be resolved", by: "addresses without an answer to ARP",
        promise: "an existing receiver gets every value"),
      .enabled(if: Namespace.isPossible, "network namespaces are for root"))
    func `receivers whose addresses do not resolve delay no other receiver`() throws {
      let namespace = try Namespace()
      try namespace.addDesertedNetwork("198.19.255.1/24")
      let daemon = try Daemon([.osc()], behind: namespace.way)
      let client = try daemon.connect()
      let receiver = try OSCReceiver(behind: namespace.way)
      try client.clock(.pause)
      // A spring that moves for longer than the frames of this test last.
      var transaction = Transaction()
      transaction.add(.springTo("level", 100, .physical(tension: 10, friction: 0.5)), to: "ball")
      transaction.add(.sendOSC(level, port: receiver.port, rate: 1000), to: "output")
      for number in 1...20 {
        transaction.add(.sendOSC(level, host: "198.19.255.\(100 + number)", rate: 1000), to: "output")
      }
      try client.commit(transaction)
      _ = try client.clock(.step(1))
      _ = try client.awaitReady("osc")
      // Frame by frame, so that every value is sent, however busy the machine is. 277 datagrams filled the shared
      // buffer: 14 frames.
      let frames = 240
      for _ in 0..<frames { try client.clock(.step(1)) }
      let now = try #require(try client.state(of: "level", of: "ball")).state.value[0]
      try awaitTruth("the present value is heard") {
        // A 32-bit float; the worker sends what it read one frame before.
        try receiver.messages(at: address).last.map { abs($0.arguments[0] - now) < 1 } ?? false
      }
      let count = try receiver.messages(at: address).count
      #expect(count >= frames / 2, "each frame's value, unless a busy machine joins some; \(count), 14 over one socket")
      try awaitTruth("the others are missed") {
        daemon.log.contains("OSC to 198.19.255.120:9000: receiver is unreachable")
      }
    }

    @Test func `a plan's OSC host may be a name`() throws {
      let (daemon, client, receiver) = try stage()
      try client.add(.sendOSC(level, host: "localhost", port: receiver.port), to: "ball")
      try receiver.awaitLast([5], at: address)
      #expect(!daemon.log.contains("OSC to"), "there was nothing to tell")
    }

    // Clauses: S8.38
    @Test(
      .fault(
        .operators, "A plan names an unknown host", by: "a name that does not resolve",
        promise: "it fails with the remedy; others continue"))
    func `a plan for a host name that does not resolve fails with a remedy, and others continue`() throws {
      let (daemon, client, receiver) = try stage()
      let watcher = try Watcher(client, .outcomes(nil))
      // A label of a name has 63 characters at most, so no server is needed to find that this name does not exist.
      let host = String(repeating: "a", count: 64)
      try client.add(.sendOSC(level, port: receiver.port), to: "ball")
      try client.add(.sendOSC(level, host: host, port: receiver.port), to: "ball")
      try watcher.listen("it fails") { watcher.ended.contains { $0.type == "SendOSC" } }
      let failed = try #require(watcher.ended.first { $0.type == "SendOSC" })
      #expect(failed.outcome == .failed)
      #expect(failed.reason.contains(host) && failed.reason.contains("numeric address"))
      // Another thread writes the log.
      let line = try awaitFact("the failure is logged") {
        daemon.log.split(separator: "\n").first { $0.contains("plan \(failed.identity) (SendOSC) on ball failed") }
      }
      #expect(line.contains("numeric address") && line.contains("; committed by "))
      try client.add(.springTo("level", 7), to: "ball")
      try receiver.awaitLast([7], at: address)
    }

    @Test(arguments: ["level", "/ball/*", "/ball/{a,b}", "/ball//level", "/bäll", "/ball/"])
    func `an invalid OSC address is refused at the commit, with its field, and nothing is applied`(address: String)
      throws
    {
      let daemon = try Daemon([.osc()])
      let client = try daemon.connect()
      var transaction = Transaction()
      transaction.add(.springTo("level", 100), to: "ball")
      transaction.add(.sendOSC(level, address: address), to: "ball")
      let error = #expect(throws: MotionClientError.self) { try client.commit(transaction) }
      let refusal = try #require(error?.refusal)
      #expect(refusal.operation == 1 && refusal.field == "address")
      #expect(refusal.message.contains(address) && !refusal.remedy.isEmpty)
      #expect(try client.plans(of: "ball").isEmpty)
    }
  }
}
