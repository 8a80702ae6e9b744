import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct AllOfTests {
  // Clauses: S3.55
  @Test func `allOf is true if all flags are, once all are known`() {
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
  @Test func `allOf of no flags emits nothing`() {
    #expect(
      marbles(all: [], allOf) == """
        allOf(: )

        """)
  }

  // Clauses: S2.9
  @Test func `the metadata contains the call with its streams`() {
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
