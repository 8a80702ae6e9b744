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

  // Clauses: S2.9
  @Test func `the metadata contains the call with its start`() {
    let gesture = MotionObservable<Gesture<ScaleGestureRecognizer>>(Metadata("gesture")) { _ in noopDisconnect }
    let scale = ReactiveProperty(3.0, named: "scale", of: "ball")
    #expect(gesture.scaled(from: scale).metadata.debugDescription == "gesture()\n  .scaled(from: scale of ball)")
  }
}
