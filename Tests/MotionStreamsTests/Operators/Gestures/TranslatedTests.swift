import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct TranslatedTests {
  private let position = ReactiveProperty(Point(5, 5), named: "position", of: "ball")

  // Clauses: S3.51
  @Test func `translated adds the drag to the position at its beginning, and emits nothing at the end`() {
    #expect(
      marbles(fingers: "--0-12-u--7-8c", of: TranslationGestureRecognizer(slop: 0)) {
        // A write during the drag does not change its start; the next drag begins at the written place.
        let translated = $0.translated(from: position)
        return translated._tap(translated.metadata) { position.write($0) }
      } == """
        -   -   0   -   1   2   -   u   -   -   7   -   8   c
        .translated(from: position of ball, in: .surface)
        -   -   5,5 -   6,5 7,5 -   -   -   -   7,5 -   8,5 -
        .   -   +   -   -   -   -   .   -   -   +   -   -   .
        ^   -   -   -   -   -   -   -   -   -   -   -   -   -   !
        """)
  }

  // Clauses: S3.52
  @Test func `each subscription of translated has its own start, at latest the first change`() {
    #expect(
      marbles(fingers: "0-1-3-u", of: TranslationGestureRecognizer(slop: 0), second: 3) {
        $0.translated(from: position, in: CoordinateSpace("card", scale: { 0.5 }))
      } == """
        0    -    1    -    3    -    u
        .translated(from: position of ball, in: card)
        5,5  -    7,5  -    11,5 -    -
        (.+) -    -    -    -    -    .
        -    -    -    7,5  11,5 -    -
        -    -    -    +    -    -    .
        ^    -    -    ^    -    -    -    (!!)
        """)
  }

  // Clauses: S3.3
  @Test func `a write between two subscriptions changes the start of the second only`() {
    let drag = Gesture(TranslationGestureRecognizer(slop: 0))
    let stream = gestureSource(drag).translated(from: position)
    var (first, second): ([Point], [Point]) = ([], [])
    let one = stream.subscribe { first.append($0) }
    drag.handle(PointerEvent(id: 1, .down, at: .zero, time: 0))
    position.write(Point(100, 0))
    let two = stream.subscribe { second.append($0) }
    drag.handle(PointerEvent(id: 1, .move, at: Point(1, 0), time: 0))
    #expect(first == [Point(5, 5), Point(6, 5)] && second == [Point(100, 0), Point(101, 0)])
    one.unsubscribe()
    two.unsubscribe()
  }

  // Clauses: S2.9
  @Test func `the metadata contains the call with its start and its space`() {
    let gesture = MotionObservable<Gesture<TranslationGestureRecognizer>>(Metadata("gesture")) { _ in noopDisconnect }
    #expect(
      gesture.translated(from: position, in: CoordinateSpace("card", scale: { 0.5 })).metadata.debugDescription == """
        gesture()
          .translated(from: position of ball, in: card)
        """)
  }
}
