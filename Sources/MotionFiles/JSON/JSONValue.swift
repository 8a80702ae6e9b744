import MotionModel

/// A value of a JSON text, with its position.
///
/// It takes 24 bytes and its contents. Only the offset is stored; ``JSONDocument/position(of:)`` computes line and
/// column from it when an error is reported.
public struct JSONValue: Sendable {
  /// The contents of a JSON value.
  public enum Content: Sendable {
    /// `null`
    case null
    /// `true` or `false`
    case bool(Bool)
    /// A finite number.
    case number(Double)
    /// A text.
    case string(String)
    /// Values in order.
    case array([JSONValue])
    /// Members in order, no key twice.
    case object([JSONMember])
  }

  /// The contents of the value.
  public let content: Content
  /// The offset of the value's first byte.
  public let offset: UInt32

  /// Returns a member of an object; `nil` if the value is no object or has no such member.
  package func member(_ key: String) -> JSONValue? {
    guard case .object(let members) = content else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The kind of the value, with its article, for messages.
  public var inWords: String {
    switch content {
    case .null: "null"
    case .bool(let flag): flag ? "true" : "false"
    case .number(let number): "the number \(JSONText.number(number))"
    case .string(let text): "the text \(JSONText.string(String(text.prefix(64))))"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

/// A member of a JSON object.
public struct JSONMember: Sendable {
  /// Its key.
  public let key: String
  /// The offset of the key's first byte.
  public let keyOffset: UInt32
  /// Its value.
  public let value: JSONValue
}

/// A position in a text file, as editors count: lines and columns from 1, columns in Unicode scalars.
public struct TextPosition: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The line, from 1.
  public let line: Int
  /// The column, from 1.
  public let column: Int

  /// Creates the position at `column` of `line`.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// Creates the position of the byte at `offset` of `bytes`. Linear in the offset.
  public init(offset: Int, in bytes: [UInt8]) {
    let before = bytes.prefix(offset)
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    // Bytes 10xxxxxx continue a scalar that was counted at its first byte.
    self.init(
      line: before.count { $0 == UInt8(ascii: "\n") } + 1,
      column: before[lineStart...].count { $0 & 0xC0 != 0x80 } + 1)
  }

  /// Orders by line, then by column.
  public static func < (a: Self, b: Self) -> Bool { (a.line, a.column) < (b.line, b.column) }

  /// `12:7`
  public var description: String { "\(line):\(column)" }
}
