import MotionFiles

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
  /// A value that is JSON stays what it is; numbers separated by commas (`100,50`) are a vector; brackets hold a list of
  /// values that need no quotes (`[ease-in, ease-out]`); anything else is a text. Whether the field wants a text, a choice or a duration is for the type's description to say.
  /// - Returns: `nil` without an equals sign, or without a name before it.
  static func argument(parsing text: String) -> Argument? {
    guard let equals = text.firstIndex(of: "="), equals > text.startIndex else { return nil }
    return Argument(name: String(text[..<equals]), json: json(parsing: String(text[text.index(after: equals)...])))
  }

  private static func json(parsing text: String) -> JSONOutput {
    if let document = try? JSONDocument(Array(text.utf8)) { return JSONOutput(document.root) }
    if text.hasPrefix("["), text.hasSuffix("]") {
      return .list(elements(of: text.dropFirst().dropLast()).map(simple(parsing:)))
    }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard parts.count > 1, parts.allSatisfy({ Double($0) != nil }) else { return simple(parsing: text) }
    return .list(parts.map(simple(parsing:)))
  }

  /// A value that is no list, unless it is JSON.
  private static func simple(parsing text: String) -> JSONOutput {
    if let document = try? JSONDocument(Array(text.utf8)) { return JSONOutput(document.root) }
    // JSON has finite numbers only; `nan` stays a text, so that whoever knows the field says what is wrong with it.
    if let number = Double(text), number.isFinite { return .number(number) }
    return .text(text)
  }
}

extension FieldText {
  /// What stands between the commas of a list; those within parentheses or brackets separate nothing here.
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

extension JSONOutput {
  /// A value that was read, to be printed again.
  init(_ value: JSONValue) {
    switch value.content {
    case .null: self = .null
    case .bool(let flag): self = .flag(flag)
    case .number(let number): self = .number(number)
    case .string(let text): self = .text(text)
    case .array(let elements): self = .list(elements.map { JSONOutput($0) })
    case .object(let members): self = .object(members.map { Member(key: $0.key, value: JSONOutput($0.value)) })
    }
  }
}
