import MotionModel
import Testing

@testable import MotionWire

/// Numbers and fields are read as protobuf defines them, and no bytes are read beyond the end.
struct WireReaderTests {
  private func read<Value>(_ bytes: [UInt8], _ read: (inout WireReader) throws -> Value) throws -> Value {
    try bytes.withUnsafeBytes { bytes in
      var reader = WireReader(bytes)
      return try read(&reader)
    }
  }

  @Test func `a number is read in any length up to ten bytes`() throws {
    for bits in 0..<64 {
      let number: UInt64 = 1 << UInt64(bits) | 1
      #expect(try read(Raw.varint(number)) { try $0.number() } == number)
    }
    #expect(try read([0x81, 0x80, 0x80, 0]) { try $0.number() } == 1)
    #expect(throws: WireFault.self) { try read([UInt8](repeating: 0x80, count: 11)) { try $0.number() } }
  }

  @Test func `bytes that end within a field are refused`() throws {
    let whole = Raw().number(1, 300).fixed(2, 7).text(3, "text").bytes + [4 << 3 | 5, 1, 2, 3, 4]
    for count in 0...whole.count {
      let fields = try? read(Array(whole.prefix(count))) { reader in
        var fields = 0
        while !reader.isAtEnd {
          _ = try reader.field()
          fields += 1
        }
        return fields
      }
      #expect(fields == [0: 0, 3: 1, 12: 2, 18: 3, 23: 4][count])
    }
  }

  @Test func `lanes are finite`() throws {
    let bytes = Raw().doubles(1, [1, -2, 3]).bytes.dropFirst(2)
    #expect(try read(Array(bytes)) { try $0.lanes(3) } == Lanes(SIMD4(1, -2, 3, 0), count: 3))
    #expect(throws: WireFault.self) { try read(Array(bytes)) { try $0.lanes(4) } }
    for wrong in [Double.infinity, -.infinity, .nan] {
      let bytes = Raw().doubles(1, [1, wrong]).bytes.dropFirst(2)
      #expect(throws: WireFault.self) { try read(Array(bytes)) { try $0.lanes(2) } }
    }
  }
}
