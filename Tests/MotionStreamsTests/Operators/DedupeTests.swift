import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct DedupeTests {
  // Clauses: S3.3, S3.28
  @Test func `each subscription of dedupe has its own last value`() {
    #expect(
      marbles("1-12-2-1", states: "+------.", second: 4) { $0.dedupe() } == """
        1-12-2-1
        +------.
        .dedupe()
        1--2---1
        +------.
        -----2-1
        -------.
        ^---^---(!!)
        """)
  }
}
