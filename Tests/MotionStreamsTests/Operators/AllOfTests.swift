import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct AllOfTests {
  // Clauses: S3.55
  @Test func `whether all are true, once all are known`() {
    #expect(
      marbles(
        all: [.flags("t---f--", states: "+-----."), .flags("-t-f---", states: "-+.----"), .flags("--t---f")], allOf
      ) == """
        t---f--
        +-----.
        -t-f---
        -+.----
        --t---f
        allOf(: input(), other(), third())
        --tff-f
        ++----.
        ^------!
        ^------!
        ^------!
        """)
  }

  // Clauses: S3.55
  @Test func `of no flags there is nothing to say`() {
    #expect(
      marbles(all: [], allOf) == """
        allOf(: )

        """)
  }

  // Clauses: S2.9
  @Test func `it is told with its streams`() {
    #expect(
      allOf([
        MotionSubject<Bool>(Metadata("wet")).asStream(), MotionSubject<Bool>(Metadata("cold")).asStream().inverted(),
      ])
      .metadata.debugDescription == """
        allOf(: wet(), cold()
            .inverted())
        """)
  }
}
