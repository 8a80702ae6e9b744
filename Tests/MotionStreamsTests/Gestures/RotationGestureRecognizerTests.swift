import Glibc
import MotionStreams
import Testing

@Suite struct RotationGestureRecognizerTests {
  private func turn(_ hand: inout Hand<RotationGestureRecognizer>, to angle: Double) {
    hand.move(2, to: 100 * cos(angle), 100 * sin(angle))
  }

  // Clauses: S6.13
  @Test(arguments: [1.0, -1])
  func `a rotation continues beyond half a turn`(sign: Double) {
    var hand = Hand(RotationGestureRecognizer())
    hand.down(1, at: 0)
    hand.down(2, at: 100)
    for step in 1...200 {
      let angle = sign * Double(step) * 0.1
      hand.time = Double(step) / 120
      turn(&hand, to: angle)
      #expect(abs(hand.recognizer.rotation - angle) < 1e-9, "step \(step)")
    }
    #expect(abs(hand.recognizer.velocity - sign * 12) < 1e-6)
    #expect(hand.up(1, at: 0) == .ended)
    #expect(abs(hand.recognizer.rotation - sign * 20) < 1e-9)
    #expect(hand.heard.first == .began && hand.heard.count == 201)
  }

  // Clauses: S6.11
  @Test func `a new touch begins without the velocity of the last`() {
    var hand = Hand(RotationGestureRecognizer())
    hand.down(1, at: 0)
    hand.down(2, at: 100)
    for step in 1...10 {
      hand.time = Double(step) / 120
      turn(&hand, to: Double(step) * 0.1)
    }
    #expect(hand.recognizer.velocity > 11)
    hand.up(1, at: 0)
    hand.up(2, at: 100)
    hand.down(1, at: 0)
    hand.down(2, at: 100)
    turn(&hand, to: 0.01)
    #expect(hand.recognizer.state == .began && hand.recognizer.velocity == 0)
  }

  // Clauses: S6.13
  @Test func `a rotation is positive from x towards y`() {
    var hand = Hand(RotationGestureRecognizer())
    hand.down(1, at: 0)
    hand.down(2, at: 100)
    hand.move(2, to: 0, 100)
    #expect(abs(hand.recognizer.rotation - .pi / 2) < 1e-12)
  }

  // Clauses: S6.7
  @Test func `pointers that join or leave do not change the rotation`() {
    var hand = Hand(RotationGestureRecognizer())
    hand.down(1, at: 0)
    hand.down(2, at: 100)
    for step in 1...40 { turn(&hand, to: Double(step) / 10) }
    #expect(hand.down(3, at: 700, 1) == .changed)
    #expect(abs(hand.recognizer.rotation - 4) < 1e-9)
    hand.up(1, at: 0)
    #expect(abs(hand.recognizer.rotation - 4) < 1e-9)
    // A quarter turn of the two that remain.
    let (second, third) = (hand.recognizer.pointers.pointers[0], hand.recognizer.pointers.pointers[1])
    let span = third.location - second.location
    hand.move(3, to: second.location.x - span.y, second.location.y + span.x)
    #expect(abs(hand.recognizer.rotation - 4 - .pi / 2) < 1e-9)
  }

  @Test func pointersOnOnePointKeepTheAngle() {
    var hand = Hand(RotationGestureRecognizer())
    hand.down(1, at: 0)
    hand.down(2, at: 0)
    hand.move(2, to: 0)
    hand.move(2, to: 0, 10)
    #expect(hand.recognizer.rotation == 0, "the first direction is where it counts from")
    hand.move(2, to: -10)
    #expect(abs(hand.recognizer.rotation - .pi / 2) < 1e-12)
    hand.move(2, to: 0)
    #expect(abs(hand.recognizer.rotation - .pi / 2) < 1e-12)
    hand.move(2, to: 0, -1e-4)
    #expect(abs(hand.recognizer.rotation - .pi / 2) < 1e-12, "nearer than any device resolves is one point")
  }
}
