public import MotionModel

/// A parsed JSON text, with the position of each of its values.
///
/// It follows RFC 8259 strictly, and is stricter where the standard leaves the reader a choice: duplicate keys, numbers
/// that a `Double` cannot hold, and bytes that are not UTF-8 are errors. A byte order mark at the beginning, which some
/// editors write, is skipped. Size, depth and number of values are bounded, so that hostile bytes cost no more memory
/// than the limits allow. Linear in the size.
public struct JSONDocument: Sendable {
  /// The outermost value.
  public let root: JSONValue
  private let bytes: [UInt8]

  /// Reads a JSON text.
  ///
  /// - Parameters:
  ///   - bytes: the text in UTF-8.
  ///   - limit: the largest size that is read.
  /// - Throws: ``JSONError`` with line, column, the text found and the text expected.
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

  /// Returns the position at which `value`, a value of this document, begins. Linear in its offset.
  public func position(of value: JSONValue) -> TextPosition { position(at: value.offset) }

  /// Returns the position of the byte at `offset`. Linear in the offset.
  public func position(at offset: UInt32) -> TextPosition { TextPosition(offset: Int(offset), in: bytes) }
}

/// The error for a text that is not JSON, with the first offending position.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The position.
  public let position: TextPosition
  /// The text found at the position.
  public let found: String
  /// The text expected at the position.
  public let expected: String

  /// `12:7: found "}", expected a value`
  public var description: String { "\(position): found \(found), expected \(expected)" }
}
