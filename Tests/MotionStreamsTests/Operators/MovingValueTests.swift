import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct MovingValueTests {
  private let moving = MarbleLine("1-2", states: "+-.") {
    Moving(MarbleText.digit($0), velocity: 9 - MarbleText.digit($0))
  }

  // Clauses: S3.59
  @Test func `value emits the value of a moving value`() {
    #expect(
      marbles(moving) { $0.value() } == """
        1-2
        +-.
        .value()
        1-2
        +-.
        ^--!
        """)
  }

  // Clauses: S2.9
  @Test func `the metadata contains the call without arguments`() {
    #expect(
      MotionSubject<Moving<Double>>(Metadata("values")).asStream().value().metadata.debugDescription == """
        values()
          .value()
        """)
  }
}
