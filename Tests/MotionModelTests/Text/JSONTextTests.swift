import MotionModel
import Testing

@Suite struct JSONTextTests {
  @Test(arguments: [
    (0.0, "0"), (1, "1"), (-3, "-3"), (0.5, "0.5"), (1e15, "1000000000000000"), (1e300, "1e+300"), (-0.0, "-0.0"),
    (1e-7, "1e-07"), (.infinity, "null"), (.nan, "null"),
  ])
  func `numbers are printed in a short form`(_ number: Double, _ text: String) {
    #expect(JSONText.number(number) == text)
  }

  @Test func `special characters are escaped`() {
    #expect(JSONText.string("a\"\\/\n\r\t\u{1}\u{7F}ä😀") == "\"a\\\"\\\\/\\n\\r\\t\\u0001\\u007fä😀\"")
  }

  // Clauses: S18.15
  @Test func `characters that are invisible or change the direction are escaped, unless they join emoji`() {
    #expect(JSONText.string("a\u{202E}b\u{200B}\u{FEFF}") == #""a\u202eb\u200b\ufeff""#)
    #expect(JSONText.string("\u{9B}31m\u{2028}") == #""\u009b31m\u2028""#)
    #expect(JSONText.string("\u{E0041}") == #""\udb40\udc41""#)
    #expect(JSONText.string("äß漢👩\u{200D}👧") == "\"äß漢👩\u{200D}👧\"")
  }
}
