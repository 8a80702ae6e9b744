import MotionTestKit
import Testing

@testable import MCAP

struct CRC32Tests {
  @Test func `the checksum has the known value of its check text`() {
    // The check value of CRC-32/ISO-HDLC in the catalogue of parametrised CRC algorithms.
    #expect(CRC32(Array("123456789".utf8).span.bytes).value == 0xCBF4_3926)
    #expect(CRC32().value == 0)
  }

  @Test func `pieces have the checksum of the whole, which is that of the definition`() {
    var random = SeededRandom(seed: 1)
    for count in 0..<100 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      let split = Int.random(in: 0...count, using: &random)
      var sum = CRC32(Array(bytes[..<split]).span.bytes)
      sum.add(Array(bytes[split...]).span.bytes)
      var bitwise: UInt32 = .max
      for byte in bytes {
        bitwise ^= UInt32(byte)
        for _ in 0..<8 { bitwise = bitwise & 1 == 0 ? bitwise >> 1 : bitwise >> 1 ^ 0xEDB8_8320 }
      }
      #expect(sum.value == ~bitwise)
      #expect(CRC32(bytes.span.bytes) == sum)
    }
  }
}
