import Testing

@testable import MotionWire

@Suite struct SubscriptionLedgerTests {
  @Test func aTopicBeginsWithTheFirstAndEndsWithTheLast() {
    var ledger = SubscriptionLedger<Int>(limit: 10)
    #expect(ledger.subscribed(1, to: [7]) == .began)
    #expect(ledger.subscribed(2, to: [7]) == .began)
    #expect(ledger.count == 1)
    #expect(ledger.unsubscribed(1, from: [7]) == .nothing)
    #expect(ledger.unsubscribed(2, from: [7]) == .ended)
    #expect(ledger.count == 0)
  }

  @Test func whoSaysItTwiceIsToldTwiceAndCountedOnce() {
    var ledger = SubscriptionLedger<Int>(limit: 10)
    #expect(ledger.subscribed(1, to: [7]) == .began)
    #expect(ledger.subscribed(1, to: [7]) == .began)
    #expect(ledger.unsubscribed(1, from: [7]) == .ended)
  }

  @Test func nobodyWithdrawsWhatIsNotHis() {
    var ledger = SubscriptionLedger<Int>(limit: 10)
    _ = ledger.subscribed(1, to: [7])
    #expect(ledger.unsubscribed(2, from: [7]) == .nothing)
    #expect(ledger.unsubscribed(2, from: [8]) == .nothing)
    // Nor what was his once.
    _ = ledger.subscribed(2, to: [7])
    #expect(ledger.unsubscribed(2, from: [7]) == .nothing)
    #expect(ledger.unsubscribed(2, from: [7]) == .nothing)
    #expect(ledger.count == 1)
    #expect(ledger.ended(topic: [7]) == .ended)
    #expect(ledger.ended(topic: [7]) == .nothing)
  }

  @Test func whatIsTooMuchIsCountedSoThatItsEndTakesNothingFromOthers() {
    var ledger = SubscriptionLedger<Int>(limit: 1)
    #expect(ledger.subscribed(1, to: [7]) == .began)
    #expect(ledger.subscribed(2, to: [8]) == .began)
    #expect(ledger.subscribed(2, to: [7]) == .tooMany)
    #expect(ledger.ended(topic: [7]) == .nothing)
    #expect(ledger.ended(topic: [8]) == .ended)
    #expect(ledger.count == 1)
  }

  @Test func connectionsThatAreGoneAreForgottenAndTheirTopicsAreNot() {
    var ledger = SubscriptionLedger<Int>(limit: 10)
    _ = ledger.subscribed(1, to: [7])
    _ = ledger.subscribed(2, to: [7])
    ledger.forget(1)
    #expect(ledger.count(of: 1) == 0)
    #expect(ledger.count(of: 2) == 1)
    #expect(ledger.ended(topic: [7]) == .nothing)
    #expect(ledger.unsubscribed(2, from: [7]) == .ended)
  }
}
