/// Base64 as in RFC 4648, which schemas have in JSON.
enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The text of these bytes, with padding.
  static func text(of bytes: [UInt8]) -> String {
    var digits: [UInt8] = []
    digits.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
      for place in 0..<4 {
        let digit = alphabet[Int(bits >> UInt32(18 - 6 * place) & 63)]
        digits.append(place <= group.count ? digit : UInt8(ascii: "="))
      }
    }
    return String(decoding: digits, as: UTF8.self)
  }
}
