extension StringProtocol {
  /// The number that it is, in digits alone.
  var wholeNumber: Int? { utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(self) : nil }

  /// Whether it is an address of IPv4: four numbers up to 255.
  var isAddress: Bool {
    let parts = split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { part in part.wholeNumber.map { $0 <= 255 } ?? false }
  }
}

/// Reads a word of a patch from left to right.
struct DMXWordReader {
  private let word: Substring
  private var rest: Substring
  private let line: Int

  init(_ word: Substring, line: Int) { (self.word, rest, self.line) = (word, word, line) }

  var isAtEnd: Bool { rest.isEmpty }

  /// An error at this word.
  func error(_ remedy: String) -> DMXPatchError {
    DMXPatchError(line: line, "\"\(word.prefix(64))\" is not understood", remedy: remedy)
  }

  /// Skips a character, if it is the next.
  mutating func skip(_ character: Character) -> Bool {
    guard rest.first == character else { return false }
    rest.removeFirst()
    return true
  }

  /// The next mark behind a property; `nil` if there is none.
  mutating func mark() -> Character? {
    guard let first = rest.first, ":=~@*!".contains(first) else { return nil }
    rest.removeFirst()
    return first
  }

  /// The letters, digits, - and _ that follow.
  mutating func letters() -> String {
    let letters = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
    rest = rest.dropFirst(letters.count)
    return String(letters)
  }

  mutating func propertyName() throws(DMXPatchError) -> PropertyName {
    guard let name = try? PropertyName(letters()) else {
      throw error("Begin with the name of a property, such as level.")
    }
    return name
  }

  /// A lane, as it is written.
  mutating func lane() throws(DMXPatchError) -> String {
    let lane = letters()
    guard Self.lanes[lane] != nil || lane == "white" else {
      throw error("Use a lane: x, y, z, w or r, g, b, a, or white.")
    }
    return lane
  }

  static let lanes = ["x": 0, "y": 1, "z": 2, "w": 3, "r": 0, "g": 1, "b": 2, "a": 3]

  mutating func number() throws(DMXPatchError) -> Double {
    var text = rest.prefix { $0.isASCII && ($0.isNumber || "+-eE.".contains($0)) }
    // Two dots end a number.
    if let dots = text.firstRange(of: "..") { text = text[..<dots.lowerBound] }
    guard let number = Double(text), number.isFinite, number.magnitude <= Limits.magnitude else {
      throw error("Use a number here.")
    }
    rest = rest[text.endIndex...]
    return number
  }

  /// Two different numbers: `-270..270`.
  mutating func range() throws(DMXPatchError) -> (Double, Double) {
    let low = try number()
    guard rest.hasPrefix("..") else { throw error("Give the values at both ends: -270..270.") }
    rest.removeFirst(2)
    let high = try number()
    guard low != high else { throw error("Give two different values: -270..270.") }
    return (low, high)
  }
}
