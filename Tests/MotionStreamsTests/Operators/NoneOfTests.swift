import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct NoneOfTests {
  // Clauses: S3.55
  @Test func `noneOf is true if no flag is, once all are known`() {
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
  @Test func `noneOf of no flags emits nothing`() {
    #expect(
      marbles(all: [], noneOf) == """
        noneOf(: )

        """)
  }

  // Clauses: S2.9
  @Test func `the metadata contains the call with its streams`() {
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
