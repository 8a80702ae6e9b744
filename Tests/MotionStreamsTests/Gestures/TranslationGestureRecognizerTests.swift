import MotionModel
import MotionStreams
import Testing

@Suite struct TranslationGestureRecognizerTests {
  // Clauses: S6.5
  @Test func `a drag begins beyond the slop and counts from there`() {
    var hand = Hand(TranslationGestureRecognizer())
    hand.down(at: 100, 100)
    hand.move(to: 116, 100)
    #expect(hand.heard == [] && hand.recognizer.translation == .zero, "16 is still within")
    #expect(hand.move(to: 120, 100) == .began)
    #expect(isClose(hand.recognizer.translation, SIMD2(4, 0)))
    #expect(hand.move(to: 130, 90) == .changed)
    #expect(isClose(hand.recognizer.translation, SIMD2(14, -10)))
    #expect(hand.up(at: 130, 90) == .ended)
    #expect(hand.recognizer.state == .possible)
    #expect(isClose(hand.recognizer.translation, SIMD2(14, -10)), "observers of the end still read it")
    #expect(hand.recognizer.centroid == SIMD2(130, 90))
  }

  /// A finger that moves straight has moved the same distance, less the slop, however often the device reports.
  // Clauses: S6.5
  @Test(arguments: [1, 2, 3, 7, 50], [16.0, 4, 99])
  func `a drag loses the slop's length, however few its events`(events: Int, slop: Double) {
    var hand = Hand(TranslationGestureRecognizer(slop: slop))
    hand.down(at: 10, 20)
    for event in 1...events {
      let part = Double(event) / Double(events)
      hand.move(to: 10 + 60 * part, 20 + 80 * part)
    }
    let expected = SIMD2(60.0, 80) * ((100 - slop) / 100)
    #expect(isClose(hand.recognizer.translation, expected), "\(hand.recognizer.translation)")
  }

  // Clauses: S6.6
  @Test func `a drag without slop begins at the down event`() {
    var hand = Hand(TranslationGestureRecognizer(slop: 0))
    #expect(hand.down(at: 5, 5) == .began)
    #expect(hand.recognizer.translation == .zero)
    #expect(hand.up(at: 5, 5) == .ended)
    hand.recognizer.slop = -1
    #expect(hand.down(at: 5, 5) == .began)
  }

  @Test func `a change of the slop during a touch causes no jump`() {
    var hand = Hand(TranslationGestureRecognizer(slop: 100))
    hand.down(at: 0)
    hand.move(to: 50)
    hand.recognizer.slop = 20
    #expect(hand.move(to: 60) == .began)
    #expect(isClose(hand.recognizer.translation, SIMD2(10, 0)), "it does not jump by what was slop until now")
  }

  // Clauses: S6.7
  @Test func `a pointer that joins or leaves does not change the translation`() {
    var hand = Hand(TranslationGestureRecognizer(slop: 0))
    hand.down(1, at: 0)
    hand.move(1, to: 10)
    #expect(hand.down(2, at: 500, 500) == .changed)
    #expect(hand.recognizer.translation == SIMD2(10, 0) && hand.recognizer.centroid == SIMD2(255, 250))
    hand.move(2, to: 500, 520)
    #expect(hand.recognizer.translation == SIMD2(10, 10), "one of two moves the centre by half")
    #expect(hand.up(1, at: 10) == .changed)
    #expect(hand.recognizer.translation == SIMD2(10, 10))
    hand.move(2, to: 500, 500)
    #expect(hand.recognizer.translation == SIMD2(10, -10))
    #expect(hand.up(2, at: 510, 500) == .ended)
    #expect(hand.recognizer.translation == SIMD2(20, -10), "the last step counts")
  }

  @Test func `a second down without an up does not change the translation`() {
    var hand = Hand(TranslationGestureRecognizer(slop: 0))
    hand.down(at: 0)
    hand.move(to: 10)
    #expect(hand.down(at: 400) == .changed)
    hand.move(to: 401)
    #expect(hand.recognizer.translation == SIMD2(11, 0))
  }

