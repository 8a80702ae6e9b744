import Faults
import FaultyNetwork
import Foundation
import Glibc
import MotionClient
import MotionModel
import MotionTestKit
import MotionWire
import Testing
import ZeroMQ

extension DistributedTests {
  /// An attacker who controls the network between a client and motiond: eavesdrops, alters, replays, answers in
  /// motiond's place.
  ///
  /// The same attacks succeed on a local socket, which has no keys: this shows that they are really carried out.
  @Suite struct AdversaryTests {
    @Test(
      .fault(
        .network, "A third party reads a client's connection", by: "a proxy that records all bytes",
        promise: "the record contains nothing of the content"), arguments: ClientTransport.allCases)
    func `a listener on an encrypted connection reads nothing of its content`(transport: ClientTransport) throws {
      let stage = try ProxiedStage(transport, seed: 1)
      stage.proxy.set { $0.listens = true }
      let client = try stage.connect()
      try client.add(.anchoredSpring("x", 1), to: "secret-lamp")
      try awaitTruth("it is told in both directions") { try !client.plans(of: "secret-lamp").isEmpty }
      for direction in FaultProxy.Direction.allCases {
        let heard = Data(stage.proxy.heard.filter { $0.direction == direction }.flatMap(\.bytes))
        #expect(heard.count > 200)
        #expect((heard.range(of: Data("secret-lamp".utf8)) != nil) == (transport == .ipc), "\(direction)")
      }
    }

    @Test(
      .fault(
        .network, "A third party alters the bytes of a client's connection",
        by: "a proxy that flips a bit of each piece, each way, from a seed",
        promise: "no altered message is accepted; the commit is applied once when the alterations end"))
    func `altered bytes of an encrypted connection are never applied`() throws {
      let stage = try ProxiedStage(.tcp, seed: SeededRandom.seed(of: "AdversaryTests"))
      let (near, far) = (try stage.daemon.connect(), try stage.connect())
      for (direction, target) in [(.toServer, "there"), (.toClient, "back")] as [(FaultProxy.Direction, TargetName)] {
        let id = TransactionID.random()
        var transaction = Transaction()
        transaction.add(.anchoredSpring("x", 1), to: target)
        let before = try #require(try near.status()["commits"])
        stage.proxy.set { $0.altered = [direction] }
        let error = #expect(throws: MotionClientError.self) {
          try far.commit(transaction, id: id, timeout: .seconds(1))
        }
        #expect(error?.code == .timeout)
        // In one of the two cases motiond receives the request intact and applies it; the answer is damaged.
        #expect(try near.plans(of: target).count == (direction == .toServer ? 0 : 1))
        stage.proxy.set { _ in }
        let receipt = try far.commit(transaction, id: id, timeout: .seconds(30))
        #expect(receipt.isRepeat == (direction == .toClient))
        try awaitTruth("it is applied") { try near.plans(of: target).count == 1 }
        #expect(try near.status()["commits"] == before + 1)
      }
      #expect(try near.status()["malformed-messages"] == 0)
      #expect(try far.status().processID == stage.daemon.process.processID)
    }

    @Test(
      .fault(
        .network, "A third party resends the messages of a client",
        by: "a proxy that repeats a step of the clock: in its connection, and with all earlier bytes in a new one",
        promise: "its connection is closed, and nothing is done again"), arguments: ClientTransport.allCases)
    func `resent bytes of an encrypted connection are never applied again`(transport: ClientTransport) throws {
      let stage = try ProxiedStage(transport, seed: 1)
      let proxy = stage.proxy
      proxy.set { $0.listens = true }
      let (near, far) = (try stage.daemon.connect(), try stage.connect())
      try near.clock(.pause)
      let beginning = try near.status().frame.number
      let mark = proxy.heard.count
      try far.clock(.step(5))
      let words = proxy.heard.dropFirst(mark).filter { $0.direction == .toServer }
      let connection = try #require(words.last?.connection)
      let all = proxy.heard.filter { $0.connection == connection && $0.direction == .toServer }.flatMap(\.bytes)
      #expect(try near.status().frame.number == beginning + 5)

      let connections = proxy.counts.connections
      for piece in words { proxy.say(piece.bytes, .toServer) }
      guard transport == .tcp else {
        return try awaitTruth("it is done again") { try near.status().frame.number > beginning + 5 }
      }
      try awaitTruth("it was hung up on, and comes again") { proxy.counts.connections > connections }
      #expect(try far.status().processID == stage.daemon.process.processID)
      let stranger = try Stranger(at: stage.control)
      stranger.say(all)
      #expect(stranger.isHungUpOn())
      #expect(try near.status().frame.number == beginning + 5)
    }

    @Test(
      .fault(
        .network, "Another process answers in place of motiond", by: "a motiond with another key than the client's",
        promise: "the client does not connect; no message is accepted"))
    func `a client does not connect to a motiond with another key than it expects`() throws {
      let stage = try RemoteStage(clients: ["desk"], strangers: ["other"])
      let own = try stage.daemon.connect()
      let (admitted, requests) = (try own.status()["admitted-peers"], try own.status()["requests"])
      let expected = try RemoteDaemon(
        stage.address, keyFile: stage.directory["desk.key"], serverKey: stage.directory["other.pub"])
      let error = #expect(throws: MotionClientError.self) {
        try MotionClient(connectingTo: expected, name: "desk", timeout: .seconds(1))
      }
      #expect(error?.code == .timeout)
      let status = try own.status()
      #expect(status["admitted-peers"] == admitted && status["malformed-messages"] == 0)
      #expect(status["requests"] == requests.map { $0 + 1 }, "none but this one")
      // With the key that this motiond has, the client connects to it.
      #expect(try stage.connect("desk").status().processID == stage.daemon.process.processID)
    }
  }
}
