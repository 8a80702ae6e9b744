import Testing

@testable import MotionCoordinator

struct LineSplitterTests {
  private func lines(_ pieces: [[UInt8]], limit: Int = 10) -> [String] {
    var splitter = LineSplitter(limit: limit)
    var lines = pieces.flatMap { piece in piece.withUnsafeBytes { splitter.add($0) } }
    if let rest = splitter.finish() { lines.append(rest) }
    return lines
  }

  @Test func `lines do not depend on how the bytes are split`() {
    let bytes = Array("one\n\nthree\nrest".utf8)
    for cut in 0...bytes.count {
      #expect(lines([Array(bytes[..<cut]), Array(bytes[cut...])]) == ["one", "", "three", "rest"])
    }
  }

  @Test func `a line that is too long is cut, and the next one is whole`() {
    let endless = [UInt8](repeating: UInt8(ascii: "x"), count: 100_000)
    #expect(lines([endless, endless, Array("\nnext\n".utf8)]) == ["xxxxxxxxxx (199990 bytes left out)", "next"])
    #expect(lines([endless]) == ["xxxxxxxxxx (99990 bytes left out)"])
  }

  @Test func `bytes that are not UTF-8 become text`() {
    #expect(lines([[0xFF, 0xC0, UInt8(ascii: "a"), 10]]) == ["\u{FFFD}\u{FFFD}a"])
  }
}
