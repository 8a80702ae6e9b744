import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct RotatedTests {
  // Clauses: S3.53
  @Test func `rotated adds the rotation to its start`() {
    let rotation = ReactiveProperty(1.0, named: "rotation", of: "ball")
    let directions: [Character: Point] = ["o": .zero, "e": [1, 0], "s": [0, 1], "w": [-1, 0]]
    #expect(
      marbles(
        fingers: "o------u", "-e-s-w-u", of: RotationGestureRecognizer(), place: { directions[$0] ?? .zero },
        show: { MarbleText.of((($0 - 1) / .pi * 2).rounded()) }
      ) { $0.rotated(from: rotation) } == """
        o------u
        -e-s-w-u
        .rotated(from: rotation of ball)
        ---1-2--
        .--+---.
        ^-------!
        """)
  }

  // Clauses: S3.60, S3.61
  @Test func `rotated in each frame is cancelled without velocity`() {
    let (rotation, clock) = (ReactiveProperty(1.0, named: "rotation"), ManualFrameClock())
    let directions: [Character: Point] = ["o": .zero, "e": [1, 0], "n": [1, 0.1]]
    #expect(
      marbles(
        fingers: "o------u", "-e-n-c-u", of: RotationGestureRecognizer(), place: { directions[$0] ?? .zero },
        clock: clock, every: 1.0 / 64,
        show: { "\(MarbleText.of(($0.value * 10).rounded()))@\(MarbleText.of($0.velocity.rounded()))" }
      ) { $0.rotated(from: rotation, each: clock) } == """
        o    -    -    -    -    -    -    u
        -    e    -    n    -    c    -    u
        .rotated(from: rotation, each: frames)
        -    -    -    -    11@3 11@3 11@0 -
        .    -    -    +    -    -    .    -
        ^    -    -    -    -    -    -    -    !
        """)
  }

  // Clauses: S2.9
  @Test func `the metadata contains the call with its start`() {
    let gesture = MotionObservable<Gesture<RotationGestureRecognizer>>(Metadata("gesture")) { _ in noopDisconnect }
    let rotation = ReactiveProperty(1.0, named: "rotation", of: "ball")
    #expect(
      gesture.rotated(from: rotation).metadata.debugDescription == "gesture()\n  .rotated(from: rotation of ball)")
  }
}
