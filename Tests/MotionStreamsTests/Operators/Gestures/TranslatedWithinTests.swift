import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct TranslatedWithinTests {
  private let drag = Gesture(TranslationGestureRecognizer(slop: 0))
  private let rect = Rect(lower: .zero, upper: Point(100, 100))

  private func tell(_ phase: PointerEvent.Phase, _ x: Double) {
    drag.handle(PointerEvent(id: 1, phase, at: [x, 0], time: 0))
  }

  // Clauses: S7.7
  @Test func `translated within a rectangle resists beyond it, and emits nothing at the end`() {
    let place = ReactiveProperty(Point(80, 0), named: "place")
    // A length of 11 is half drawn out by an overshoot of 20.
    #expect(
      marbles(fingers: "0-1-2-4-u", of: TranslationGestureRecognizer(slop: 0)) {
        $0.translated(from: place, in: CoordinateSpace("card", scale: { 0.1 }), within: rect, maxLength: 11)
      } == """
        0       -       1       -       2       -       4       -       u
        .translated(from: place, in: card, within: (0.0, 0.0)...(100.0, 100.0), maxLength: 11.0)
        80,0    -       90,0    -       100,0   -       105.5,0 -       -
        (.+)    -       -       -       -       -       -       -       .
        ^       -       -       -       -       -       -       -       -       !
        """)
  }

  // Clauses: S7.28
  @Test(arguments: [104.0, 119, 160])
  func `a position caught repeatedly beyond the perimeter stays, and returns with the drag`(_ place: Double) {
    let position = ReactiveProperty(Point(place, 50))
    let runtime = MotionRuntime()
    runtime.add(Draggable(position, drag, perimeter: rect, maxLength: 20))
    for _ in 1...5 {
      tell(.down, 0)
      tell(.move, 0)
      tell(.up, 0)
    }
    #expect(position.read() == Point(place, 50))
    tell(.down, 0)
    tell(.move, -1)
    #expect(position.read().x < place && position.read().x > place - 1)
    tell(.move, -500)
    #expect(position.read().x < 0)
    tell(.up, -500)
  }
}
