import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct TranslationTests {
  // Clauses: S3.50
  @Test func `translation emits the distance of a drag`() {
    #expect(
      marbles(fingers: "2-3-5-u", of: TranslationGestureRecognizer(slop: 0)) { $0.translation() } == """
        2         -         3         -         5         -         u
        .translation(in: .surface)
        (0,0 0,0) -         1,0       -         3,0       -         3,0
        (.+)      -         -         -         -         -         .
        ^         -         -         -         -         -         -         !
        """)
  }

  // Clauses: S3.50
  @Test func `translation converts to a turned and scaled space`() {
    // Rotated by a quarter: movement to the right on the surface is upward on the card.
    let card = CoordinateSpace("card", origin: { Point(9, 9) }, rotation: { .pi / 2 }, scale: { 2 })
    #expect(
      marbles(
        fingers: "2-4-u", of: TranslationGestureRecognizer(slop: 0),
        show: { "\(Int($0.x.rounded())),\(Int($0.y.rounded()))" }
      ) { $0.translation(in: card) } == """
        2         -         4         -         u
        .translation(in: card)
        (0,0 0,0) -         0,-1      -         0,-1
        (.+)      -         -         -         .
        ^         -         -         -         -         !
        """)
  }
}
