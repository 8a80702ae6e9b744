import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct InvertedTests {
  @Test func `not a flag, and what a share leaves`() {
    #expect(
      marbles("t-f", value: { $0 == "t" }, show: MarbleText.of) { stream, _ in stream.inverted() } == """
        t-f
        .inverted()
        f-t
        ^--!
        """)
    #expect(
      marbles("1-0") { $0.inverted() } == """
        1-0
        .inverted()
        0-1
        ^--!
        """)
  }
}
