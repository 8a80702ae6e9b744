import MotionModel

/// A JSON value to print. Objects keep their keys in the given order, so that the output is the same in every run.
enum JSONOutput: Hashable {
  case null
  case flag(Bool)
  case unsigned(UInt64)
  case number(Double)
  case text(String)
  case list([JSONOutput])
  case object([Member])

  /// A key with its value.
  struct Member: Hashable {
    let key: String
    let value: JSONOutput
  }

  /// The text on one line. Linear in its size.
  var line: String {
    switch self {
    case .null: "null"
    case .flag(let flag): flag ? "true" : "false"
    case .unsigned(let integer): String(integer)
    case .number(let number): JSONText.number(number)
    case .text(let text): JSONText.string(text)
    case .list(let elements): "[" + elements.map(\.line).joined(separator: ",") + "]"
    case .object(let members): "{" + members.map(\.line).joined(separator: ",") + "}"
    }
  }

  /// The text with one element of the outermost list, or one member of the outermost object, on each line.
  ///
  /// This form is easy to read and to compare with `diff`, and still one value for programs.
  var lines: String { lines(levels: 1) }

  /// The text with the elements and members of the given number of outermost levels on lines of their own.
  func lines(levels: Int, indentation: String = "") -> String {
    guard levels > 0 else { return line }
    let inner = indentation + "  "
    switch self {
    case .list(let elements) where !elements.isEmpty:
      let lines = elements.map { inner + $0.lines(levels: levels - 1, indentation: inner) }
      return "[\n" + lines.joined(separator: ",\n") + "\n\(indentation)]"
    case .object(let members) where !members.isEmpty:
      let lines = members.map { member in
        "\(inner)\(JSONText.string(member.key)):\(member.value.lines(levels: levels - 1, indentation: inner))"
      }
      return "{\n" + lines.joined(separator: ",\n") + "\n\(indentation)}"
    default:
      return line
    }
  }
}

extension JSONOutput.Member {
  /// `"key":value`
  fileprivate var line: String { "\(JSONText.string(key)):\(value.line)" }
}

extension JSONOutput {
  /// A whole number; none here is negative.
  static func count(_ count: Int) -> JSONOutput { .unsigned(UInt64(count)) }

  /// A text, or `null`.
  static func text(_ text: String?) -> JSONOutput { text.map { .text($0) } ?? .null }

  /// The texts of some values, in order.
  static func texts(_ values: some Sequence<some CustomStringConvertible>) -> JSONOutput {
    .list(values.map { .text($0.description) })
  }

  /// The lanes of a value: always a list, also for one lane, so that programs need no special case.
  static func lanes(_ lanes: Lanes) -> JSONOutput { .list(lanes.array.map { .number($0) }) }
}

extension JSONOutput: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
  /// An object with these members, in this order.
  init(dictionaryLiteral elements: (String, JSONOutput)...) {
    self = .object(elements.map { Member(key: $0.0, value: $0.1) })
  }

  /// A list of these elements.
  init(arrayLiteral elements: JSONOutput...) {
    self = .list(elements)
  }
}
