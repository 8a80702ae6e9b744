/// Reads the head of one HTTP request, byte by byte as it arrives; a body is not read.
///
/// This is no library, because none bounds the length of a head, its duration and the number of requests in progress
/// (``MetricsServer``). It implements the part of RFC 9112 that a read-only page needs.
package struct HTTPRequestReader {
  /// The longest head: those of Prometheus and of browsers on the same machine have some hundred bytes.
  package static let longestHead = 8192

  /// The request, or the reason why it cannot be answered.
  package enum Outcome: Equatable {
    case request(method: String, path: String)
    /// The status to answer with: 400, 431 or 505.
    case refused(Int)
  }

  private var bytes: [UInt8] = []

  /// A reader of one request.
  package init() {}

  /// Adds received bytes.
  ///
  /// - Returns: the outcome, once it is known; `nil` if more bytes have to come.
  package mutating func add(_ received: some Collection<UInt8>) -> Outcome? {
    bytes += received.prefix(Self.longestHead + 1 - bytes.count)
    if let end = endOfHead { return Self.outcome(of: bytes[..<end]) }
    return bytes.count > Self.longestHead ? .refused(431) : nil
  }

  /// The position of the empty line; CR before each LF is usual, but not required.
  private var endOfHead: Int? {
    var lineStart = 0
    for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
      let line = bytes[lineStart..<index]
      // Lines before the request line may be empty.
      if line.isEmpty || line.elementsEqual([UInt8(ascii: "\r")]), lineStart > 0, !isBlank(before: lineStart) {
        return lineStart
      }
      lineStart = index + 1
    }
    return nil
  }

  private func isBlank(before index: Int) -> Bool {
    bytes[..<index].allSatisfy { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
  }

  private static func outcome(of head: ArraySlice<UInt8>) -> Outcome {
    // Data that is no text is refused, not repaired.
    guard head.allSatisfy({ (0x20...0x7E).contains($0) || $0 >= 0x80 || [9, 10, 13].contains($0) }) else {
      return .refused(400)
    }
    let lines = String(decoding: head, as: UTF8.self).split(whereSeparator: \.isNewline)
    let words = lines.first?.split(separator: " ", omittingEmptySubsequences: false) ?? []
    guard words.count == 3, words.allSatisfy({ !$0.isEmpty }), words[1].hasPrefix("/"),
      words[2].wholeMatch(of: /HTTP\/[0-9]\.[0-9]/) != nil,
      lines.dropFirst().allSatisfy({ $0.contains(":") && $0.first != ":" && $0.first?.isWhitespace == false })
    else { return .refused(400) }
    guard words[2].hasPrefix("HTTP/1.") else { return .refused(505) }
    return .request(method: String(words[0]), path: String(words[1].prefix { $0 != "?" }))
  }
}
