import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct CombineTests {
  private func flags(_ operation: ([MotionObservable<Bool>]) -> MotionObservable<Bool>) -> String {
    marbles(
      all: [.flags("t---f--", states: "+-----."), .flags("-t-f---", states: "-+.----"), .flags("--t---f")], operation)
  }

  // Clauses: S3.55
  @Test func `flags are combined once all are known`() {
    #expect(
      flags(anyOf) == """
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
    #expect(
      flags(allOf) == """
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
    #expect(
      flags(noneOf) == """
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
      marbles(all: [], anyOf) == """
        anyOf(: )

        """)
  }

  // Clauses: S3.55
  @Test func `not each flag`() {
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

  // Clauses: S3.56
  @Test func `the last of both, whenever either says something, once both have`() {
    #expect(
      marbles(
        .numbers("1---2--", states: "+----.-"), .flags("--t---f", states: "-+----."), second: 3,
        show: { MarbleText.of($0.0) + MarbleText.of($0.1) }
      ) { combineLatest($0, $1) } == """
        1    -    -    -    2    -    -
        +    -    -    -    -    .    -
        -    -    t    -    -    -    f
        -    +    -    -    -    -    .
        combineLatest(: input(), : other())
        -    -    1t   -    2t   -    2f
        +    +    -    -    -    -    .
        -    -    -    -    -    -    2f
        -    -    -    -    -    .    .
        ^    -    -    ^    -    -    -    (!!)
        ^    -    -    ^    -    -    -    (!!)
        """)
  }

  // Clauses: S3.56
  @Test func `the last of three, each of its kind`() {
    #expect(
      marbles(
        .numbers("1--"), .flags("-t-"), MarbleLine.points("--a", ["a": [3, 4]]),
        show: { MarbleText.of($0.0) + MarbleText.of($0.1) + MarbleText.of($0.2) }
      ) { combineLatest($0, $1, $2) } == """
        1     -     -
        -     t     -
        -     -     a
        combineLatest(: input(), : other(), : third())
        -     -     1t3,4
        ^     -     -     !
        ^     -     -     !
        ^     -     -     !
        """)
  }
}
