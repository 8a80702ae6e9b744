import Glibc
import Testing

@testable import MotionExecutors

struct SocketAddressTests {
  private func address(_ host: String) -> SocketAddress? {
    if case .found(let address) = HostAnswer(numeric: host) { address } else { nil }
  }

  @Test(arguments: [
    ("127.0.0.1", "127.0.0.1:9000", AF_INET), ("10.0.0.255", "10.0.0.255:9000", AF_INET),
    ("::1", "[::1]:9000", AF_INET6), ("2001:DB8:0:0::5", "[2001:db8::5]:9000", AF_INET6),
  ]) func `numeric hosts become addresses without a lookup`(host: String, text: String, family: Int32) {
    let address = address(host)?.with(port: 9000)
    #expect(address?.description == text)
    #expect(address?.family == family && address?.port == 9000)
    #expect(address == HostAnswer(asking: host).address?.with(port: 9000))
  }

  @Test(arguments: ["localhost", "desk", "300.1.1.1", ":::", "1.2.3.4.5"]) func `a name is not numeric`(host: String) {
    #expect(HostAnswer(numeric: host) == nil)
  }

  @Test func `localhost resolves to an IPv4 address`() {
    #expect(HostAnswer(asking: "localhost").address?.with(port: 1).description == "127.0.0.1:1")
  }

  @Test func `an impossible name is missing without a lookup`() {
    // A label has 63 characters at most (RFC 1035, section 2.3.4).
    guard case .missing(let reason) = HostAnswer(asking: String(repeating: "a", count: 64)) else {
      Issue.record("not missing")
      return
    }
    #expect(!reason.isEmpty)
  }

  @Test func `invalid bytes are no socket address`() {
    #expect(SocketAddress(UnsafeRawBufferPointer(start: nil, count: 0)) == nil)
    for bytes in [[0], [UInt8(AF_INET), 0, 1], [UInt8](repeating: 0, count: 64)] as [[UInt8]] {
      #expect(bytes.withUnsafeBytes { SocketAddress($0) } == nil)
    }
  }
}

extension HostAnswer {
  /// The address that was found.
  var address: SocketAddress? { if case .found(let address) = self { address } else { nil } }
}
