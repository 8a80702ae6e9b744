import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct MergeTests {
  @Test func `as they come, upstream first`() {
    #expect(
      marbles("1-2", states: "+-.") { $0.merge(with: $0.scaled(by: 2)) } == """
        1-2
        +-.
        .merge(with: input()
            .scaled(by: 2.0))
        (12)-(24)
        (++)-(..)
        (^^)--(!!)
        """)
  }
}
