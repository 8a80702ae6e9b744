import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct VisualizeTests {
  // Clauses: S3.46
  @Test func `visualize passes values and draws each`() {
    var drawn: [String] = []
    #expect(
      marbles("1-2", states: "+-.") { $0.visualize("y") { drawn.append("\($0): \($1)") } } == """
        1-2
        +-.
        .visualize(: y)
        1-2
        +-.
        ^--!
        """)
    #expect(drawn == ["y: 1.0", "y: 2.0"])
  }
}
