/// Colors in the hexadecimal notation: `#ff8000`, `#f80`, and with opacity `#ff800080` or `#f808`.
public enum ColorText {
  /// The rule in words, for messages.
  public static let rule =
    "Write #rrggbb or #rrggbbaa with hexadecimal digits, or [red, green, blue, alpha] from 0 to 1."

  /// Returns the four lanes of a color property: red, green and blue in linear light, and alpha, each from 0 to 1.
  ///
  /// The digits are sRGB, as is usual. The lanes are linear (``KnownProperty``), because fades between linear values
  /// look even. Source of the curve: IEC 61966-2-1.
  /// - Returns: `nil` for a text that does not follow the ``rule``.
  public static func lanes(of text: String) -> Lanes? {
    guard text.first == "#" else { return nil }
    var digits = text.dropFirst().map { $0.isASCII ? $0.hexDigitValue : nil }
    if digits.count == 3 || digits.count == 4 { digits = digits.flatMap { [$0, $0] } }
    guard digits.count == 6 || digits.count == 8 else { return nil }
    var channels: [Double] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[index], let low = digits[index + 1] else { return nil }
      channels.append(Double(high * 16 + low) / 255)
    }
    let alpha = channels.count == 4 ? channels[3] : 1
    return Lanes(channels[..<3].map(linear) + [alpha])
  }

  private static func linear(_ channel: Double) -> Double {
    guard channel > 0.04045 else { return channel / 12.92 }
    let base = (channel + 0.055) / 1.055
    return base * base * fifthRoot(of: base * base)
  }

  /// Computes the fifth root by Newton's method, so that every machine computes the same bits. `pow` does not guarantee
  /// that.
  private static func fifthRoot(of value: Double) -> Double {
    var root = 1.0
    // From 1 down to the fifth root of 0.0075, the smallest value here, 12 steps reach the last bit.
    for _ in 0..<16 {
      let fourth = root * root * root * root
      root -= (fourth * root - value) / (5 * fourth)
    }
    return root
  }
}
