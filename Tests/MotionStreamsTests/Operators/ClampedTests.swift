import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct ClampedTests {
  // Clauses: S3.24
  @Test func `clamped limits values to its range`() {
    #expect(
      marbles("1-5-3-9") { $0.clamped(to: 2...4) } == """
        1-5-3-9
        .clamped(to: 2.0...4.0)
        2-4-3-4
        ^------!
        """)
  }

  // Clauses: S2.9
  @Test func `the metadata contains the call with its range`() {
    #expect(
      MotionSubject<Double>(Metadata("values")).asStream().clamped(to: 2...4).metadata.debugDescription == """
        values()
          .clamped(to: 2.0...4.0)
        """)
  }
}
