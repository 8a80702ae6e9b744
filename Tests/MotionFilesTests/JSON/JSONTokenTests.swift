import MotionFiles
import MotionModel
import MotionTestKit
import Testing

/// What `JSONText` writes is what a document reads.
@Suite struct JSONTokenTests {
  @Test func `printed numbers and texts parse to the same`() throws {
    var random = SeededRandom(seed: SeededRandom.seed(of: "JSONText"))
    for _ in 0..<20_000 {
      let number = Double(bitPattern: random.next())
      guard number.isFinite else { continue }
      guard case .number(let read) = try JSONDocument(Array(JSONText.number(number).utf8)).root.content else {
        return #expect(Bool(false), "a number")
      }
      #expect(read.bitPattern == number.bitPattern)
    }
    for _ in 0..<5_000 {
      var text = ""
      for _ in 0..<Int.random(in: 0..<12, using: &random) {
        let ranges: [ClosedRange<UInt32>] = [0...0x7F, 0x80...0x7FF, 0x800...0xFFFF, 0x10000...0x10FFFF]
        let range = ranges.randomElement(using: &random) ?? 0...0
        if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) { text.unicodeScalars.append(scalar) }
      }
      guard case .string(let read) = try JSONDocument(Array(JSONText.string(text).utf8)).root.content else {
        return #expect(Bool(false), "a text")
      }
      #expect(Array(read.utf8) == Array(text.utf8))
    }
  }
}
