import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct OnRecognitionStateTests {
  private typealias Drag = Gesture<TranslationGestureRecognizer>

  private func draw(_ operation: (MotionObservable<Drag>) -> MotionObservable<Drag>) -> String {
    marbles(
      fingers: "-0-12-u-3c", of: TranslationGestureRecognizer(slop: 0), show: { String("\($0.state)".prefix(2)) }
    ) { operation($0) }
  }

  // Clauses: S3.47
  @Test func `onRecognitionState passes gestures in one state`() {
    #expect(
      draw { $0.onRecognitionState(.ended) } == """
        -  0  -  1  2  -  u  -  3  c
        .onRecognitionState(: .ended)
        -  -  -  -  -  -  en -  -  -
        .  +  -  -  -  -  .  -  +  .
        ^  -  -  -  -  -  -  -  -  -  !
        """)
    #expect(
      draw { $0.state(is: .changed) } == """
        -  0  -  1  2  -  u  -  3  c
        .state(is: .changed)
        -  -  -  ch ch -  -  -  -  -
        .  +  -  -  -  -  .  -  +  .
        ^  -  -  -  -  -  -  -  -  -  !
        """)
  }

  // Clauses: S3.47
  @Test func `onRecognitionState passes gestures in several states`() {
    #expect(
      draw { $0.onRecognitionState([.possible, .began, .cancelled]) } == """
        -  0  -  1  2  -  u  -  3  c
        .onRecognitionState(: .possible, .began, .cancelled)
        po be -  -  -  -  -  -  be ca
        .  +  -  -  -  -  .  -  +  .
        ^  -  -  -  -  -  -  -  -  -  !
        """)
  }
}
