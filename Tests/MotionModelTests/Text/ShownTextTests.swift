import MotionModel
import Testing

struct ShownTextTests {
  @Test func `harmless text is unchanged`() {
    for text in ["", "tween(to: 1.0)", "two\nlines", "äß€漢😀👩‍👩‍👧", "\"\\"] { #expect(ShownText.escaping(text) == text) }
  }

  @Test func `control characters are escaped, once`() {
    let text = "\u{1B}[2J\r\n\u{9B}31m\u{0}\u{202E}abc\u{2028}\u{7F}"
    let shown = ShownText.escaping(text)
    #expect(shown == #"\u{1B}[2J\u{D}"# + "\n" + #"\u{9B}31m\u{0}\u{202E}abc\u{2028}\u{7F}"#)
    #expect(ShownText.escaping(shown) == shown)
  }

  // Clauses: S18.12
  @Test func `characters without width are escaped, unless they join emoji`() {
    #expect(ShownText.escaping("ba\u{200B}ll \u{FEFF}a\u{2060}b\u{AD}c") == #"ba\u{200B}ll \u{FEFF}a\u{2060}b\u{AD}c"#)
    #expect(ShownText.escaping("a\u{200D}b \u{200F}c") == #"a\u{200D}b \u{200F}c"#)
    #expect(ShownText.escaping("❤️\u{200D}🔥") == "❤️\u{200D}🔥")
  }

  @Test func `a cut text fits in whole characters`() {
    #expect(ShownText.cut("abcdef", toBytes: 6) == "abcdef")
    #expect(ShownText.cut("abcdefg", toBytes: 6) == "abc…")
    #expect(ShownText.cut("ä€😀😀", toBytes: 12) == "ä€😀…")
    #expect(ShownText.cut("😀", toBytes: 3) == "…")
  }
}
