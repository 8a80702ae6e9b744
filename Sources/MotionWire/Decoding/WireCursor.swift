import MotionModel

/// Iterates over the bytes of a message in the encoding that our own writers and protobuf's writers produce. Any other
/// encoding ends the iteration.
///
/// All checks are made: the memory belongs to the message, and no read passes its end. The cursor only does not support
/// the alternative encodings that protobuf allows for the same content; ``WireScanner`` does.
struct WireCursor {
  private var position: UnsafePointer<UInt8>
  private let end: UnsafePointer<UInt8>

  /// Iterates over `count` bytes.
  init(_ start: UnsafePointer<UInt8>, count: Int) {
    position = start
    end = start + count
  }

  var isAtEnd: Bool { position == end }
  /// The number of bytes left.
  var count: Int { end - position }

  /// The next field's number and wire type, which take one byte in our messages; 0 for anything else.
  mutating func tag() -> UInt8 {
    guard position < end, position.pointee < 0x80 else { return 0 }
    defer { position += 1 }
    return position.pointee
  }

  /// A number in base 128 (varint).
  mutating func number() -> UInt64? {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 63, by: 7) {
      guard position < end else { return nil }
      let byte = position.pointee
      position += 1
      number |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return number }
    }
    // The tenth byte of a negative number.
    guard position < end, position.pointee == 1 else { return nil }
    position += 1
    return number | 1 << 63
  }

  /// Eight bytes.
  mutating func fixed() -> UInt64? {
    guard count >= 8 else { return nil }
    defer { position += 8 }
    return UInt64(littleEndian: UnsafeRawPointer(position).loadUnaligned(as: UInt64.self))
  }

  /// A finite floating-point number.
  mutating func finite() -> Double? {
    guard let bits = fixed() else { return nil }
    let number = Double(bitPattern: bits)
    return number.isFinite ? number : nil
  }

  /// The bytes of a text or of a message.
  mutating func bytes() -> UnsafeBufferPointer<UInt8>? {
    guard let length = number(), length <= UInt64(count) else { return nil }
    defer { position += Int(length) }
    return UnsafeBufferPointer(start: position, count: Int(length))
  }

  /// A message.
  mutating func message() -> WireCursor? {
    guard let bytes = bytes(), let start = bytes.baseAddress else { return nil }
    return WireCursor(start, count: bytes.count)
  }

  /// A text; `nil` if it has more than `limit` bytes or is not UTF-8.
  mutating func text(atMost limit: Int) -> String? {
    guard let bytes = bytes(), bytes.count <= limit else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  /// A name that follows its rule.
  mutating func name<Rule>() -> Name<Rule>? {
    guard let text = text(atMost: Limits.textBytes) else { return nil }
    return try? Name(text)
  }
}
