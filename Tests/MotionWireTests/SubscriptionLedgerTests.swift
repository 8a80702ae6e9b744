import Testing

@testable import MotionWire

@Suite struct SubscriptionLedgerTests {
  private var ledger = SubscriptionLedger(topics: 10, bytes: 100)

  @Test mutating func aTopicBeginsWithTheFirstAndEndsWithTheLast() {
    #expect(ledger.subscribed(1, on: 11, to: [7]) == .began)
    #expect(ledger.subscribed(2, on: 12, to: [7]) == .began)
    #expect(ledger.count == 1)
    #expect(ledger.unsubscribed(1, from: [7]) == .nothing)
    #expect(ledger.unsubscribed(2, from: [7]) == .ended)
    #expect(ledger.count == 0)
  }

  @Test mutating func whoSaysItTwiceIsToldTwiceAndCountedOnce() {
    #expect(ledger.subscribed(1, on: 11, to: [7]) == .began)
    #expect(ledger.subscribed(1, on: 11, to: [7]) == .began)
    #expect(ledger.unsubscribed(1, from: [7]) == .ended)
  }

  @Test mutating func nobodyWithdrawsWhatIsNotHis() {
    _ = ledger.subscribed(1, on: 11, to: [7])
    #expect(ledger.unsubscribed(2, from: [7]) == .nothing)
    #expect(ledger.unsubscribed(2, from: [8]) == .nothing)
    // Nor what was his once.
    _ = ledger.subscribed(2, on: 12, to: [7])
    #expect(ledger.unsubscribed(2, from: [7]) == .nothing)
    #expect(ledger.unsubscribed(2, from: [7]) == .nothing)
    #expect(ledger.count == 1)
    #expect(ledger.ended(topic: [7]) == .ended)
    #expect(ledger.ended(topic: [7]) == .nothing)
  }

  @Test mutating func whatIsTooMuchIsCountedSoThatItsEndTakesNothingFromOthers() {
    #expect(ledger.subscribed(1, on: 11, to: [7]) == .began)
    for topic in 0..<10 { #expect(ledger.subscribed(2, on: 12, to: [8, UInt8(topic)]) == .began) }
    #expect(ledger.subscribed(2, on: 12, to: [7]) == .tooMany)
    #expect(ledger.ended(topic: [7]) == .nothing)
    for topic in 0..<10 { #expect(ledger.ended(topic: [8, UInt8(topic)]) == .ended) }
    #expect(ledger.count == 1)
  }

  @Test mutating func bytesAreLimitedToo() {
    #expect(ledger.subscribed(1, on: 11, to: Array(repeating: 1, count: 60)) == .began)
    #expect(ledger.subscribed(1, on: 11, to: Array(repeating: 2, count: 40)) == .began)
    #expect(ledger.unsubscribed(1, from: Array(repeating: 2, count: 40)) == .ended)
    #expect(ledger.subscribed(1, on: 11, to: Array(repeating: 3, count: 41)) == .tooMany)
  }

  @Test mutating func whoHadADescriptorBeforeIsForgottenAndHisTopicsAreNot() {
    _ = ledger.subscribed(1, on: 11, to: [7])
    _ = ledger.subscribed(2, on: 11, to: [8])
    // The last words of the one before.
    #expect(ledger.count(of: 1) == 1)
    #expect(ledger.subscribed(1, on: 11, to: [9]) == .began)
    _ = ledger.subscribed(3, on: 11, to: [7])
    #expect(ledger.count(of: 1) == 0)
    #expect(ledger.count(of: 2) == 1)
    #expect(ledger.ended(topic: [7]) == .nothing)
    #expect(ledger.ended(topic: [7]) == .ended)
    #expect(ledger.ended(topic: [9]) == .ended)
  }
}
