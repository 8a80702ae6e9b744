import Glibc
import LinuxSystem
import MotionClient
import MotionModel
import MotionWire
import Testing
import ZeroMQ

extension DistributedTests {
  /// Tries to exceed limits of docs/gateway.md at their stated numbers, where sockets enforce them.
  ///
  /// `StatedLimitsTests` tries those that are pure decisions, on a simulated clock.
  @Suite struct GatewayLimitTests {
    private static let question = ZMTP.frame(Envelope(incarnation: 7, sequence: 1, .query(.status)).encoded())

    @Test func `a request above 1 MiB is refused, and above 4 MiB its connection is closed`() throws {
      let gateway = try GatewayProcess(to: Daemon())
      let long = try Stranger(to: gateway.paths.controlSocket, as: "DEALER")
      long.say(ZMTP.frame(Array(repeating: 7, count: 4 << 20)))
      #expect(long.hear()?.isEmpty == false, "it is refused")
      long.say(Self.question)
      #expect(long.hear()?.isEmpty == false, "the connection is open")
      let longer = try Stranger(to: gateway.paths.controlSocket, as: "DEALER")
      longer.say(ZMTP.beginning(ofFrame: 4 << 20 | 1) + [7])
      #expect(longer.hear() == nil, "it is closed without an answer")
    }

    @Test func `500 requests of all connections wait, and one more is refused`() throws {
      let daemon = try Daemon()
      let gateway = try GatewayProcess(to: daemon)
      // The gateway's own requests are answered before.
      _ = try gateway.connect().status()
      daemon.process.send(SIGSTOP)
      defer { daemon.process.send(SIGCONT) }
      let strangers = try (0..<40).map { _ in try Stranger(to: gateway.paths.controlSocket, as: "DEALER") }
      for _ in 0..<17 { strangers[0].say(Self.question) }
      #expect(try Self.messages(from: strangers[..<1], count: 1, refusing: "16 requests of this connection wait") == 1)
      for stranger in strangers.dropFirst() { for _ in 0..<16 { stranger.say(Self.question) } }
      // The gateway reads its connections in any order, so it is open which of these requests are refused; their number
      // is not.
      #expect(try Self.messages(from: strangers[...], count: 140, refusing: "500 requests wait") == 140)
      daemon.process.send(SIGCONT)
      #expect(
        try Self.messages(from: strangers[...], count: 500, refusing: "wait") == 0, "the others are answered later")
    }

    /// Receives this many messages from all of these connections.
    ///
    /// - Returns: how many of them refuse a request with this text.
    private static func messages(
      from strangers: ArraySlice<Stranger>, count: Int, refusing text: String
    ) throws -> Int {
      var (received, refusals) = (0, 0)
      let deadline = BootClock.now + .seconds(30)
      while received < count {
        guard BootClock.now < deadline else { throw Problem("\(received) of \(count) messages") }
        for stranger in strangers {
          for message in try stranger.receiveMessages(timeout: .milliseconds(1)) {
            received += 1
            if String(decoding: message, as: UTF8.self).contains(text) { refusals += 1 }
          }
        }
      }
      return received == count ? refusals : -1
    }

    @Test func `4,096 topics of all connections are served, and one more ends its connection`() throws {
      let gateway = try GatewayProcess(to: Daemon())
      let strangers = try (0..<16).map { _ in try Stranger(to: gateway.paths.valuesSocket, as: "SUB") }
      for (index, stranger) in strangers.enumerated() {
        stranger.say((0..<256).flatMap { ZMTP.frame([1] + Topic.subscription("v/lamp\(index)-\($0)")) })
      }
      for stranger in strangers { #expect(!stranger.isHungUpOn(within: .milliseconds(100))) }
      let more = try Stranger(to: gateway.paths.valuesSocket, as: "SUB")
      more.say(ZMTP.frame([1] + Topic.subscription("v/more")))
      #expect(more.isHungUpOn(within: .seconds(30)))
      try awaitLog(of: gateway, "more than 4096 topics on all connections")
    }

    @Test func `a connection that sends more subscriptions than its bytes a second is closed`() throws {
      let gateway = try GatewayProcess(to: Daemon())
      let topic = Topic.subscription("v/lamp")
      let flip = ZMTP.frame([1] + topic) + ZMTP.frame([0] + topic)
      let stranger = try Stranger(to: gateway.paths.valuesSocket, as: "SUB")
      // 69,888 bytes are accepted at once, for 256 topics of the greatest length; then 16 KiB in a second.
      for _ in 0..<(60_000 / flip.count) { stranger.say(flip) }
      #expect(!stranger.isHungUpOn(within: .milliseconds(100)))
      for _ in 0..<(200_000 / flip.count) { stranger.say(flip) }
      #expect(stranger.isHungUpOn())
    }
  }
}
