import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct AnyOfTests {
  // Clauses: S3.55
  @Test func `anyOf is true if any flag is, once all are known`() {
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
  @Test func `anyOf of no flags emits nothing`() {
    #expect(
      marbles(all: [], anyOf) == """
        anyOf(: )

        """)
  }

  // Clauses: S2.9
  @Test func `the metadata contains the call with its streams`() {
    #expect(
      anyOf([
        MotionSubject<Bool>(Metadata("wet")).asStream(), MotionSubject<Bool>(Metadata("cold")).asStream().inverted(),
      ])
      .metadata.debugDescription == """
        anyOf(: wet(), cold()
            .inverted())
        """)
  }

  // Clauses: S3.55
  @Test func `anyOf, allOf and noneOf accept lists and collections`() {
    let (wet, cold) = (MotionSubject<Bool>(), MotionSubject<Bool>())
    wet.next(true)
    cold.next(false)
    let (first, second) = (wet.asStream(), cold.asStream())
    #expect(anyOf(first, second)._read() == true && anyOf([first, second][...])._read() == true)
    #expect(allOf(first, second)._read() == false && allOf([first, second].lazy.map { $0 })._read() == false)
    #expect(noneOf(first, second)._read() == false && noneOf(second)._read() == true)
  }
}
