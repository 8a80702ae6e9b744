import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct ScaledFromTests {
  // Clauses: S3.53
  @Test func `scaled multiplies its start by the pinch`() {
    let scale = ReactiveProperty(3.0, named: "scale", of: "ball")
    #expect(
      marbles(fingers: "0----u", "-1-2-u", of: ScaleGestureRecognizer()) { $0.scaled(from: scale) } == """
        0----u
        -1-2-u
        .scaled(from: scale of ball)
        ---6--
        .--+-.
        ^-----!
        """)
  }

  // Clauses: S3.60
  @Test func `scaled in each frame multiplies every lane and its velocity`() {
    let (scale, clock) = (ReactiveProperty(Point(3, 1), named: "scale"), ManualFrameClock())
    #expect(
      marbles(
        fingers: "0-----u-", "-1-2-3u-", of: ScaleGestureRecognizer(), clock: clock, every: 1.0 / 64,
        show: { "\(MarbleText.of($0.value.x.rounded()))@\(MarbleText.of($0.velocity.x.rounded()))" }
      ) { $0.scaled(from: scale, each: clock) } == """
        0    -    -    -    -    -    u    -
        -    1    -    2    -    3    u    -
        .scaled(from: scale, each: frames)
        -    -    -    -    6@96 6@96 9@96 9@96
        .    -    -    +    -    -    -    .
        ^    -    -    -    -    -    -    -    !
        """)
  }

  // Clauses: S3.60
  @Test func `a factor of zero leads nowhere`() {
    let (scale, clock, pinch) = (ReactiveProperty(3.0), ManualFrameClock(), Gesture(ScaleGestureRecognizer()))
    pinch.handle(PointerEvent(id: 1, .down, at: [0, 0], time: 0))
    pinch.handle(PointerEvent(id: 2, .down, at: [9, 0], time: 0))
    pinch.handle(PointerEvent(id: 2, .move, at: [0, 0], time: 0))
    var sent: [Moving<Double>] = []
    let subscription = gestureSource(pinch).scaled(from: scale, each: clock).subscribe { sent.append($0) }
    pinch.handle(PointerEvent(id: 2, .move, at: [5, 0], time: 0.01))
    clock.advance(by: 0.02)
    #expect(sent == [Moving(3)])
    subscription.unsubscribe()
  }

  // Clauses: S2.9
  @Test func `the metadata contains the call with its start`() {
    let gesture = MotionObservable<Gesture<ScaleGestureRecognizer>>(Metadata("gesture")) { _ in noopDisconnect }
    let scale = ReactiveProperty(3.0, named: "scale", of: "ball")
    #expect(gesture.scaled(from: scale).metadata.debugDescription == "gesture()\n  .scaled(from: scale of ball)")
  }
}
