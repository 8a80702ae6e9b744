import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct ScaledTests {
  private let points = MarbleLine.points("a---b", states: "+---.", ["a": [1, 2], "b": [3, 4]])

  // Clauses: S3.20
  @Test func `scaled multiplies each value by a factor`() {
    #expect(
      marbles("1-2-3", states: "+---.") { $0.scaled(by: 3) } == """
        1-2-3
        +---.
        .scaled(by: 3.0)
        3-6-9
        +---.
        ^----!
        """)
    #expect(
      marbles(points) { $0.scaled(by: 2) } == """
        a   -   -   -   b
        +   -   -   -   .
        .scaled(by: 2.0)
        2,4 -   -   -   6,8
        +   -   -   -   .
        ^   -   -   -   -   !
        """)
  }

  // Clauses: S3.20
  @Test func `scaled multiplies each component by its own factor`() {
    #expect(
      marbles(points) { $0.scaled(by: [2, 1]) } == """
        a   -   -   -   b
        +   -   -   -   .
        .scaled(by: (2.0, 1.0))
        2,2 -   -   -   6,4
        +   -   -   -   .
        ^   -   -   -   -   !
        """)
  }

  // Clauses: S3.22
  @Test func `scaled by a stream emits for each value of both, once both have one`() {
    #expect(
      marbles(points, .numbers("--23-", states: "-+.--")) { $0.scaled(by: $1) } == """
        a    -    -    -    b
        +    -    -    -    .
        -    -    2    3    -
        -    +    .    -    -
        .scaled(by: other())
        -    -    2,4  3,6  9,12
        +    -    -    -    .
        ^    -    -    -    -    !
        ^    -    -    -    -    !
        """)
    #expect(
      marbles(points, MarbleLine.points("--c--", ["c": [2, 1]])) { $0.scaled(by: $1) } == """
        a   -   -   -   b
        +   -   -   -   .
        -   -   c   -   -
        .scaled(by: other())
        -   -   2,2 -   6,4
        +   -   -   -   .
        ^   -   -   -   -   !
        ^   -   -   -   -   !
        """)
  }

  // Clauses: S3.20
  @Test func `numbers and points of any size are scaled by values of their own type`() {
    let number = MotionSubject<Double>()
    let factor = MotionSubject<Double>()
    let point = MotionSubject<SIMD3<Double>>()
    var heard: [Double] = []
    var points: [SIMD3<Double>] = []
    let subscriptions = [
      number.asStream().scaled(by: factor.asStream()).subscribe { heard.append($0) },
      point.asStream().scaled(by: [1, 2, 3]).subscribe { points.append($0) },
    ]
    number.next(2)
    factor.next(3)
    point.next([1, 1, 1])
    #expect(heard == [6] && points == [[1, 2, 3]] && subscriptions.count == 2)
  }
}
