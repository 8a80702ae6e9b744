import Testing

@testable import MotionCoordinator

struct MetricsAddressTests {
  // Clauses: S18.4
  @Test(arguments: [
    ("unix:/run/motiond/metrics", MetricsAddress.unix(path: "/run/motiond/metrics")),
    ("127.0.0.1:9464", .loopback(host: "127.0.0.1", port: 9464)),
    ("127.8.8.8:1", .loopback(host: "127.8.8.8", port: 1)), ("[::1]:65535", .loopback(host: "[::1]", port: 65535)),
  ])
  func `a local socket and loopback are accepted`(text: String, address: MetricsAddress) throws {
    #expect(try MetricsAddress(text) == address)
    #expect(address.description == text)
  }

  // Clauses: S18.4
  @Test(arguments: [
    "", ":", ":9464", "9464", "0.0.0.0:9464", "*:9464", "[::]:9464", "192.168.1.5:9464", "10.0.0.1:80", "::1:9464",
    "localhost:9464", "example.org:9464", "127.0.0.1", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:65536", "127.0.0.1:-1",
    "127.1:9464", "[127.0.0.1]:9464", "[::ffff:127.0.0.1]:9464", "127.0.0.1:9464:", "unix:", "unix:metrics",
    "unix:/" + String(repeating: "x", count: 107), "/run/motiond/metrics", "http://127.0.0.1:9464",
  ])
  func `everything else is refused with what is accepted`(text: String) {
    let error = #expect(throws: StartError.self) { try MetricsAddress(text) }
    #expect(error?.remedy.contains("unix:/run/motiond/metrics, 127.0.0.1:9464") == true)
  }
}
