import MotionModel
import MotionTestKit
import Testing

@testable import MotionExecutors

/// Packets of sACN and Art-Net, byte by byte.
struct DMXPacketTests {
  private let source = SACNPacket.Source(identity: Array(1...16), name: "Rack")

  // Clauses: S25.5
  @Test func `a data packet of sACN has the layers of ANSI E1-31`() {
    let levels = (0..<512).map { UInt8(truncatingIfNeeded: $0) }
    let packet = SACNPacket.data(
      levels, of: 0x1234, from: source, priority: 150, sequence: 7, synchronization: 0x0102)
    #expect(packet.count == 638)
    #expect(Array(packet[0..<22]) == [0, 16, 0, 0] + Array("ASC-E1.17".utf8) + [0, 0, 0, 0x72, 0x6E, 0, 0, 0, 4])
    #expect(Array(packet[22..<44]) == Array(1...16) + [0x72, 0x58, 0, 0, 0, 2])
    #expect(Array(packet[44..<108]) == Array("Rack".utf8) + [UInt8](repeating: 0, count: 60))
    #expect(Array(packet[108..<126]) == [150, 1, 2, 7, 0, 0x12, 0x34, 0x72, 0x0B, 2, 0xA1, 0, 0, 0, 1, 2, 1, 0])
    #expect(Array(packet[126...]) == levels)
    let last = SACNPacket.data(
      levels, of: 1, from: source, priority: 100, sequence: 8, synchronization: 0, isLast: true)
    #expect(last[112] == 0x40)
  }

  // Clauses: S25.5
  @Test func `synchronization and discovery of sACN`() {
    let packet = SACNPacket.synchronization(0x0102, from: source, sequence: 9)
    #expect(packet.count == 49)
    #expect(Array(packet[16..<22]) == [0x70, 0x21, 0, 0, 0, 8])
    #expect(Array(packet[38...]) == [0x70, 0x0B, 0, 0, 0, 1, 9, 1, 2, 0, 0])
    let pages = SACNPacket.discovery(Array((1...513).reversed()), from: source)
    #expect(pages.map(\.count) == [120 + 1024, 122])
    #expect(Array(pages[0][108..<124]) == [0, 0, 0, 0, 0x74, 0x08, 0, 0, 0, 1, 0, 1, 0, 1, 0, 2])
    #expect(Array(pages[1][118...]) == [1, 1, 2, 1])
    #expect(SACNPacket.multicastHost(of: 0x0203) == "239.255.2.3")
  }

  @Test func `a name of more than 63 bytes is cut between characters`() {
    let long = SACNPacket.Source(identity: Array(1...16), name: String(repeating: "é", count: 40))
    let packet = SACNPacket.data([], of: 1, from: long, priority: 1, sequence: 1, synchronization: 0)
    #expect(String(decoding: packet[44..<106], as: UTF8.self) == String(repeating: "é", count: 31))
    #expect(packet[106] == 0 && packet[107] == 0)
  }

  // Clauses: S25.6
  @Test func `packets of Art-Net`() {
    let data = ArtNetPacket.data([1, 2], to: 0x1234, sequence: 5)
    #expect(data == Array("Art-Net".utf8) + [0, 0, 0x50, 0, 14, 5, 0, 0x34, 0x12, 0, 2, 1, 2])
    #expect(ArtNetPacket.synchronization == Array("Art-Net".utf8) + [0, 0, 0x52, 0, 14, 0, 0])
    #expect(ArtNetPacket.poll == Array("Art-Net".utf8) + [0, 0, 0x20, 0, 14, 2, 0])
    #expect(ArtNetPacket.message(ArtNetPacket.poll) == .poll)
    let reply = ArtNetPacket.reply(from: [10, 0, 0, 1], named: "Rack")
    #expect(reply.count == 239 && ArtNetPacket.message(reply) == .node(part: 0, ports: []))
    #expect(Array(reply[10..<16]) == [10, 0, 0, 1, 0x36, 0x19] && reply[200] == 1)
  }

  // Clauses: S25.6
  @Test func `the ports of a node are read from its reply, and what is cut off is not`() {
    var reply = ArtNetPacket.reply(from: [10, 0, 0, 1], named: "Node")
    (reply[18], reply[19], reply[211]) = (2, 3, 4)
    reply.replaceSubrange(174..<178, with: [0x80, 0x40, 0xC0, 0x80])
    reply.replaceSubrange(190..<194, with: [1, 2, 3, 15])
    #expect(ArtNetPacket.message(reply) == .node(part: 4, ports: [0x231, 0x233, 0x23F]))
    #expect(ArtNetPacket.message(reply.prefix(200)) == .node(part: 0, ports: [0x231, 0x233, 0x23F]))
    for count in 0..<194 { #expect(ArtNetPacket.message(reply.prefix(count)) == nil) }
    #expect(ArtNetPacket.message(ArtNetPacket.synchronization) == nil)
    var random = SeededRandom(seed: SeededRandom.seed(of: "artnet"))
    for _ in 0..<SeededRandom.rounds(5000) {
      var damaged = reply
      for _ in 0..<5 { damaged[Int.random(in: 8..<239, using: &random)] = .random(in: 0...255, using: &random) }
      if case .node(_, let ports)? = ArtNetPacket.message(damaged) {
        #expect(ports.allSatisfy { (0...0x7FFF).contains($0) })
      }
    }
  }

  // Clauses: S25.6
  @Test func `a node counts until it has not answered for three polls`() throws {
    var found: SocketAddress?
    if case .found(let numeric)? = HostAnswer(numeric: "10.0.0.9") { found = numeric }
    let address = try #require(found)
    var nodes = ArtNetNodes()
    nodes.answered(address, part: 1, ports: [1, 2], at: 0)
    nodes.answered(address, part: 2, ports: [5], at: 0)
    #expect(nodes.addresses(of: 5, at: 1).map(\.port) == [6454] && nodes.addresses(of: 3, at: 1).isEmpty)
    nodes.answered(address, part: 1, ports: [2], at: 5)
    #expect(nodes.addresses(of: 1, at: 6).isEmpty && nodes.addresses(of: 2, at: 6).count == 1)
    #expect(nodes.addresses(of: 5, at: 9.5).isEmpty && nodes.addresses(of: 2, at: 9.5).count == 1)
  }

  // Clauses: S25.5
  @Test func `an identity is the same each time, and another for another motiond`() {
    let identity = MachineIdentity.identity(of: "a")
    #expect(identity.count == 16 && identity == MachineIdentity.identity(of: "a"))
    #expect(identity != MachineIdentity.identity(of: "b"))
    #expect(identity[6] >> 4 == 8 && identity[8] >> 6 == 2)
  }
}
