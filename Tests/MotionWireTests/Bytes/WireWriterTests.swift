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
          writer.varint(number)
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
      writer.number(1, 0)
      writer.double(2, 0)
      #expect(writer.packed(4, bytes: 0).isEmpty)
      count = writer.count
    }
    #expect(bytes.isEmpty && WireSize.packed(0) == 0)
  }

  @Test func `a nested field has its length before it, however long it is`() {
    for count in [0, 1, 127, 128, 300, 16_383, 16_384] {
      let content = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
      let bytes = WireWriter.bytes(atMost: 2 * (count + 8)) { writer in
        writer.nested(3) { $0.append(content) }
        writer.nested(100) { $0.append(content) }
      }
      #expect(bytes == Raw().bytes(3, content).bytes(100, content).bytes)
    }
  }
}
