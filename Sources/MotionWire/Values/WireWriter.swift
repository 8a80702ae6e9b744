import MotionModel

/// The bytes that numbers take in base 128.
enum WireSize {
  /// Of a number.
  static func of(_ number: UInt64) -> Int { (70 - (number | 1).leadingZeroBitCount) / 7 }

  /// Of a handle.
  static func of(_ number: UInt32) -> Int { of(UInt64(number)) }

  /// Of handles.
  static func of(_ handles: some Sequence<PropertyHandle>) -> Int { handles.reduce(0) { $0 + of($1.rawValue) } }

  /// Of a packed field with so many bytes in it: its tag (of one byte: fields 1 to 15), length and content; nothing if
  /// it is empty.
  static func packed(_ bytes: Int) -> Int { bytes == 0 ? 0 : 1 + of(UInt64(bytes)) + bytes }
}

/// Writes fields of protobuf into a buffer that was measured for them.
struct WireWriter {
  private let buffer: UnsafeMutableRawBufferPointer
  /// How many bytes were written.
  private(set) var count = 0

  init(_ buffer: UnsafeMutableRawBufferPointer) { self.buffer = buffer }

  /// The next so many bytes, for the caller to fill.
  mutating func take(_ bytes: Int) -> UnsafeMutableRawBufferPointer {
    precondition(bytes <= buffer.count - count, "\(bytes) bytes more than \(count) of \(buffer.count)")
    defer { count += bytes }
    return UnsafeMutableRawBufferPointer(rebasing: buffer[count..<count + bytes])
  }

  mutating func write(_ bytes: [UInt8]) { take(bytes.count).copyBytes(from: bytes) }

  /// A number in base 128, least significant digits first.
  mutating func write(varint number: UInt64) {
    let bytes = take(WireSize.of(number))
    var rest = number
    for index in bytes.indices {
      bytes[index] = UInt8(truncatingIfNeeded: rest & 0x7F) | (index < bytes.count - 1 ? 0x80 : 0)
      rest >>= 7
    }
  }

  /// A field that holds one number; nothing if it is 0.
  mutating func write(_ field: UInt64, number: UInt64) {
    if number == 0 { return }
    write(varint: field << 3)
    write(varint: number)
  }

  /// A field of eight bytes, 0 or not.
  mutating func write(_ field: UInt64, bits: UInt64) {
    write(varint: field << 3 | 1)
    take(8).storeBytes(of: bits.littleEndian, as: UInt64.self)
  }

  /// A field that holds a number of seconds; nothing if it is 0.
  mutating func write(_ field: UInt64, seconds: Double) {
    if seconds.bitPattern != 0 { write(field, bits: seconds.bitPattern) }
  }

  /// A field of so many bytes, for the caller to fill: packed numbers.
  mutating func write(_ field: UInt64, packed bytes: Int) -> UnsafeMutableRawBufferPointer {
    if bytes == 0 { return take(0) }
    write(varint: field << 3 | 2)
    write(varint: UInt64(bytes))
    return take(bytes)
  }

  /// A field with handles; nothing if there is none.
  mutating func write(_ field: UInt64, handles: some Sequence<PropertyHandle>) {
    let bytes = WireSize.of(handles)
    if bytes == 0 { return }
    write(varint: field << 3 | 2)
    write(varint: UInt64(bytes))
    for handle in handles { write(varint: UInt64(handle.rawValue)) }
  }
}
