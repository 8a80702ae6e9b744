import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct MovingPartsTests {
  private func draw(_ operation: (MotionObservable<Moving<Double>>) -> MotionObservable<Double>) -> String {
    let moving = MarbleLine("1-2", states: "+-.") { Moving(MarbleText.digit($0), velocity: 9 - MarbleText.digit($0)) }
    return marbles(moving) { operation($0) }
  }

  // Clauses: S3.59
  @Test func `the value of what moves, and its velocity`() {
    #expect(
      draw { $0.value() } == """
        1-2
        +-.
        .value()
        1-2
        +-.
        ^--!
        """)
    #expect(
      draw { $0.velocity() } == """
        1-2
        +-.
        .velocity()
        8-7
        +-.
        ^--!
        """)
  }
}
