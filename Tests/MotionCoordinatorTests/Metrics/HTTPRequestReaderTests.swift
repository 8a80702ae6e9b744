import MotionTestKit
import Testing

@testable import MotionCoordinator

struct HTTPRequestReaderTests {
  private func outcome(_ text: String, pieces: Int = .max) -> HTTPRequestReader.Outcome? {
    var reader = HTTPRequestReader()
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let piece = rest.prefix(pieces)
      if let outcome = reader.add(piece) { return outcome }
      rest = rest.dropFirst(piece.count)
    }
    return nil
  }

  @Test(arguments: [1, 3, .max])
  func `a request is parsed in pieces of any size`(pieces: Int) {
    let metrics = HTTPRequestReader.Outcome.request(method: "GET", path: "/metrics")
    #expect(outcome("GET /metrics HTTP/1.1\r\nHost: a\r\nAccept: b: c\r\n\r\n", pieces: pieces) == metrics)
    #expect(outcome("GET /metrics HTTP/1.0\n\n", pieces: pieces) == metrics)
    #expect(outcome("\r\n\r\nGET /metrics?name[]=up HTTP/1.1\r\n\r\n", pieces: pieces) == metrics)
    #expect(outcome("HEAD / HTTP/1.1\r\n\r\n", pieces: pieces) == .request(method: "HEAD", path: "/"))
    #expect(outcome("GET /metrics HTTP/1.1\r\nHost: a\r\n", pieces: pieces) == nil)
  }

  @Test(arguments: [
    "GET\r\n\r\n", "GET /metrics\r\n\r\n", "GET  /metrics HTTP/1.1\r\n\r\n", "GET metrics HTTP/1.1\r\n\r\n",
    "GET /metrics HTTP/1.1 \r\n\r\n", "GET /metrics FTP/1.1\r\n\r\n", "GET /metrics HTTP/1.1\r\nno colon\r\n\r\n",
    "GET /metrics HTTP/1.1\r\n: a\r\n\r\n", "GET /metrics HTTP/1.1\r\nA: b\r\n folded\r\n\r\n",
    "GET /\u{0}metrics HTTP/1.1\r\n\r\n", "\u{16}\u{3}\u{1}\r\n\r\n",
  ])
  func `a malformed request is refused`(text: String) {
    #expect(outcome(text) == .refused(400))
    #expect(outcome(text, pieces: 1) == .refused(400))
  }

  @Test func `another HTTP version is refused with its own status`() {
    #expect(outcome("GET /metrics HTTP/2.0\r\n\r\n") == .refused(505))
  }

  @Test func `a request head that does not end is not stored`() {
    let long = "GET /metrics HTTP/1.1\r\nA: " + String(repeating: "x", count: 100_000)
    #expect(outcome(long) == .refused(431))
    #expect(outcome(long, pieces: 7) == .refused(431))
  }

  @Test func `random bytes are refused without a trap`() {
    let seed = SeededRandom.seed(of: "HTTPRequestReaderTests")
    var random = SeededRandom(seed: seed)
    let alphabet = Array("GET /metrics HTTP/1.1\r\n:\u{0}\n\r é".utf8)
    for _ in 0..<2000 {
      var reader = HTTPRequestReader()
      for _ in 0..<Int.random(in: 1..<8, using: &random) {
        let bytes = (0..<Int.random(in: 1..<40, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 0
        }
        if reader.add(bytes) != nil { break }
      }
    }
  }
}
