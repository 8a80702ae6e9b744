import MotionModel

/// The sizes of numbers in base 128 (varint), in bytes.
enum WireSize {
  /// The size of a number.
  static func of(_ number: UInt64) -> Int { (70 - (number | 1).leadingZeroBitCount) / 7 }

  /// The size of a handle.
  static func of(_ number: UInt32) -> Int { of(UInt64(number)) }

  /// The size of handles.
  static func of(_ handles: some Sequence<PropertyHandle>) -> Int { handles.reduce(0) { $0 + of($1.rawValue) } }

  /// The size of a packed field with this many bytes of content: its tag (of one byte: fields 1 to 15), length and
  /// content; 0 if it is empty.
  static func packed(_ bytes: Int) -> Int { bytes == 0 ? 0 : 1 + of(UInt64(bytes)) + bytes }
}

/// Writes fields of protobuf into a buffer of exactly their measured size.
struct WireWriter {
  private let buffer: UnsafeMutableRawBufferPointer
  /// The number of bytes written.
  private(set) var count = 0

  init(_ buffer: UnsafeMutableRawBufferPointer) { self.buffer = buffer }

  /// The next `bytes` bytes, for the caller to fill.
  mutating func take(_ bytes: Int) -> UnsafeMutableRawBufferPointer {
    precondition(bytes <= buffer.count - count, "\(bytes) bytes more than \(count) of \(buffer.count)")
    defer { count += bytes }
    return UnsafeMutableRawBufferPointer(rebasing: buffer[count..<count + bytes])
  }

  mutating func write(_ bytes: [UInt8]) { take(bytes.count).copyBytes(from: bytes) }

  /// Writes a number in base 128 (varint), least significant digits first.
  mutating func write(varint number: UInt64) {
    let bytes = take(WireSize.of(number))
    var rest = number
    for index in bytes.indices {
      bytes[index] = UInt8(truncatingIfNeeded: rest & 0x7F) | (index < bytes.count - 1 ? 0x80 : 0)
      rest >>= 7
    }
  }

  /// Writes a field with one number; nothing if it is 0.
  mutating func write(_ field: UInt64, number: UInt64) {
    if number == 0 { return }
    write(varint: field << 3)
    write(varint: number)
  }

  /// Writes a field of eight bytes, also if it is 0.
  mutating func write(_ field: UInt64, bits: UInt64) {
    write(varint: field << 3 | 1)
    take(8).storeBytes(of: bits.littleEndian, as: UInt64.self)
  }

  /// Writes a field with a number of seconds; nothing if it is 0.
  mutating func write(_ field: UInt64, seconds: Double) {
    if seconds.bitPattern != 0 { write(field, bits: seconds.bitPattern) }
  }

  /// Writes the head of a field of `bytes` bytes for packed numbers, and returns them for the caller to fill.
  mutating func write(_ field: UInt64, packed bytes: Int) -> UnsafeMutableRawBufferPointer {
    if bytes == 0 { return take(0) }
    write(varint: field << 3 | 2)
    write(varint: UInt64(bytes))
    return take(bytes)
  }

  /// Writes a field with handles; nothing if there are none.
  mutating func write(_ field: UInt64, handles: some Sequence<PropertyHandle>) {
    let bytes = WireSize.of(handles)
    if bytes == 0 { return }
    write(varint: field << 3 | 2)
    write(varint: UInt64(bytes))
    for handle in handles { write(varint: UInt64(handle.rawValue)) }
  }
}
