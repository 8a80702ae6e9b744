import MotionFiles
import MotionModel

extension FieldText {
  /// A `field=value` argument.
  struct Argument: Equatable {
    /// The field's name.
    let name: String
    /// The value as JSON.
    let json: JSONOutput
  }

  /// Reads `field=value`.
  ///
  /// - A value that is JSON is taken as it is.
  /// - Numbers separated by commas (`100,50`) are a vector, colors (`#ff8000,#000`) a list.
  /// - Two values around two dots (`0..100`) are those of the first and the last target.
  /// - Brackets hold a list of values that need no quotes (`[ease-in, ease-out]`).
  /// - Anything else is a text. The type's description determines whether the field needs a text, a choice or a
  ///   duration.
  ///
  /// - Returns: `nil` without an equals sign, or without a name before it.
  static func argument(parsing text: String) -> Argument? {
    guard let equals = text.firstIndex(of: "="), equals > text.startIndex else { return nil }
    return Argument(name: String(text[..<equals]), json: json(parsing: String(text[text.index(after: equals)...])))
  }

  private static func json(parsing text: String) -> JSONOutput {
    let ends = ends(of: text)
    if let ends { return ["from": json(ofOne: ends.first), "to": json(ofOne: ends.last)] }
    return json(ofOne: text)
  }

  /// The values around two dots, if they may be spread: numbers, vectors, colors, durations.
  private static func ends(of text: String) -> (first: String, last: String)? {
    guard let dots = text.firstRange(of: "..") else { return nil }
    let (first, last) = (String(text[..<dots.lowerBound]), String(text[dots.upperBound...]))
    return [first, last].allSatisfy(isOfRange) ? (first, last) : nil
  }

  private static func isOfRange(_ text: String) -> Bool {
    text.hasPrefix("#") || DurationText.duration(of: text) != nil
      || text.split(separator: ",", omittingEmptySubsequences: false).allSatisfy { Double($0) != nil }
  }

  private static func json(ofOne text: String) -> JSONOutput {
    if let document = try? JSONDocument(Array(text.utf8)) { return JSONOutput(document.root) }
    if text.hasPrefix("["), text.hasSuffix("]") {
      return .list(elements(of: text.dropFirst().dropLast()).map(simple(parsing:)))
    }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let isList = parts.allSatisfy { Double($0) != nil } || parts.allSatisfy { $0.hasPrefix("#") }
    guard parts.count > 1, isList else { return simple(parsing: text) }
    return .list(parts.map(simple(parsing:)))
  }

  /// A single value, unless the text is JSON of any kind.
  private static func simple(parsing text: String) -> JSONOutput {
    if let document = try? JSONDocument(Array(text.utf8)) { return JSONOutput(document.root) }
    // JSON has finite numbers only; `nan` stays a text, so that the field's own check reports the problem.
    if let number = Double(text), number.isFinite { return .number(number) }
    return .text(text)
  }
}

extension FieldText {
  /// The elements between the commas of a list; commas within parentheses or brackets do not separate.
  private static func elements(of list: Substring) -> [String] {
    var elements = [""]
    var depth = 0
    for character in list {
      if character == "(" || character == "[" { depth += 1 }
      if character == ")" || character == "]" { depth -= 1 }
      if character == ",", depth == 0 {
        elements.append("")
      } else if !(character == " " && elements[elements.count - 1].isEmpty) {
        elements[elements.count - 1].append(character)
      }
    }
    return elements.map(\.trimmingSpacesAtEnd)
  }
}
