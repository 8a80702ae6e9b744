import Testing
import ZeroMQ

struct EndpointTests {
  @Test(arguments: [
    "ipc:///run/motiond/client/control.ipc", "ipc://@abstract", "ipc://*", "tcp://127.0.0.1:5555", "tcp://*:*",
    "tcp://[::1]:80", "inproc://name", "ipc:///" + String(repeating: "a", count: 106),
  ])
  func `valid endpoints are accepted`(_ text: String) throws {
    #expect(try Endpoint(text).description == text)
  }

  @Test(arguments: [
    "", "ipc:/x", "ipc://", "tcp://", "tcp://host", "tcp://:5", "tcp://host:", "tcp://host:65536", "tcp://host:-1",
    "inproc://", "udp://127.0.0.1:1", "http://a:1", "ipc:///tmp/a\0b", "inproc://a\0b",
    "ipc:///" + String(repeating: "a", count: 107),
  ])
  func `invalid endpoints are refused`(_ text: String) {
    #expect(throws: EndpointError.self) { try Endpoint(text) }
  }

  @Test func aPathTooLongIsRefusedWithTheRemedy() {
    let error = #expect(throws: EndpointError.self) { try Endpoint.ipc("/" + String(repeating: "a", count: 107)) }
    #expect(error?.description.contains("108 bytes") == true)
    #expect(error?.description.contains("107") == true)
  }

  @Test func onlyIpcHasAPath() throws {
    #expect(try Endpoint("ipc:///a/b").path == "/a/b")
    #expect(try Endpoint("tcp://a:1").path == nil)
  }
}
