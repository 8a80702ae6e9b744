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
  @Test func `it follows inside and ever less beyond, and nothing is said on end`() {
    let start = ReactiveProperty(Point(90, 150), named: "place")
    var heard: [Point] = []
    let stream = gestureSource(drag).translated(from: start, within: rect, maxLength: 20)
    let subscription = stream.subscribe { heard.append($0) }
    tell(.down, 0)
    for x in [10.0, 20, .greatestFiniteMagnitude / 4] { tell(.move, x) }
    tell(.up, 0)
    #expect(heard.map(\.y) == [150, 150, 150, 150])
    #expect(heard[0].x == 90 && heard[1].x == 100 && abs(heard[2].x - 104.3137) < 1e-3 && heard[3].x == 120)
    subscription.unsubscribe()
    #expect(
      stream.metadata.debugDescription.hasSuffix(
        ".translated(from: place, in: surface, within: (0.0, 0.0)...(100.0, 100.0), maxLength: 20.0)"))
  }

  // Clauses: S7.28
  @Test(arguments: [104.0, 119, 160])
  func `taken again and again it stays where it is, and comes back with the hand`(_ place: Double) {
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
