import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct NotTests {
  // Clauses: S3.55
  @Test func `not negates each flag`() {
    #expect(
      marbles(.flags("t-f", states: "+-.")) { not($0) } == """
        t-f
        +-.
        not(: input())
        f-t
        +-.
        ^--!
        """)
  }

  // Clauses: S2.9
  @Test func `the metadata contains the call with its stream`() {
    #expect(
      not(MotionSubject<Bool>(Metadata("wet")).asStream()).metadata.debugDescription == """
        not(: wet())
        """)
  }
}
