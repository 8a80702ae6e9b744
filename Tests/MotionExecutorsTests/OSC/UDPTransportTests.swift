import Glibc
import MotionModel
import Testing

@testable import MotionExecutors

/// The socket, on loopback; what goes wrong is made to go wrong by addresses that the system refuses.
struct UDPTransportTests {
  /// A socket of the system's choosing that hears what is sent to it.
  private final class Receiver {
    let descriptor: Int32
    let port: UInt16

    init() throws {
      descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      var count = socklen_t(MemoryLayout<sockaddr_in>.size)
      let descriptor = descriptor
      let isBound = withUnsafeMutableBytes(of: &address) { bytes in
        guard let base = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return false }
        return bind(descriptor, base, count) == 0 && getsockname(descriptor, base, &count) == 0
      }
      port = UInt16(bigEndian: address.sin_port)
      try #require(isBound && port > 0)
    }

    deinit { close(descriptor) }

    /// The next packet, if it comes within ten seconds.
    func hear() -> [UInt8]? {
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&polled, 1, 10_000) == 1 else { return nil }
      var packet = [UInt8](repeating: 0, count: 2048)
      let count = recv(descriptor, &packet, packet.count, 0)
      return count < 0 ? nil : Array(packet.prefix(count))
    }
  }

  @Test func `packets arrive as they are, at a number and at a name`() throws {
    let receiver = try Receiver()
    let transport = UDPTransport { Issue.record("\($0)") }
    for host in ["127.0.0.1", "localhost"] {
      let destination = try transport.destination(host: host, port: receiver.port)
      #expect(destination.text == "\(host):\(receiver.port)")
      #expect(transport.send([1, 2, 3, 4], to: destination))
      #expect(receiver.hear() == [1, 2, 3, 4])
    }
    #expect(transport.failures == 0)
    #expect(try transport.destination(host: "::1", port: 9000).text == "[::1]:9000")
  }

  @Test func `failures are counted, and said when they begin and end`() throws {
    let receiver = try Receiver()
    var lines: [String] = []
    let transport = UDPTransport { lines.append($0) }
    let destination = try transport.destination(host: "127.0.0.1", port: receiver.port)
    // More than a datagram holds: the system refuses it at once.
    let tooLarge = [UInt8](repeating: 0, count: 70_000)
    for _ in 1...3 { #expect(!transport.send(tooLarge, to: destination)) }
    #expect(transport.failures == 3)
    #expect(lines.count == 1)
    #expect(transport.send([0], to: destination))
    #expect(transport.send([0], to: destination))
    #expect(lines.count == 2)
    #expect(lines.last?.contains("after 3 failed packets") == true)
  }

  @Test func `nobody who listens is no failure`() throws {
    let port = try Receiver().port
    let transport = UDPTransport { Issue.record("\($0)") }
    let destination = try transport.destination(host: "127.0.0.1", port: port)
    for _ in 1...3 { #expect(transport.send([0], to: destination)) }
  }

  @Test func `a name that there is not is refused with a remedy`() throws {
    let refusal = #expect(throws: Refusal.self) {
      // Reserved never to exist (RFC 6761, section 6.4).
      try HostLookup.destination(host: "receiver.invalid", port: 9000)
    }
    #expect(refusal?.field == "host")
    #expect(refusal?.remedy.contains("numeric address") == true)
  }

  @Test func `time does not go back, and is that of the calendar`() {
    let transport = UDPTransport { _ in }
    let first = transport.now
    let second = transport.now
    #expect(second.seconds >= first.seconds)
    // Between 2024 and the end of the era.
    #expect(first.tag.seconds > 3_900_000_000)
  }
}
