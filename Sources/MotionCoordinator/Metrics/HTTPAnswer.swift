/// A complete answer, the only kind here; the connection closes after it.
struct HTTPAnswer {
  private static let reasons = [
    200: "OK", 400: "Bad Request", 404: "Not Found", 405: "Method Not Allowed", 408: "Request Timeout",
    431: "Request Header Fields Too Large", 503: "Service Unavailable", 505: "HTTP Version Not Supported",
  ]

  let bytes: [UInt8]

  /// An answer with a text; to HEAD without it.
  init(_ status: Int, _ text: String, type: String = "text/plain; charset=utf-8", toHead: Bool = false) {
    let allow = status == 405 ? "Allow: GET, HEAD\r\n" : ""
    let head =
      "HTTP/1.1 \(status) \(Self.reasons[status] ?? "")\r\nContent-Type: \(type)\r\n"
      + "Content-Length: \(text.utf8.count)\r\n\(allow)Connection: close\r\n\r\n"
    bytes = Array(head.utf8) + (toHead ? [] : Array(text.utf8))
  }

  /// The metrics.
  static func metrics(_ text: String, toHead: Bool) -> HTTPAnswer {
    HTTPAnswer(200, text, type: "text/plain; version=0.0.4; charset=utf-8", toHead: toHead)
  }

  /// An answer with an error status.
  static func refusal(_ status: Int) -> HTTPAnswer {
    HTTPAnswer(status, "\(status) \(reasons[status] ?? "")\n")
  }
}
