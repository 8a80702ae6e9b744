/// A JSON text that was read, with the place of each of its values.
///
/// Strict RFC 8259, and stricter where it lets a reader choose: a key that comes twice is an error, so is a number that a
/// `Double` cannot hold, and bytes that are not UTF-8. A byte order mark at the beginning, which some editors write, is
/// skipped. Size, depth and number of values are bounded, so that hostile bytes
/// cost no more memory than the limits allow. Linear in the size.
public struct JSONDocument: Sendable {
  /// The outermost value.
  public let root: JSONValue
  private let bytes: [UInt8]

  /// Reads a JSON text.
  ///
  /// - Parameters:
  ///   - bytes: the text in UTF-8.
  ///   - limit: the largest size that is read at all.
  /// - Throws: ``JSONError`` with line, column, what was found and what was expected.
  public init(_ bytes: [UInt8], limit: Int = Limits.transactionFileBytes) throws(JSONError) {
    guard bytes.count <= min(limit, Int(UInt32.max)) else {
      throw JSONError(
        position: TextPosition(line: 1, column: 1), found: "\(bytes.count) bytes", expected: "at most \(limit) bytes")
    }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let bytes = bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
    var reader = JSONReader(bytes)
    do {
      root = try reader.readDocument()
    } catch {
      throw JSONError(
        position: TextPosition(offset: error.offset, in: bytes), found: error.found, expected: error.expected)
    }
    self.bytes = bytes
  }

  /// Where `value`, which is a value of this document, begins. Linear in its offset.
  public func position(of value: JSONValue) -> TextPosition { position(at: value.offset) }

  /// Where the byte at `offset` stands. Linear in the offset.
  public func position(at offset: UInt32) -> TextPosition { TextPosition(offset: Int(offset), in: bytes) }
}

/// A text that is not JSON, with the first place at which it is not.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where.
  public let position: TextPosition
  /// What stands there.
  public let found: String
  /// What could stand there.
  public let expected: String

  /// `12:7: found "}", expected a value`
  public var description: String { "\(position): found \(found), expected \(expected)" }
}
