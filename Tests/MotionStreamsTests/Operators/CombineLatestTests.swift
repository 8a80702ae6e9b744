import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct CombineLatestTests {
  // Clauses: S3.56
  @Test func `combineLatest emits the last of both for each value, once both have one`() {
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
  @Test func `combineLatest combines three streams of different types`() {
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
  @Test func `the metadata contains the call with its streams`() {
    #expect(
      combineLatest(MotionSubject<Bool>(Metadata("wet")).asStream(), MotionSubject<Double>(Metadata("warm")).asStream())
        .metadata.debugDescription == """
          combineLatest(: wet(), : warm())
          """)
  }

  // Clauses: S3.56
  @Test func `combineLatest of a collection emits lists`() {
    let subjects = (0..<3).map { MotionSubject<Double>(Metadata("s\($0)")) }
    let combined = combineLatest(subjects.map { $0.asStream() })
    var heard: [[Double]] = []
    var states: [MotionState] = []
    let subscription = combined.subscribe(next: { heard.append($0) }, state: { states.append($0) })
    subjects[2].next(3)
    subjects[0].next(1)
    subjects[2].state(.active)
    subjects[1].next(2)
    subjects[1].next(5)
    subjects[2].state(.atRest)
    #expect(heard == [[1, 2, 3], [1, 5, 3]] && states == [.active, .atRest])
    #expect(combined.metadata.debugDescription == "combineLatest(: s0(), s1(), s2())")
    subscription.unsubscribe()
    #expect(subjects.allSatisfy { $0.observerCount == 0 })
    #expect(combineLatest([MotionObservable<Double>]())._read() == nil)
  }
}
