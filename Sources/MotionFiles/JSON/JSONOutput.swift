package import MotionModel

/// A JSON value to print. Objects keep their keys in the given order, so that the output is the same in every run.
package enum JSONOutput: Hashable, Sendable {
  case null
  case flag(Bool)
  case unsigned(UInt64)
  case number(Double)
  case text(String)
  case list([JSONOutput])
  case object([Member])

  /// A key with its value.
  package struct Member: Hashable, Sendable {
    package let key: String
    package let value: JSONOutput

    /// A member.
    package init(key: String, value: JSONOutput) { (self.key, self.value) = (key, value) }
  }

  /// The text on one line. Linear in its size.
  package var line: String {
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
  package var lines: String { lines(levels: 1) }

  /// The text with the elements and members of the given number of outermost levels on lines of their own.
  package func lines(levels: Int, indentation: String = "") -> String {
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

package extension JSONOutput {
  /// A whole number; none here is negative.
  static func count(_ count: Int) -> JSONOutput { .unsigned(UInt64(count)) }

  /// A text, or `null`.
  static func text(_ text: String?) -> JSONOutput { text.map { .text($0) } ?? .null }

  /// The texts of some values, in order.
  static func texts(_ values: some Sequence<some CustomStringConvertible>) -> JSONOutput {
    .list(values.map { .text($0.description) })
  }

  /// An object with the members of both.
  func joined(with other: JSONOutput) -> JSONOutput {
    guard case .object(let members) = self, case .object(let others) = other else { return self }
    return .object(members + others)
  }

  /// The lanes of a value: always a list, also for one lane, so that programs need no special case.
  static func lanes(_ lanes: Lanes) -> JSONOutput { .list(lanes.array.map { .number($0) }) }
}

extension JSONOutput: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
  /// An object with these members, in this order.
  package init(dictionaryLiteral elements: (String, JSONOutput)...) {
    self = .object(elements.map { Member(key: $0.0, value: $0.1) })
  }

  /// A list of these elements.
  package init(arrayLiteral elements: JSONOutput...) {
    self = .list(elements)
  }
}

package extension JSONOutput {
  /// A parsed value, to be printed again.
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
