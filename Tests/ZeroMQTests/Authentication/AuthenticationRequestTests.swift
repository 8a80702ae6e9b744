import Testing
import ZeroMQ

struct AuthenticationRequestTests {
  private func parts(_ texts: String..., key: [UInt8]? = nil) -> [[UInt8]] {
    texts.map { Array($0.utf8) } + (key.map { [$0] } ?? [])
  }

  @Test func `a request over ipc names the process that asks`() throws {
    let request = try #require(
      AuthenticationRequest(parts: parts("", "1.0", "7", "clients", "localhost:1000:100:4711", "", "NULL")))
    #expect(request.domain == "clients")
    #expect(request.proof == .none)
    #expect(request.requestID == Array("7".utf8))
    #expect(request.localPeer == LocalPeer(userID: 1000, groupID: 100, processID: 4711))
  }

  @Test(arguments: [
    "127.0.0.1", "::1", "2001:db8::1:2:3", "1:2:3", "", "localhost", "localhost:1:2", "localhost:1:2:3:4",
    "localhost:-1:2:3", "localhost:1:2:4294967296", "fe80:1:2:3",
  ])
  func `only a local address is parsed as a process`(address: String) {
    #expect(AuthenticationRequest(domain: "workers", address: address).localPeer == nil)
  }

  @Test func `a request with CURVE names the public key`() throws {
    let bytes = (0..<32).map { UInt8($0) }
    let request = try #require(
      AuthenticationRequest(parts: parts("", "1.0", "1", "clients-tcp", "127.0.0.1", "", "CURVE", key: bytes)))
    #expect(request.proof == .curve(try #require(CurveKey(bytes: bytes))))
    #expect(request.localPeer == nil)
  }

  @Test func `an invalid request is refused`() {
    #expect(AuthenticationRequest(parts: []) == nil)
    #expect(AuthenticationRequest(parts: parts("", "1.0", "1", "clients", "a", "")) == nil)
    #expect(AuthenticationRequest(parts: parts("", "2.0", "1", "clients", "a", "", "NULL")) == nil)
    #expect(AuthenticationRequest(parts: parts("x", "1.0", "1", "clients", "a", "", "NULL")) == nil)
    // A key that is missing, or too short.
    #expect(AuthenticationRequest(parts: parts("", "1.0", "1", "clients", "a", "", "CURVE")) == nil)
    #expect(AuthenticationRequest(parts: parts("", "1.0", "1", "clients", "a", "", "CURVE", key: [1])) == nil)
    let other = AuthenticationRequest(parts: parts("", "1.0", "1", "clients", "a", "", "PLAIN", "root", "secret"))
    #expect(other?.proof == .other("PLAIN"))
  }

  @Test func `a peer name contains the peer and the connection's number`() throws {
    let process = PeerName(.process(LocalPeer(userID: 1000, groupID: 100, processID: 4711)), serial: 12)
    #expect(process.text == "1000:100:4711:12")
    #expect(PeerName(text: process.text) == process)
    for _ in 0..<20 {
      // Some keys contain colons.
      let key = PeerName(.key(try CurveKey.generate().publicKey), serial: .max)
      #expect(PeerName(text: key.text) == key)
    }
  }

  @Test(arguments: ["", ":", "1:2:3", "1:2:3:", "1:2:3:x", "a:2:3:4", "key:short:1", "key::1", "key:1", "1:2:3:4:5"])
  func `an invalid peer name is refused`(text: String) {
    #expect(PeerName(text: text) == nil)
  }
}
