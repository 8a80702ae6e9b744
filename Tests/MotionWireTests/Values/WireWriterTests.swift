import MotionModel
import Testing

@testable import MotionWire

/// The sizes of numbers, which equal the lengths of the written bytes.
struct WireWriterTests {
  @Test func `a number takes a byte for each seven bits`() {
    for bits in 0..<64 {
      let power: UInt64 = 1 << UInt64(bits)
      for number in [power, power - 1] {
        let size = max(1, (64 - number.leadingZeroBitCount + 6) / 7)
        #expect(WireSize.of(number) == size)
        if let short = UInt32(exactly: number) { #expect(WireSize.of(short) == size) }
        let bytes = [UInt8](unsafeUninitializedCapacity: 10) { buffer, count in
          var writer = WireWriter(UnsafeMutableRawBufferPointer(buffer))
          writer.write(varint: number)
          count = writer.count
        }
        #expect(bytes.count == size && bytes.allSatisfy { $0 >= 0x80 } == false)
        let read = bytes.reversed().reduce(UInt64(0)) { $0 << 7 | UInt64($1 & 0x7F) }
        #expect(read == number)
      }
    }
  }

  @Test func `fields that are 0 or empty are not encoded`() {
    let bytes = [UInt8](unsafeUninitializedCapacity: 10) { buffer, count in
      var writer = WireWriter(UnsafeMutableRawBufferPointer(buffer))
      writer.write(1, number: 0)
      writer.write(2, seconds: 0)
      writer.write(8, handles: [])
      #expect(writer.write(4, packed: 0).isEmpty)
      count = writer.count
    }
    #expect(bytes.isEmpty && WireSize.packed(0) == 0)
  }
}
