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
  /// A value that is JSON stays what it is; numbers separated by commas (`100,50`) are a vector; anything else is a
  /// text. Whether the field wants a text, a choice or a duration is for the type's description to say.
  /// - Returns: `nil` without an equals sign, or without a name before it.
  static func argument(parsing text: String) -> Argument? {
    guard let equals = text.firstIndex(of: "="), equals > text.startIndex else { return nil }
    return Argument(name: String(text[..<equals]), json: json(parsing: String(text[text.index(after: equals)...])))
  }

  private static func json(parsing text: String) -> JSONOutput {
    if let document = try? JSONDocument(Array(text.utf8)) { return JSONOutput(document.root) }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Double($0) }.filter(\.isFinite)
    if numbers.count == parts.count {
      return numbers.count == 1 ? .number(numbers[0]) : .list(numbers.map { .number($0) })
    }
    return .text(text)
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
