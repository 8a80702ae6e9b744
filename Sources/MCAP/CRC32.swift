/// The checksum of MCAP and zlib: CRC-32 of IEEE 802.3, with the reflected polynomial 0xEDB88320.
///
/// Eight bytes are taken at a time, by a table for each (slicing by 8: Kounavis and Berry, "A Systematic Approach to
/// Building High Performance Software-based CRC Generators", 2005).
public struct CRC32: Equatable, Sendable {
  private var register: UInt32 = 0xFFFF_FFFF

  /// The checksum of nothing.
  public init() {}

  /// The checksum of these bytes.
  public init(_ bytes: RawSpan) {
    self.init()
    add(bytes)
  }

  /// The checksum of all bytes added so far.
  public var value: UInt32 { ~register }

  /// Adds bytes behind those of before.
  public mutating func add(_ bytes: RawSpan) {
    bytes.withUnsafeBytes { bytes in
      Self.tables.withUnsafeBufferPointer { tables in add(bytes, tables) }
    }
  }

  private mutating func add(_ bytes: UnsafeRawBufferPointer, _ tables: UnsafeBufferPointer<UInt32>) {
    var crc = register
    var index = 0
    while bytes.count - index >= 8 {
      let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)) ^ UInt64(crc)
      crc = 0
      for byte in 0..<8 {
        // The first byte has the longest way to go: seven bytes follow it.
        crc ^= tables[(7 - byte) << 8 | Int(truncatingIfNeeded: word >> (8 * byte)) & 0xFF]
      }
      index += 8
    }
    while index < bytes.count {
      crc = tables[Int(truncatingIfNeeded: crc ^ UInt32(bytes[index])) & 0xFF] ^ crc >> 8
      index += 1
    }
    register = crc
  }

  /// Eight tables of 256: table n has the effect of a byte that n bytes follow.
  private static let tables: [UInt32] = {
    var tables: [UInt32] = []
    tables.reserveCapacity(8 * 256)
    for byte in 0..<UInt32(256) {
      tables.append((0..<8).reduce(byte) { crc, _ in crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0xEDB8_8320 })
    }
    for index in 256..<8 * 256 {
      let shorter = tables[index - 256]
      tables.append(tables[Int(shorter & 0xFF)] ^ shorter >> 8)
    }
    return tables
  }()
}
