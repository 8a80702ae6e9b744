/// A secret of 256 bits that admits its bearer.
package struct AccessToken: Hashable, Sendable {
  /// 64 hexadecimal digits.
  package let text: String

  /// Reads a token; `nil` if it is none.
  package init?(_ text: String) {
    guard text.utf8.count == 64, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { return nil }
    self.text = text
  }

  private init(digits: String) { text = digits }

  /// A new token, from the system's source of random numbers.
  package static func random() -> AccessToken {
    var generator = SystemRandomNumberGenerator()
    let parts = (0..<4).map { _ in
      let digits = String(generator.next(), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    return AccessToken(digits: parts.joined())
  }

  /// Whether a text is this token. The time does not depend on where they differ.
  package func matches(_ other: String) -> Bool {
    let (mine, theirs) = (Array(text.utf8), Array(other.utf8))
    guard mine.count == theirs.count else { return false }
    return zip(mine, theirs).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
