import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct ActiveTests {
  // Clauses: S3.54
  @Test func `whether it is at work`() {
    #expect(
      marbles("-1--", states: "+--.") { $0.active() } == """
        -1--
        +--.
        .active()
        t--f
        +--.
        ^---!
        """)
  }

  // Clauses: S2.9
  @Test func `it is told without arguments`() {
    #expect(
      MotionSubject<Double>(Metadata("values")).asStream().active().metadata.debugDescription == """
        values()
          .active()
        """)
  }
}
