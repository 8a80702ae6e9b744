import MotionModel
import Testing

/// The common part of the labels of graphs; the tests of `MotionGraph` cover the rest.
struct GraphVizTextTests {
  @Test func `labels are quoted`() {
    #expect(GraphVizText.label("Tween in tween.0") == #""Tween in tween.0""#)
    #expect(GraphVizText.label(#"12.3 SpringTo "home\""#) == #""12.3 SpringTo \"home\\\"""#)
    #expect(GraphVizText.label("\"\u{308}") == "\"\\\"\u{308}\"", "a quote is one whatever stands on it")
    #expect(GraphVizText.label("a & b\u{0}\u{9B}") == "\"a &amp; b\u{2400}\u{FFFD}\"")
  }

  @Test func `lines are centred or on the left`() {
    #expect(GraphVizText.label("a\n  .b()") == #""a\n  .b()""#)
    #expect(GraphVizText.label("a\n  .b()", isFlushLeft: true) == #""a\l  .b()\l""#)
    #expect(GraphVizText.label("a\r\n", isFlushLeft: true) == #""a\l\l""#)
    #expect(GraphVizText.label("a", isFlushLeft: true) == #""a""#)
  }
}
