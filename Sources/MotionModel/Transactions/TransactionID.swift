/// The id that a client gives a transaction, so that a repeated commit is recognised: 128 bits, usually a UUID.
public struct TransactionID: Hashable, Sendable, CustomStringConvertible {
  /// The first eight bytes, big-endian.
  public var high: UInt64
  /// The last eight bytes, big-endian.
  public var low: UInt64

  /// Whether all bits are 0, so that the id was never set. A commit with it is refused.
  public var isZero: Bool { high == 0 && low == 0 }

  /// Creates the id with these halves.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Returns a new random id.
  public static func random() -> TransactionID {
    TransactionID(high: .random(in: .min ... .max), low: .random(in: .min ... .max))
  }

  /// Creates the id from its 16 bytes, big-endian; `nil` for any other length.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    low = bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Creates the id from a text of 32 hexadecimal digits, dashes ignored; `nil` for any other text.
  public init?(_ text: String) {
    let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }
    // Radix 16 also accepts a sign, which is no digit.
    guard digits.count == 32, !digits.contains(UInt8(ascii: "+")), let text = String(validating: digits, as: UTF8.self),
      let high = UInt64(text.prefix(16), radix: 16), let low = UInt64(text.suffix(16), radix: 16)
    else { return nil }
    self.init(high: high, low: low)
  }

  /// The 16 bytes, big-endian.
  public var bytes: [UInt8] {
    [high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * $0)) } }
  }

  /// The id as 32 hexadecimal digits.
  public var description: String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
