import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct InvertedTests {
  // Clauses: S3.34
  @Test func `inverted negates a flag, and subtracts a number from one`() {
    #expect(
      marbles(.flags("t-f", states: "+-.")) { $0.inverted() } == """
        t-f
        +-.
        .inverted()
        f-t
        +-.
        ^--!
        """)
    #expect(
      marbles("1-0", states: "+-.") { $0.inverted() } == """
        1-0
        +-.
        .inverted()
        0-1
        +-.
        ^--!
        """)
  }
}
