import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct RubberBandedTests {
  // Clauses: S3.41
  @Test func `rubberBanded resists beyond its edges, up to the length`() {
    // A length of 11 is half drawn out by an overshoot of 20.
    let far: [Character: Double] = ["o": 24, "i": .infinity, "j": -.infinity]
    let values = MarbleLine("0-4-o-i-j", states: "+-------.") { far[$0] ?? MarbleText.digit($0) }
    #expect(
      marbles(values) { $0.rubberBanded(below: 0, above: 4, maxLength: 11) } == """
        0   -   4   -   o   -   i   -   j
        +   -   -   -   -   -   -   -   .
        .rubberBanded(below: 0.0, above: 4.0, maxLength: 11.0)
        0   -   4   -   9.5 -   15  -   -11
        +   -   -   -   -   -   -   -   .
        ^   -   -   -   -   -   -   -   -   !
        """)
  }

  // Clauses: S3.42
  @Test func `swapped edges are put in order, and a length of zero ends at the edge`() {
    #expect(
      marbles("0-4-9") { $0.rubberBanded(below: 5, above: 1, maxLength: 0) } == """
        0-4-9
        .rubberBanded(below: 5.0, above: 1.0, maxLength: 0.0)
        1-4-5
        ^----!
        """)
  }

  // Clauses: S3.43
  @Test func `points are rubber banded by component`() {
    let rect = Rect(lower: [0, 0], upper: [5, 5])
    #expect(
      marbles(MarbleLine.points("a-b-c", states: "+---.", ["a": [1, 5], "b": [7, 2], "c": [-1, 6]])) {
        $0.rubberBanded(outsideOf: rect, maxLength: -1)
      } == """
        a   -   b   -   c
        +   -   -   -   .
        .rubberBanded(outsideOf: (0.0, 0.0)...(5.0, 5.0), maxLength: -1.0)
        1,5 -   5,2 -   0,5
        +   -   -   -   .
        ^   -   -   -   -   !
        """)
  }

  // Clauses: S3.42
  @Test func `edges that are NaN limit nothing`() {
    #expect(
      marbles("7") { $0.rubberBanded(below: .nan, above: 1, maxLength: 5) } == """
        7
        .rubberBanded(below: nan, above: 1.0, maxLength: 5.0)
        7
        ^!
        """)
    #expect(
      marbles(MarbleLine.points("a", ["a": [7, 7]])) {
        $0.rubberBanded(outsideOf: Rect(lower: [.nan, 0], upper: [.nan, 1]), maxLength: 0)
      } == """
        a
        .rubberBanded(outsideOf: (nan, 0.0)...(nan, 1.0), maxLength: 0.0)
        7,1
        ^   !
        """)
  }
}
