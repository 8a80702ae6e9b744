import Testing

@testable import MotionGateway

@Suite struct ForwardingTests {
  private static var limits: GatewayLimits {
    var limits = GatewayLimits()
    limits.subscriptionsPerSecond = 2
    return limits
  }

  @Test func `the first subscriber subscribes, and a later one requests a repetition`() {
    var forwarding = Forwarding(Self.limits, at: .zero)
    forwarding.want([1])
    #expect(forwarding.take(at: .zero) == [.subscribe([1])])
    forwarding.want([1])
    #expect(forwarding.take(at: .zero) == [.repeatEverything([1])])
    #expect(forwarding.drop([1]) == .unsubscribe([1]))
    #expect(forwarding.drop([1]) == nil)
    #expect(forwarding.count == 0)
  }

  @Test func `subscriptions are limited in a second, and repeated ones count once`() {
    var forwarding = Forwarding(Self.limits, at: .zero)
    for _ in 0..<1000 { forwarding.want([1]) }
    #expect(forwarding.take(at: .zero) == [.subscribe([1])])
    #expect(forwarding.nextTime(at: .zero) == nil, "nothing waits")
    for topic in 2...5 as ClosedRange<UInt8> { forwarding.want([topic]) }
    // Four are taken at once, then two in a second.
    #expect(forwarding.take(at: .zero).count == 3)
    #expect(forwarding.nextTime(at: .zero) == .milliseconds(500))
    #expect(forwarding.take(at: .milliseconds(499)).isEmpty)
    #expect(forwarding.take(at: .milliseconds(501)) == [.subscribe([5])])
  }

  @Test func `a topic that is dropped while it waits is never subscribed`() {
    var forwarding = Forwarding(Self.limits, at: .zero)
    for topic in 1...6 as ClosedRange<UInt8> { forwarding.want([topic]) }
    #expect(forwarding.take(at: .zero).count == 4)
    #expect(forwarding.drop([5]) == nil)
    #expect(forwarding.take(at: .seconds(10)) == [.subscribe([6])])
  }

  // Clauses: S16.16
  @Test func `topics with many rows are subscribed to less often`() {
    var limits = GatewayLimits()
    limits.allRowsPerSecond = 100
    var forwarding = Forwarding(limits, at: .zero)
    for topic in 1...3 as ClosedRange<UInt8> { forwarding.want([topic]) }
    // Two hundred are available, and three hundred are owed then.
    #expect(forwarding.take(at: .zero) { _ in 250 } == [.subscribe([1])])
    #expect(forwarding.nextTime(at: .zero) == .milliseconds(510))
    #expect(forwarding.take(at: .milliseconds(500)) { _ in 250 }.isEmpty)
    #expect(forwarding.take(at: .milliseconds(511)) { _ in 250 } == [.subscribe([2])])
  }

  @Test(arguments: [true, false])
  func `a topic of all targets is forwarded once it is allowed, and only then`(isAllowed: Bool) {
    var forwarding = Forwarding(Self.limits, at: .zero)
    for topic in 1...2 as ClosedRange<UInt8> { forwarding.wantUndecided([topic]) }
    #expect(forwarding.hasUndecided && forwarding.take(at: .zero).isEmpty)
    #expect(forwarding.drop([2]) == nil)
    forwarding.decide(isAllowed)
    #expect(!forwarding.hasUndecided)
    #expect(forwarding.take(at: .zero) == (isAllowed ? [.subscribe([1])] : []))
  }
}
