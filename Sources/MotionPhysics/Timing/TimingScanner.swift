/// Reads the names, numbers and signs of a timing function's text, and tracks the column.
struct TimingScanner {
  struct Name {
    var text: String
    var column: Int
  }

  struct Number {
    var value: Double
    var column: Int
  }

  private let characters: [Character]
  private var position = 0

  init(_ text: String) {
    characters = Array(text)
    skipSpaces()
  }

  /// The column of the next character, counted from 1.
  var column: Int { position + 1 }

  /// Whether the next token is a number.
  var isAtNumber: Bool {
    next.map { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "+" || $0 == "-") } ?? false
  }

  /// Reads a name of letters, digits and hyphens, in lower case.
  mutating func name() throws(TimingFunctionError) -> Name {
    let start = column
    let text = take { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    guard !text.isEmpty else {
      throw TimingFunctionError(
        column: start, "\(found) where a name should be", remedy: "write a name, such as ease-out or jump-end")
    }
    skipSpaces()
    return Name(text: text.lowercased(), column: start)
  }

  /// Reads a number in the form of CSS: sign, digits, point, digits, exponent.
  ///
  /// Words such as `nan` are not numbers.
  mutating func number(remedy: String) throws(TimingFunctionError) -> Number {
    let start = column
    guard isAtNumber else {
      throw TimingFunctionError(column: start, "\(found) where a number should be", remedy: remedy)
    }
    var text = take { $0 == "+" || $0 == "-" }
    text += take { $0.isASCII && $0.isNumber || $0 == "." }
    if next == "e" || next == "E" {
      text += take { $0 == "e" || $0 == "E" }
      text += take { $0 == "+" || $0 == "-" }
      text += take { $0.isASCII && $0.isNumber }
    }
    guard let value = Double(text), value.isFinite else {
      throw TimingFunctionError(column: start, "'\(text)' is no finite number", remedy: remedy)
    }
    return Number(value: value, column: start)
  }

  /// Skips a sign if it is next, with the spaces around it.
  mutating func skip(_ sign: Character) -> Bool {
    skipSpaces()
    return skipAdjacent(sign)
  }

  /// Skips a sign if it is next without a space, and the spaces after it.
  ///
  /// If there is no such sign, spaces are skipped all the same.
  mutating func skipAdjacent(_ sign: Character) -> Bool {
    defer { skipSpaces() }
    guard next == sign else { return false }
    position += 1
    return true
  }

  /// Skips a sign that must be next.
  mutating func expect(_ sign: Character, remedy: String) throws(TimingFunctionError) {
    guard skip(sign) else {
      throw TimingFunctionError(column: column, "\(found) where '\(sign)' should be", remedy: remedy)
    }
  }

  /// Throws unless the text ends here, apart from spaces.
  mutating func end() throws(TimingFunctionError) {
    skipSpaces()
    guard next == nil else {
      throw TimingFunctionError(
        column: column, "\(found) after the timing function", remedy: "write one timing function only")
    }
  }

  private var next: Character? { position < characters.count ? characters[position] : nil }

  private var found: String { next.map { "'\($0)'" } ?? "nothing" }

  private mutating func take(while isPart: (Character) -> Bool) -> String {
    let start = position
    while let next, isPart(next) { position += 1 }
    return String(characters[start..<position])
  }

  private mutating func skipSpaces() {
    while let next, next == " " || next == "\t" || next.isNewline { position += 1 }
  }
}
