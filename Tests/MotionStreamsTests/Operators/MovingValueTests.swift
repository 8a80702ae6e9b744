import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct MovingValueTests {
  private let moving = MarbleLine("1-2", states: "+-.") {
    Moving(MarbleText.digit($0), velocity: 9 - MarbleText.digit($0))
  }

  // Clauses: S3.59
  @Test func `the value of what moves`() {
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
  @Test func `it is told without arguments`() {
    #expect(
      MotionSubject<Moving<Double>>(Metadata("values")).asStream().value().metadata.debugDescription == """
        values()
          .value()
        """)
  }
}
