import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct CombineLatestTests {
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

  // Clauses: S2.9
  @Test func `it is told with its streams`() {
    #expect(
      combineLatest(MotionSubject<Bool>(Metadata("wet")).stream, MotionSubject<Double>(Metadata("warm")).stream)
        .metadata.debugDescription == """
          combineLatest(: wet(), : warm())
          """)
  }
}
