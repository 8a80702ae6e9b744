/// Iterates over the fields of one protobuf message without building anything.
///
/// Source: the encoding section of the protobuf documentation. Groups, which proto3 does not have, are malformed here.
struct WireScanner {
  /// The value of a field, as far as its bytes determine it.
  enum Value {
    case varint(UInt64)
    case fixed64(UInt64)
    case fixed32
    /// A text, a message or packed numbers: the range of their bytes.
    case bytes(Range<Int>)
  }

  private let bytes: UnsafeRawBufferPointer
  private var position: Int
  private let end: Int

  /// Iterates over `bytes`, or over the part of them in `range`, which must lie within them.
  init(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>? = nil) {
    self.bytes = bytes
    position = range?.lowerBound ?? 0
    end = range?.upperBound ?? bytes.count
  }

  /// The next field, or `nil` at the end.
  mutating func next() throws(WireError) -> (number: UInt64, value: Value)? {
    guard position < end else { return nil }
    let tag = try varint()
    let number = tag >> 3
    switch tag & 7 {
    case 0: return (number, .varint(try varint()))
    case 1: return (number, .fixed64(try fixed64()))
    case 2:
      let count = try varint()
      guard count <= UInt64(end - position) else { throw Self.truncated }
      let range = position..<position + Int(count)
      position = range.upperBound
      return (number, .bytes(range))
    case 5:
      try skip(4)
      return (number, .fixed32)
    default:
      throw WireError(
        .malformed, "the bytes are not a message: there is no wire type \(tag & 7) in proto3",
        remedy: "Encode with motion.proto")
    }
  }

  /// A number in base 128 (varint), least significant digits first, of at most ten bytes.
  private mutating func varint() throws(WireError) -> UInt64 {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      guard position < end else { throw Self.truncated }
      let byte = bytes[position]
      position += 1
      number |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return number }
    }
    throw WireError(
      .malformed, "the bytes are not a message: a number has more than ten bytes", remedy: "Encode with motion.proto")
  }

  private mutating func fixed64() throws(WireError) -> UInt64 {
    let start = position
    try skip(8)
    return UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
  }

  private mutating func skip(_ count: Int) throws(WireError) {
    guard count <= end - position else { throw Self.truncated }
    position += count
  }

  private static var truncated: WireError {
    WireError(.malformed, "the bytes are not a message: they end too early", remedy: "Send the whole message")
  }
}
