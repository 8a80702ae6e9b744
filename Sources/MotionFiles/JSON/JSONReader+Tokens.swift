extension JSONReader {
  /// The longest number: the longest `Double` written out in full has 1,075 digits.
  private static let longestNumber = 1100

  /// Reads a number, whose first byte is the current one.
  mutating func readNumber() throws(Failure) -> Double {
    let start = offset
    if byte == UInt8(ascii: "-") { offset += 1 }
    if byte == UInt8(ascii: "0") { offset += 1 } else { try skipDigits() }
    if byte == UInt8(ascii: ".") {
      offset += 1
      try skipDigits()
    }
    if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
      offset += 1
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { offset += 1 }
      try skipDigits()
    }
    guard offset - start <= Self.longestNumber else {
      throw Failure(
        offset: start, found: "a number of \(offset - start) characters", expected: "at most \(Self.longestNumber)")
    }
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    guard let number = Double(text), number.isFinite else {
      throw Failure(offset: start, found: "the number \(text.prefix(32))", expected: "a number below 1.8e308")
    }
    return number
  }

  private mutating func skipDigits() throws(Failure) {
    guard byte?.isDigit == true else { throw unexpected("a digit") }
    while byte?.isDigit == true { offset += 1 }
  }

  /// Reads a text, whose opening quote is the current byte.
  mutating func readString() throws(Failure) -> String {
    offset += 1
    let start = offset
    while let byte, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { offset += 1 }
    if byte == UInt8(ascii: "\"") {
      defer { offset += 1 }
      return try text(bytes[start..<offset])
    }
    return try readEscapedString(from: start)
  }

  /// Continues a text that contains an escape or is malformed.
  private mutating func readEscapedString(from start: Int) throws(Failure) -> String {
    var text = try self.text(bytes[start..<offset])
    while true {
      switch byte {
      case nil:
        throw unexpected("the closing quote")
      case UInt8(ascii: "\""):
        offset += 1
        return text
      case UInt8(ascii: "\\"):
        text.unicodeScalars.append(try readEscape())
      case let byte? where byte < 0x20:
        let digits = String(byte, radix: 16, uppercase: true)
        throw Failure(offset: offset, found: "the control character 0x\(digits)", expected: "it escaped, as in \\n")
      default:
        let start = offset
        while let byte, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { offset += 1 }
        text += try self.text(bytes[start..<offset])
      }
    }
  }

  private mutating func readEscape() throws(Failure) -> Unicode.Scalar {
    let start = offset
    offset += 1
    guard let letter = byte else { throw unexpected("an escaped character") }
    offset += 1
    switch letter {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{08}"
    case UInt8(ascii: "f"): return "\u{0C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try readUnicodeEscape(from: start)
    default:
      offset -= 1
      throw unexpected("one of \" \\ / b f n r t u after a backslash")
    }
  }

  /// Reads the digits of `\u`, and those of a second one when the first is the first half of a surrogate pair.
  private mutating func readUnicodeEscape(from start: Int) throws(Failure) -> Unicode.Scalar {
    let unit = try readFourDigits()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    let isPair = unit < 0xDC00 && byte == UInt8(ascii: "\\") && bytes[(offset + 1)...].first == UInt8(ascii: "u")
    if isPair {
      offset += 2
      let second = try readFourDigits()
      if (0xDC00...0xDFFF).contains(second) {
        let value = 0x10000 + (UInt32(unit - 0xD800) << 10) + UInt32(second - 0xDC00)
        if let scalar = Unicode.Scalar(value) { return scalar }
      }
    }
    throw Failure(
      offset: start, found: "half of a surrogate pair", expected: "\\uD800 to \\uDBFF, then \\uDC00 to \\uDFFF")
  }

  private mutating func readFourDigits() throws(Failure) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = byte?.hexadecimalValue else { throw unexpected("a hexadecimal digit") }
      unit = unit << 4 | digit
      offset += 1
    }
    return unit
  }

  /// Returns the text of bytes that must be UTF-8.
  private func text(_ slice: ArraySlice<UInt8>) throws(Failure) -> String {
    if let text = String(validating: slice, as: UTF8.self) { return text }
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = slice.makeIterator()
    var valid = 0
    search: while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let scalar): valid += scalar.count
      case .error, .emptyInput: break search
      }
    }
    let broken = min(slice.startIndex + valid, bytes.count - 1)
    let byte = String(bytes[broken], radix: 16, uppercase: true)
    throw Failure(offset: broken, found: "the byte 0x\(byte)", expected: "UTF-8")
  }
}

extension UInt8 {
  /// Whether the byte is one of `0` to `9`.
  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  fileprivate var hexadecimalValue: UInt16? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(self - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(self - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(self - UInt8(ascii: "A") + 10)
    default: nil
    }
  }
}
