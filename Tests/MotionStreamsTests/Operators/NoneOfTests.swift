import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct NoneOfTests {
  // Clauses: S3.55
  @Test func `whether none is true, once all are known`() {
    #expect(
      marbles(
        all: [.flags("t---f--", states: "+-----."), .flags("-t-f---", states: "-+.----"), .flags("--t---f")], noneOf
      ) == """
        t---f--
        +-----.
        -t-f---
        -+.----
        --t---f
        noneOf(: input(), other(), third())
        --fff-t
        ++----.
        ^------!
        ^------!
        ^------!
        """)
  }

  // Clauses: S3.55
  @Test func `of no flags there is nothing to say`() {
    #expect(
      marbles(all: [], noneOf) == """
        noneOf(: )

        """)
  }

  // Clauses: S2.9
  @Test func `it is told with its streams`() {
    #expect(
      noneOf([
        MotionSubject<Bool>(Metadata("wet")).asStream(), MotionSubject<Bool>(Metadata("cold")).asStream().inverted(),
      ])
      .metadata.debugDescription == """
        noneOf(: wet(), cold()
            .inverted())
        """)
  }
}
