import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct GestureVelocityTests {
  private func rounded(_ number: Double) -> String { MarbleText.of(number.rounded()) }

  // Clauses: S3.49
  @Test func `velocity emits the velocity of a drag in a coordinate space`() {
    let card = CoordinateSpace("card", scale: { 2 })
    #expect(
      marbles(
        fingers: "0-24--u", of: TranslationGestureRecognizer(slop: 0), every: 0.01,
        show: { "\(rounded($0.x))" }
      ) { $0.velocity(in: card) } == """
        0    -    2    4    -    -    u
        .velocity(in: card)
        (00) -    50   64   -    -    64
        (.+) -    -    -    -    -    .
        ^    -    -    -    -    -    -    !
        """)
  }

  // Clauses: S3.49
  @Test func `velocity emits the velocity of a scale and of a rotation`() {
    #expect(
      marbles(fingers: "0-----u", "1--2-3u", of: ScaleGestureRecognizer(), every: 0.01, show: rounded) {
        $0.velocity()
      } == """
        0  -  -  -  -  -  u
        1  -  -  2  -  3  u
        .velocity()
        0  -  -  33 -  39 39
        .  -  -  +  -  -  .
        ^  -  -  -  -  -  -  !
        """)
    let directions: [Character: Point] = ["o": .zero, "e": [1, 0], "s": [0, 1], "w": [-1, 0]]
    #expect(
      marbles(
        fingers: "o----u", "e-s-wu", of: RotationGestureRecognizer(), place: { directions[$0] ?? .zero }, every: 0.01,
        show: { rounded($0 * 0.04 / .pi) }
      ) { $0.velocity() } == """
        o----u
        e-s-wu
        .velocity()
        0-1-11
        .-+--.
        ^-----!
        """)
  }
}
