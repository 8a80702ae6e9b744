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

  // Clauses: S3.60, S3.61
  @Test func `translated in each frame carries the velocity, and sends the last value after the end`() {
    let (place, clock) = (ReactiveProperty(Point(5, 5), named: "place"), ManualFrameClock())
    #expect(
      marbles(
        fingers: "0-1-2-3u--", of: TranslationGestureRecognizer(slop: 0), clock: clock, every: 1.0 / 64,
        show: { "\(MarbleText.of($0.value.x))@\(MarbleText.of($0.velocity.x))" }
      ) { $0.translated(from: place, along: Point(1, 0), each: clock) } == """
        0    -    1    -    2    -    3    u    -    -
        .translated(from: place, in: .surface, along: (1.0, 0.0), within: nil, maxLength: 0.0, each: frames)
        -    5@0  -    6@32 6@32 7@32 7@32 8@32 8@32 -
        (.+) -    -    -    -    -    -    -    .    -
        ^    -    -    -    -    -    -    -    -    -    !
        """)
  }

  // Clauses: S3.61
  @Test func `a subscription made during the drag continues from its start`() {
    let (place, clock) = (ReactiveProperty(Point(5, 5), named: "place"), ManualFrameClock())
    tell(.down, 0)
    tell(.move, 30)
    var sent: [Double] = []
    let subscription = gestureSource(drag).translated(from: place, within: rect, maxLength: 9, each: clock).subscribe {
      sent.append($0.value.x)
    }
    clock.advance(by: 1)
    tell(.move, 42)
    clock.advance(by: 1)
    tell(.up, 44)
    clock.advance(by: 1)
    #expect(sent == [5, 17, 19] && !clock.isWanted)
    subscription.unsubscribe()
  }

  // Clauses: S3.61
  @Test func `a drag that ends and begins within a frame sends both ends of the hold in order`() {
    let (place, clock) = (ReactiveProperty(Point(5, 5), named: "place"), ManualFrameClock())
    var sent: [String] = []
    let subscription = gestureSource(drag).translated(from: place, each: clock).subscribe(
      next: {
        place.write($0.value)
        sent.append(MarbleText.of($0.value.x))
      }, state: { sent.append($0 == .active ? "+" : ".") })
    tell(.down, 0)
    tell(.move, 3)
    tell(.up, 3)
    tell(.down, 100)
    tell(.move, 101)
    clock.advance(by: 1)
    tell(.cancel, 101)
    #expect(clock.isWanted)
    subscription.unsubscribe()
    #expect(sent == [".", "+", "8", ".", "+", "9"] && !clock.isWanted)
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
