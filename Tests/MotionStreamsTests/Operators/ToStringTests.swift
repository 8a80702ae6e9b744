import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct ToStringTests {
  // Clauses: S3.45
  @Test func `toString emits each value as text`() {
    #expect(
      marbles("1-2", states: "+-.") { $0.toString { "\(Int($0) + 1)" } } == """
        1-2
        +-.
        .toString()
        2-3
        +-.
        ^--!
        """)
    #expect(
      marbles("1-2") { $0.toString() } == """
        1   -   2
        .toString()
        1.0 -   2.0
        ^   -   -   !
        """)
  }
}