  // Clauses: S6.8
  @Test func `a cancelled pointer cancels the drag until all are up`() {
    var hand = Hand(TranslationGestureRecognizer(slop: 0))
    hand.down(1, at: 0)
    hand.down(2, at: 10)
    #expect(hand.cancel(1) == .cancelled)
    #expect(hand.recognizer.state == .cancelled)
    #expect(hand.move(2, to: 100) == nil)
    #expect(hand.up(2, at: 100) == nil)
    #expect(hand.recognizer.state == .possible)
    #expect(hand.down(3, at: 0) == .began)
  }

  // Clauses: S6.8
  @Test func `a cancelled pointer within the slop fails the drag`() {
    var hand = Hand(TranslationGestureRecognizer())
    hand.down(1, at: 0)
    hand.down(2, at: 0)
    #expect(hand.cancel(1) == .failed)
    #expect(hand.move(2, to: 100) == nil && hand.recognizer.state == .failed)
    hand.up(2, at: 100)
    #expect(hand.recognizer.state == .possible)
  }

  // Clauses: S6.8
  @Test func `cancelling all pointers cancels the drag`() {
    var hand = Hand(TranslationGestureRecognizer(slop: 0))
    #expect(hand.recognizer.cancel() == nil)
    hand.down(1, at: 0)
    hand.down(2, at: 0)
    #expect(hand.recognizer.cancel() == .cancelled)
    #expect(hand.recognizer.state == .possible && hand.recognizer.pointers.isEmpty)
  }

  // Clauses: S6.9
  @Test func `the velocity of a drag is the pointer's`() {
    var hand = Hand(TranslationGestureRecognizer())
    hand.down(at: 0)
    for step in 1...30 {
      hand.time = Double(step) / 120
      hand.move(to: 600 * hand.time, -300 * hand.time)
      // Also within the slop, and when it begins.
      if step > 2 { #expect(isClose(hand.recognizer.velocity, SIMD2(600, -300), within: 1e-6)) }
    }
    // Devices repeat the last place when the finger lifts: that does not count as standing still.
    hand.time += 0.008
    #expect(hand.up(at: 150, -75) == .ended)
    #expect(isClose(hand.recognizer.velocity, SIMD2(600, -300), within: 1e-6))
    #expect(hand.recognizer.velocity(at: hand.time + 0.2) == .zero)
  }

  // Clauses: S6.10
  @Test func `a drag that stands before its end has no velocity`() {
    var hand = Hand(TranslationGestureRecognizer())
    hand.down(at: 0)
    for step in 1...30 {
      hand.time = Double(step) / 120
      hand.move(to: 600 * hand.time)
    }
    hand.time += 0.101
    #expect(hand.up(at: 150) == .ended)
    #expect(hand.recognizer.velocity == .zero)
  }

  // Clauses: S6.11
  @Test func `a new touch begins without the velocity of the last`() {
    var hand = Hand(TranslationGestureRecognizer(slop: 0))
    hand.down(at: 0)
    for step in 1...10 {
      hand.time = Double(step) / 120
      hand.move(to: 1000 * hand.time)
    }
    hand.up(at: 1000 * hand.time)
    #expect(hand.down(at: 500) == .began)
    #expect(hand.recognizer.translation == .zero && hand.recognizer.velocity == .zero)
  }

  @Test func `a pointer that joins does not change the velocity`() {
    var hand = Hand(TranslationGestureRecognizer())
    hand.down(1, at: 0)
    for step in 1...40 {
      hand.time = Double(step) / 120
      hand.move(1, to: 600 * hand.time)
      if step == 35 { hand.down(2, at: 900, 900) }
      if step > 35 { hand.move(2, to: 900 + 600 * (hand.time - 35.0 / 120), 900) }
    }
    #expect(isClose(hand.recognizer.velocity, SIMD2(600, 0), within: 1e-6), "\(hand.recognizer.velocity)")
  }
}
