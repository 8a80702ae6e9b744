import Faults
import Glibc
import LinuxSystem
import MotionClient
import MotionModel
import MotionTestKit
import MotionWire
import Testing
import ZeroMQ

extension TimedTests {
  /// Peers that libzmq was not designed for: their actions at motiond's sockets affect no other peer.
  ///
  /// A table in docs/gateway.md lists the results of these tests.
  @Suite struct StrangerTests {
    @Test(
      .fault(
        .peers, "A peer misbehaves below the protocol",
        by: "every vice (handshakes, frames, commands, identities), at each socket, from a seed",
        promise: "no other peer is affected"))
    func `a peer that misbehaves at any socket disturbs no other client`() throws {
      let neighbourhood = try Neighbourhood()
      for vice in Vice.allCases {
        var random = SeededRandom(seed: SeededRandom.seed(of: "\(vice)"))
        for door in neighbourhood.doors {
          let before = neighbourhood.memory
          let strangers = try vice.practise(at: door, &random)
          try neighbourhood.expectPeace(after: "\(vice) at \(door.name)", since: before)
          withExtendedLifetime(strangers) {}
        }
      }
    }

    /// Ten seconds are motiond's own limit; libzmq's is thirty.
    @Test(
      .fault(
        .peers, "A peer connects and sends nothing, or half a greeting", by: "two such connections to each socket",
        promise: "disconnected after 10 s; no other peer is affected"))
    func `a connection that sends nothing is closed after ten seconds`() throws {
      let neighbourhood = try Neighbourhood()
      let before = neighbourhood.memory
      let start = BootClock.now
      let strangers = try neighbourhood.doors.flatMap { door in
        let halfway = try Stranger(to: door.path)
        halfway.say(Array(ZMTP.greeting().prefix(40)))
        return [try Stranger(to: door.path), halfway]
      }
      try neighbourhood.expectPeace(after: "silence", since: before)
      for stranger in strangers { #expect(stranger.isHungUpOn(within: .seconds(20))) }
      let time = BootClock.now - start
      FaultMeasures.measured(time, "connection to the end of the last one")
      #expect(time > .seconds(9) && time < .seconds(20), "\(time)")
      try neighbourhood.expectPeace(after: "the end of silence", since: before)
    }

    /// Parts of a message are kept until the last one has arrived, and no high-water mark counts them.
    @Test(
      .fault(
        .limits, "A client sends a message without an end", by: "parts without end",
        promise: "it takes the memory of the bytes sent, which is freed when the sender ends"))
    func `an endless message takes the memory of its bytes, freed at its sender's end`() throws {
      let neighbourhood = try Neighbourhood()
      for name in ["control", "link", "events"] {
        let door = try neighbourhood.door(name)
        let before = neighbourhood.memory
        var stranger: Stranger? = try Stranger(to: door.path, as: door.peer)
        let part = ZMTP.frame([UInt8](repeating: 1, count: 60_000), more: true)
        for _ in 0..<1000 { stranger?.say(part) }
        // 60 MB, byte by byte; the memory allocated beside them is less than a tenth.
        try neighbourhood.expectPeace(after: "an endless message at \(name)", growth: 70 << 20, since: before)
        stranger = nil
        stranger = try Stranger(to: door.path, as: door.peer)
        for _ in 0..<1000 { stranger?.say(part) }
        // The second one uses the memory that the first has freed.
        try neighbourhood.expectPeace(after: "another one at \(name)", growth: 80 << 20, since: before)
      }
    }

    /// The worst known case: an empty part is two bytes on the wire and 64 in memory.
    @Test func `empty parts without an end take 32 times the memory of their bytes`() throws {
      let neighbourhood = try Neighbourhood()
      let door = try neighbourhood.door("control")
      let before = neighbourhood.memory
      let stranger = try Stranger(to: door.path, as: door.peer)
      let parts = Array(repeating: ZMTP.frame([], more: true), count: 50_000).flatMap(\.self)
      for _ in 0..<20 { stranger.say(parts) }
      try neighbourhood.expectPeace(after: "a million empty parts", growth: 80 << 20, since: before)
    }

    /// Random topics share no prefix, so each of their bytes is a node.
    @Test func `a connection with too many subscriptions is closed, and its memory is bounded`() throws {
      let neighbourhood = try Neighbourhood()
      let door = try neighbourhood.door("values")
      var random = SeededRandom(seed: SeededRandom.seed(of: "a hundred thousand subscriptions"))
      let before = neighbourhood.memory
      for round in 1...2 {
        let stranger = try Stranger(to: door.path, as: door.peer)
        for _ in 0..<100 {
          guard stranger.say((0..<1000).flatMap({ _ in ZMTP.frame([1] + random.bytes(20...20)) })) else { break }
        }
        #expect(stranger.isHungUpOn())
        // 16,384 of 20 bytes, and those under way when that was detected: 1.4 MB in all. The second time uses the
        // memory that the first has freed.
        try neighbourhood.expectPeace(
          after: "100,000 subscriptions, the \(round). time", growth: 64 << 20, since: before)
      }
      #expect(try neighbourhood.client.status()["excessive-subscribers"] ?? 0 >= 2)
      #expect(try neighbourhood.client.status()["topics"] == 1)
    }

    // Clauses: S16.14
    @Test(
      .fault(
        .limits, "Eight clients subscribe without end", by: "32 MB each, of topics of 63, 255 and 16,000 bytes",
        promise: "all are disconnected; their memory is bounded, and others are served"),
      arguments: [63, 255, 16_000])
    func `eight connections that subscribe without end are closed, and their memory is bounded`(length: Int) throws {
      let daemon = try Daemon(rate: Neighbourhood.rate)
      let client = try daemon.connect()
      let facts = ProcessFacts(daemon.process.processID)
      let before = facts.residentBytes
      var random = SeededRandom(seed: SeededRandom.seed(of: "eight connections"))
      var strangers = try (0..<8).map { _ in try Stranger(to: daemon.paths.valuesSocket, as: "SUB") }
      let topicsAtOnce = max(1, 65_536 / length)
      // The first bytes of each topic differ, so no prefix is shared.
      let frame = ZMTP.frame([1] + Array(repeating: 120, count: length))
      var words = Array(repeating: frame, count: topicsAtOnce).flatMap(\.self)
      var hungUpOn: [Stranger] = []
      for _ in 0..<(32_000_000 / words.count) where !strangers.isEmpty {
        strangers.removeAll { stranger in
          words.withUnsafeMutableBytes { bytes in
            for number in 0..<topicsAtOnce {
              let place = (number + 1) * frame.count - length
              bytes.storeBytes(of: random.next(), toByteOffset: place, as: UInt64.self)
            }
          }
          guard !stranger.say(words) else { return false }
          hungUpOn.append(stranger)
          return true
        }
      }
      #expect(strangers.isEmpty, "\(strangers.count) of them are listened to after 32 MB")
      #expect(hungUpOn.allSatisfy { $0.isHungUpOn(within: .seconds(20)) })
      // One connection sends 720 kB at most, each byte of which takes up to 40: 29 MB. One that only libzmq's own
      // limits bounded took 800 MiB.
      let growth = facts.peakResidentBytes - before
      #expect(growth < 8 * 32_000_000, "\(growth >> 20) MiB")
      print("subscriptions of \(length) bytes on 8 connections: \(growth >> 20) MiB")
      try awaitTruth("they are forgotten", within: .seconds(30)) { (try? client.status())?["topics"] == 0 }
      try client.add(.springTo("position", [1, 2]), to: "ball")
      try client.awaitIdle()
    }

    @Test(
      .fault(
        .peers, "A client withdraws the subscriptions of others", by: "unsubscriptions by hand",
        promise: "the others still receive their values"))
    func `a client cannot withdraw subscriptions of others`() throws {
      let daemon = try Daemon()
      let client = try daemon.connect()
      let watcher = try Watcher(client, .motion(.target("ball")))
      let stranger = try Stranger(to: daemon.paths.valuesSocket, as: "SUB")
      let topic = Topic.subscription("m/ball")
      stranger.say(ZMTP.frame([0] + topic) + ZMTP.command("CANCEL", topic))
      stranger.say(ZMTP.frame([1] + topic) + ZMTP.frame([0] + topic) + ZMTP.frame([0] + topic))
      // This arrives after everything that the stranger receives on a topic of its own.
      stranger.say(ZMTP.frame([1] + Topic.subscription("v/own")))
      #expect(stranger.hear()?.isEmpty == false)
      try client.add(.springTo("position", [3, 4]), to: "ball")
      try watcher.listen(for: [3, 4], of: "position", of: "ball")
      #expect(watcher.missed == 0)
    }
  }
}
