/// A name or address with a port, as `Host` has it: `127.0.0.1:8765`, `[::1]:8765`, `localhost`.
package struct Authority: Hashable, Sendable {
  /// The name or address, in lower case; an IPv6 address without its brackets.
  package let host: String
  /// The port, if there is one.
  package let port: Int?

  /// Reads an authority; `nil` if it is none.
  package init?(_ text: String) {
    let text = text.lowercased()
    let rest: Substring
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return nil }
      host = String(text[text.index(after: text.startIndex)..<end])
      rest = text[text.index(after: end)...]
      guard host.contains(":"), host.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." }) else { return nil }
    } else {
      host = String(text.prefix { $0 != ":" })
      rest = text.dropFirst(host.count)
      guard !host.isEmpty, host.utf8.allSatisfy({ Self.isInName($0) }) else { return nil }
    }
    guard !rest.isEmpty else {
      port = nil
      return
    }
    let digits = rest.dropFirst()
    guard rest.first == ":", (1...5).contains(digits.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int(digits), number <= 65_535
    else { return nil }
    port = number
  }

  /// Whether the host is this machine's own address or its usual name.
  package var isLoopback: Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    let isFour = parts.count == 4 && parts.allSatisfy { (UInt8($0) != nil) } && parts[0] == "127"
    return isFour || host == "::1" || host == "localhost"
  }

  private static func isInName(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
  }
}
