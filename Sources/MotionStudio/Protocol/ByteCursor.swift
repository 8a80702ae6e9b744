/// Reads the fields of a binary message, one after the other. A field that is not there is `nil`: never a trap.
struct ByteCursor {
  private let bytes: [UInt8]
  private var offset = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// An integer, the least significant byte first.
  mutating func integer<Integer: FixedWidthInteger>(_ type: Integer.Type = Integer.self) -> Integer? {
    guard let field = take(MemoryLayout<Integer>.size) else { return nil }
    return field.reversed().reduce(0) { $0 << 8 | Integer(truncatingIfNeeded: $1) }
  }

  /// A text whose length in bytes precedes it.
  mutating func text() -> String? {
    guard let length = integer(UInt32.self), let field = take(Int(length)) else { return nil }
    return String(validating: field, as: UTF8.self)
  }

  /// All bytes that are left.
  mutating func rest() -> [UInt8] { take(bytes.count - offset).map(Array.init) ?? [] }

  private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= bytes.count - offset else { return nil }
    defer { offset += count }
    return bytes[offset..<offset + count]
  }
}
