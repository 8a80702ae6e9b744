import Testing

@testable import MotionGateway

@Suite struct RateLimitTests {
  @Test func `a burst is allowed at once, and then the rate`() {
    var limit = RateLimit(perSecond: 10, at: .seconds(100))
    for _ in 0..<20 { #expect(limit.take(at: .seconds(100)) == true) }
    #expect(limit.take(at: .seconds(100)) == false)
    #expect(limit.nextTime(at: .seconds(100)) == .seconds(100) + .milliseconds(100))
    #expect(limit.take(at: .seconds(100) + .milliseconds(99)) == false)
    #expect(limit.take(at: .seconds(100) + .milliseconds(101)) == true)
    // However long nothing was taken, at most twice the amount of a second is available.
    for _ in 0..<20 { #expect(limit.take(at: .seconds(1000)) == true) }
    #expect(limit.take(at: .seconds(1000)) == false)
  }

  @Test func `more than a full bucket is never allowed`() {
    var limit = RateLimit(perSecond: 10, at: .zero)
    #expect(limit.take(21, at: .seconds(1000)) == false)
    // And the refusal took nothing.
    #expect(limit.take(20, at: .seconds(1000)) == true)
  }

  @Test func `a clock that goes back adds nothing`() {
    var limit = RateLimit(perSecond: 10, at: .seconds(100))
    #expect(limit.take(20, at: .seconds(100)) == true)
    #expect(limit.take(at: .seconds(50)) == false)
    #expect(limit.take(at: .seconds(100)) == false)
  }
}
