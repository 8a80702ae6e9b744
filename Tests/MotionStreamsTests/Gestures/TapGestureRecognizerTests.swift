import MotionStreams
import Testing

@Suite struct TapGestureRecognizerTests {
  // Clauses: S6.14
  @Test func recognizesAPointerThatComesAndGoes() {
    var hand = Hand(TapGestureRecognizer())
    hand.down(at: 100, 50)
    #expect(hand.recognizer.state == .possible)
    hand.move(to: 110, 50)
    #expect(hand.up(at: 112, 50) == .recognized)
    #expect(hand.recognizer.state == .possible && hand.recognizer.centroid == SIMD2(112, 50))
    hand.down(at: 0)
    hand.up(at: 0)
    #expect(hand.heard == [.recognized, .recognized])
  }

  // Clauses: S6.14
  @Test func failsBeyondTheSlopUntilThePointerIsGone() {
    var hand = Hand(TapGestureRecognizer(slop: 10))
    hand.down(at: 0)
    hand.move(to: 10)
    #expect(hand.heard == [], "the slop itself is within")
    #expect(hand.move(to: 10.1) == .failed)
    hand.move(to: 0)
    #expect(hand.recognizer.state == .failed)
    hand.up(at: 0)
    #expect(hand.heard == [.failed] && hand.recognizer.state == .possible)
  }

  @Test func failsWhenItLiftsBeyondTheSlop() {
    var hand = Hand(TapGestureRecognizer(slop: 10))
    hand.down(at: 0)
    #expect(hand.up(at: 0, 11) == .failed)
    #expect(hand.recognizer.state == .possible)
  }

  // Clauses: S6.14
  @Test func failsWithASecondPointerUntilAllAreGone() {
    var hand = Hand(TapGestureRecognizer())
    hand.down(1, at: 0)
    #expect(hand.down(2, at: 5) == .failed)
    hand.up(1, at: 0)
    #expect(hand.recognizer.state == .failed)
    hand.up(2, at: 5)
    #expect(hand.heard == [.failed] && hand.recognizer.state == .possible)
  }

  // Clauses: S6.14
  @Test func aCancelledPointerIsNoTap() {
    var hand = Hand(TapGestureRecognizer())
    hand.down(at: 0)
    #expect(hand.cancel() == .failed)
    hand.down(at: 0)
    #expect(hand.recognizer.cancel() == .failed)
    #expect(hand.recognizer.cancel() == nil && hand.recognizer.state == .possible)
  }

  @Test func aLostUpStartsAgain() {
    var hand = Hand(TapGestureRecognizer())
    hand.down(at: 0)
    hand.down(at: 300)
    #expect(hand.up(at: 300) == .recognized)
  }
}
