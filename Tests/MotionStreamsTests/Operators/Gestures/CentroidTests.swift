import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct CentroidTests {
  private let card = CoordinateSpace("card", origin: { Point(2, 0) }, scale: { 2 })

  // Clauses: S3.48
  @Test func `centroid emits the middle of the pointers, also after the end`() {
    #expect(
      marbles(fingers: "0-4--u", "-2--6-u", of: TranslationGestureRecognizer(slop: 0)) { $0.centroid() } == """
        0         -         4         -         -         u         -
        -         2         -         -         6         -         u
        .centroid(in: .surface)
        (0,0 0,0) 1,0       3,0       -         5,0       5,0       6,0
        (.+)      -         -         -         -         -         .
        ^         -         -         -         -         -         -         !
        """)
  }

  // Clauses: S3.48
  @Test func `centroid and location convert to a coordinate space`() {
    #expect(
      marbles(fingers: "2-6-u", of: TranslationGestureRecognizer(slop: 0)) { $0.centroid(in: card) } == """
        2          -          6          -          u
        .centroid(in: card)
        (-1,0 0,0) -          2,0        -          2,0
        (.+)       -          -          -          .
        ^          -          -          -          -          !
        """)
    #expect(
      marbles(fingers: "2-6-u", of: TranslationGestureRecognizer(slop: 0)) { $0.location(in: card) } == """
        2          -          6          -          u
        .location(in: card)
        (-1,0 0,0) -          2,0        -          2,0
        (.+)       -          -          -          .
        ^          -          -          -          -          !
        """)
  }

  // Clauses: S3.62
  @Test func `centroid in each frame sends the place of a tap with the next frame`() {
    let clock = ManualFrameClock()
    #expect(
      marbles(
        fingers: "4-u-6u-", of: TapGestureRecognizer(), clock: clock,
        show: { "\(MarbleText.of($0.value))@\(MarbleText.of($0.velocity.x))" }
      ) { $0.centroid(in: card, each: clock) } == """
        4     -     u     -     6     u     -
        .centroid(in: card, each: frames)
        -     -     -     1,0@0 -     -     2,0@0
        .     -     +     .     -     +     .
        ^     -     -     -     -     -     -     !
        """)
  }
}
