import MotionModel

/// Writes fields of protobuf into memory of a size that the caller has measured or bounded.
struct WireWriter {
  private let start: UnsafeMutableRawPointer
  private var position: UnsafeMutableRawPointer
  private let end: UnsafeMutableRawPointer

  /// Writes into `buffer`, from its beginning.
  init(_ buffer: UnsafeMutableRawBufferPointer) {
    // An empty buffer may have no address. Nothing is written to this one.
    start = buffer.baseAddress ?? UnsafeMutableRawPointer(bitPattern: 1).unsafelyUnwrapped
    (position, end) = (start, start + buffer.count)
  }

  /// The bytes that `write` writes, at most `capacity` of them.
  static func bytes(atMost capacity: Int, _ write: (inout WireWriter) -> Void) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      var writer = WireWriter(
        UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<capacity]))
      write(&writer)
      count = writer.count
    }
  }

  /// The number of bytes written.
  var count: Int { position - start }

  /// The next `bytes` bytes, for the caller to fill.
  mutating func take(_ bytes: Int) -> UnsafeMutableRawBufferPointer {
    precondition(bytes <= end - position, "\(bytes) bytes more than \(count) of \(end - start)")
    defer { position += bytes }
    return UnsafeMutableRawBufferPointer(start: position, count: bytes)
  }

  /// Writes bytes that are encoded already.
  mutating func append(_ bytes: some Collection<UInt8>) { take(bytes.count).copyBytes(from: bytes) }

  /// Writes a number in base 128 (varint), least significant digits first.
  mutating func varint(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      byte(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    byte(UInt8(truncatingIfNeeded: rest))
  }

  private mutating func byte(_ byte: UInt8) {
    precondition(position < end, "there is no room for more than \(count) bytes")
    position.storeBytes(of: byte, as: UInt8.self)
    position += 1
  }

  /// Writes eight bytes, the least significant first.
  mutating func eight(_ number: UInt64) { take(8).storeBytes(of: number.littleEndian, as: UInt64.self) }

  /// Writes the lanes of a value of `count` lanes.
  mutating func lanes(_ storage: SIMD4<Double>, count: Int) {
    for lane in 0..<count { eight(storage[lane].bitPattern) }
  }

  /// Writes a field with a number; nothing if it is 0, as in proto3, unless the field has explicit presence.
  mutating func number(_ field: UInt64, _ value: UInt64, always: Bool = false) {
    if value == 0 && !always { return }
    varint(field << 3)
    varint(value)
  }

  /// Writes a field of eight bytes; likewise.
  mutating func fixed(_ field: UInt64, _ value: UInt64, always: Bool = false) {
    if value == 0 && !always { return }
    varint(field << 3 | 1)
    eight(value)
  }

  /// Writes a field with a double. Minus zero does not count as 0.
  mutating func double(_ field: UInt64, _ value: Double) { fixed(field, value.bitPattern) }

  /// Writes the tag and the length of a message, a text or packed numbers of `bytes` bytes.
  mutating func beginning(_ field: UInt64, of bytes: Int) {
    varint(field << 3 | 2)
    varint(UInt64(bytes))
  }

  /// Writes the beginning of a field of packed numbers, and returns its bytes for the caller to fill; nothing if there
  /// are none.
  mutating func packed(_ field: UInt64, bytes: Int) -> UnsafeMutableRawBufferPointer {
    if bytes > 0 { beginning(field, of: bytes) }
    return take(bytes)
  }

  /// Writes a field that consists of everything that `write` writes. A content of 128 bytes or more is moved to make
  /// room for its length.
  mutating func nested(_ field: UInt64, _ write: (inout WireWriter) -> Void) {
    varint(field << 3 | 2)
    let length = position
    byte(0)
    write(&self)
    let bytes = position - length - 1
    let more = WireSize.of(UInt64(bytes)) - 1
    if more > 0 {
      _ = take(more)
      (length + 1 + more).copyMemory(from: length + 1, byteCount: bytes)
    }
    var head = WireWriter(UnsafeMutableRawBufferPointer(start: length, count: 1 + more))
    head.varint(UInt64(bytes))
  }
}

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
