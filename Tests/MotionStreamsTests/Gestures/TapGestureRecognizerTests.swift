import MotionStreams
import Testing

@Suite struct TapGestureRecognizerTests {
  // Clauses: S6.14
  @Test func `a pointer that goes down and up in place is recognized`() {
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
  @Test func `a tap beyond the slop fails until the pointer is up`() {
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

  @Test func `a tap that lifts beyond the slop fails`() {
    var hand = Hand(TapGestureRecognizer(slop: 10))
    hand.down(at: 0)
    #expect(hand.up(at: 0, 11) == .failed)
    #expect(hand.recognizer.state == .possible)
  }

  // Clauses: S6.14
  @Test func `a tap with a second pointer fails until all are up`() {
    var hand = Hand(TapGestureRecognizer())
    hand.down(1, at: 0)
    #expect(hand.down(2, at: 5) == .failed)
    hand.up(1, at: 0)
    #expect(hand.recognizer.state == .failed)
    hand.up(2, at: 5)
    #expect(hand.heard == [.failed] && hand.recognizer.state == .possible)
  }

  // Clauses: S6.14
  @Test func `a cancelled pointer fails the tap`() {
    var hand = Hand(TapGestureRecognizer())
    hand.down(at: 0)
    #expect(hand.cancel() == .failed)
    hand.down(at: 0)
    #expect(hand.recognizer.cancel() == .failed)
    #expect(hand.recognizer.cancel() == nil && hand.recognizer.state == .possible)
  }

  @Test func `a second down without an up starts the tap again`() {
    var hand = Hand(TapGestureRecognizer())
    hand.down(at: 0)
    hand.down(at: 300)
    #expect(hand.up(at: 300) == .recognized)
  }
}
