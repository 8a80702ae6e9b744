import MotionModel

/// A JSON value in a form for printing: on one line where that is short enough, else one line for each part.
indirect enum JSONLayout {
  /// A token that is already JSON.
  case token(String)
  /// Values in order.
  case array([JSONLayout])
  /// Members in order.
  case object([(key: String, value: JSONLayout)])

  static func text(_ text: String) -> JSONLayout { .token(JSONText.string(text)) }
  static func number(_ number: Double) -> JSONLayout { .token(JSONText.number(number)) }
  static func flag(_ flag: Bool) -> JSONLayout { .token(flag ? "true" : "false") }
  static func texts(_ texts: [String]) -> JSONLayout { .array(texts.map(JSONLayout.text)) }

  /// The value on one line: `{"to": [1, 2]}`.
  var line: String {
    switch self {
    case .token(let token): token
    case .array(let values): "[" + values.map(\.line).joined(separator: ", ") + "]"
    case .object(let members):
      "{" + members.map { "\(JSONText.string($0.key)): \($0.value.line)" }.joined(separator: ", ") + "}"
    }
  }

  /// Returns the value in lines of at most `width` characters where its parts allow it, indented by two more for each
  /// level.
  func lines(width: Int, indentation: Int = 0, taken: Int = 0) -> String {
    let line = self.line
    if line.count + indentation + taken <= width { return line }
    let outer = String(repeating: " ", count: indentation)
    let inner = outer + "  "
    switch self {
    case .token:
      return line
    case .array(let values):
      let parts = values.map { inner + $0.lines(width: width, indentation: indentation + 2, taken: 1) }
      return "[\n" + parts.joined(separator: ",\n") + "\n\(outer)]"
    case .object(let members):
      let parts = members.map { key, value in
        let name = JSONText.string(key) + ": "
        return inner + name + value.lines(width: width, indentation: indentation + 2, taken: name.count + 1)
      }
      return "{\n" + parts.joined(separator: ",\n") + "\n\(outer)}"
    }
  }
}
