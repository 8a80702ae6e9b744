import MotionStreams
import Testing

@Suite struct ScaleGestureRecognizerTests {
  // Clauses: S6.12
  @Test func `the scale is the ratio of the pointers' distances`() {
    var hand = Hand(ScaleGestureRecognizer())
    hand.down(1, at: 0)
    #expect(hand.move(1, to: 5) == nil)
    hand.move(1, to: 0)
    #expect(hand.down(2, at: 100) == nil)
    #expect(hand.move(2, to: 100) == nil, "nothing moved")
    #expect(hand.move(2, to: 150) == .began)
    #expect(abs(hand.recognizer.scale - 1.5) < 1e-12)
    #expect(hand.move(1, to: -150) == .changed)
    #expect(abs(hand.recognizer.scale - 3) < 1e-12)
    #expect(hand.up(1, at: -150) == .ended)
    #expect(abs(hand.recognizer.scale - 3) < 1e-12 && hand.recognizer.state == .possible)
    #expect(hand.move(2, to: 0) == nil)
    #expect(hand.up(2, at: 0) == nil && hand.recognizer.state == .possible)
  }

  // Clauses: S6.11
  @Test func `a new touch begins without the velocity of the last`() {
    var hand = Hand(ScaleGestureRecognizer())
    hand.down(1, at: 0)
    hand.down(2, at: 100)
    for step in 1...10 {
      hand.time = Double(step) / 120
      hand.move(2, to: 100 + 10 * Double(step))
    }
    #expect(hand.recognizer.velocity > 11)
    hand.up(1, at: 0)
    hand.up(2, at: 200)
    hand.down(1, at: 0)
    hand.down(2, at: 100)
    hand.move(2, to: 101)
    #expect(hand.recognizer.state == .began && hand.recognizer.velocity == 0)
  }

  @Test func `a second pinch starts at a scale of one`() {
    var hand = Hand(ScaleGestureRecognizer())
    hand.down(1, at: 0)
    hand.down(2, at: 100)
    hand.move(2, to: 200)
    hand.up(2, at: 200)
    hand.down(2, at: 50)
    #expect(hand.move(2, to: 75) == .began)
    #expect(abs(hand.recognizer.scale - 1.5) < 1e-12)
    #expect(hand.heard == [.began, .ended, .began])
  }

  // Clauses: S6.7
  @Test func `pointers that join or leave do not change the scale`() {
    var hand = Hand(ScaleGestureRecognizer())
    hand.down(1, at: 0)
    hand.down(2, at: 100)
    hand.move(2, to: 200)
    #expect(hand.down(3, at: 50, 400) == .changed)
    #expect(hand.recognizer.scale == 2)
    hand.up(1, at: 0)
    #expect(hand.recognizer.scale == 2)
    // 2 and 3 remain; half as far apart.
    hand.move(3, to: 125, 200)
    #expect(abs(hand.recognizer.scale - 1) < 1e-12)
  }

  // Clauses: S6.12
  @Test func `a scale reaches zero when pointers meet, and grows when they part`() {
    var hand = Hand(ScaleGestureRecognizer())
    hand.down(1, at: 0)
    hand.down(2, at: 100)
    hand.move(2, to: 0)
    #expect(hand.recognizer.scale == 0)
    hand.move(2, to: 50)
    #expect(abs(hand.recognizer.scale - 0.5) < 1e-12)
  }

  // Clauses: S6.12
  @Test func pointersThatBeginOnOnePointScaleOnceTheyAreApart() {
    var hand = Hand(ScaleGestureRecognizer())
    hand.down(1, at: 40)
    hand.down(2, at: 40)
    hand.move(2, to: 60)
    #expect(hand.recognizer.scale == 1)
    hand.move(2, to: 80)
    #expect(abs(hand.recognizer.scale - 2) < 1e-12)
  }

  @Test func `a pointer that joins at a scale of zero does not trap`() {
    var hand = Hand(ScaleGestureRecognizer())
    hand.down(1, at: 0)
    hand.down(2, at: 100)
    hand.move(2, to: 0)
    hand.down(3, at: 100)
    #expect(hand.recognizer.scale == 0)
    hand.move(3, to: 200)
    #expect(hand.recognizer.scale > 0 && hand.recognizer.scale < 1e-5)
  }

  @Test func `the scale's velocity is per second`() {
    var hand = Hand(ScaleGestureRecognizer())
    hand.down(1, at: 0)
    hand.down(2, at: 100)
    for step in 1...30 {
      hand.time = Double(step) / 120
      hand.move(2, to: 100 + 200 * hand.time)
    }
    #expect(abs(hand.recognizer.velocity - 2) < 1e-9)
    hand.up(2, at: 150)
    #expect(abs(hand.recognizer.velocity - 2) < 1e-9)
    #expect(hand.recognizer.velocity(at: 1) == 0)
  }
}
