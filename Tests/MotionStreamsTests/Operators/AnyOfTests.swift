import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct AnyOfTests {
  // Clauses: S3.55
  @Test func `whether any is true, once all are known`() {
    #expect(
      marbles(
        all: [.flags("t---f--", states: "+-----."), .flags("-t-f---", states: "-+.----"), .flags("--t---f")], anyOf
      ) == """
        t---f--
        +-----.
        -t-f---
        -+.----
        --t---f
        anyOf(: input(), other(), third())
        --ttt-f
        ++----.
        ^------!
        ^------!
        ^------!
        """)
  }

  // Clauses: S3.55
  @Test func `of no flags there is nothing to say`() {
    #expect(
      marbles(all: [], anyOf) == """
        anyOf(: )

        """)
  }

  // Clauses: S2.9
  @Test func `it is told with its streams`() {
    #expect(
      anyOf([MotionSubject<Bool>(Metadata("wet")).stream, MotionSubject<Bool>(Metadata("cold")).stream.inverted()])
        .metadata.debugDescription == """
          anyOf(: wet(), cold()
              .inverted())
          """)
  }
}
