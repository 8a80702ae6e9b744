/// A value of a JSON text that knows where it stands.
///
/// 24 bytes and its contents: only the offset is kept; ``JSONDocument/position(of:)`` makes line and column of it when
/// somebody has to be told.
public struct JSONValue: Sendable {
  /// What JSON knows.
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

  /// What the value is.
  public let content: Content
  /// The byte at which the value begins.
  public let offset: UInt32

  /// A member of an object, if it is one and has it.
  func member(_ key: String) -> JSONValue? {
    guard case .object(let members) = content else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// What the value is, with its article, for messages.
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
  /// The byte at which the key begins.
  public let keyOffset: UInt32
  /// Its value.
  public let value: JSONValue
}

/// A place in a text file, as editors count: lines and columns from 1, columns in Unicode scalars.
public struct TextPosition: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The line, from 1.
  public let line: Int
  /// The column, from 1.
  public let column: Int

  /// The place at `column` of `line`.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The place of the byte at `offset` of `bytes`. Linear in the offset.
  public init(offset: Int, in bytes: [UInt8]) {
    let before = bytes.prefix(offset)
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    // Bytes 10xxxxxx continue a scalar that was counted with its first byte.
    self.init(
      line: before.count { $0 == UInt8(ascii: "\n") } + 1,
      column: before[lineStart...].count { $0 & 0xC0 != 0x80 } + 1)
  }

  /// Orders by line, then by column.
  public static func < (a: Self, b: Self) -> Bool { (a.line, a.column) < (b.line, b.column) }

  /// `12:7`
  public var description: String { "\(line):\(column)" }
}
