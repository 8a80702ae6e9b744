import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct MovingVelocityTests {
  private let moving = MarbleLine("1-2", states: "+-.") {
    Moving(MarbleText.digit($0), velocity: 9 - MarbleText.digit($0))
  }

  // Clauses: S3.59
  @Test func `velocity emits the velocity of a moving value`() {
    #expect(
      marbles(moving) { $0.velocity() } == """
        1-2
        +-.
        .velocity()
        8-7
        +-.
        ^--!
        """)
  }

  // Clauses: S2.9
  @Test func `the metadata contains the call without arguments`() {
    #expect(
      MotionSubject<Moving<Double>>(Metadata("values")).asStream().velocity().metadata.debugDescription == """
        values()
          .velocity()
        """)
  }
}
