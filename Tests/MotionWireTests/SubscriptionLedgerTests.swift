import Testing

@testable import MotionWire

@Suite struct SubscriptionLedgerTests {
  private var ledger = SubscriptionLedger(topics: 10, bytes: 100)

  @Test mutating func `a topic begins with its first subscription and ends with its last`() {
    #expect(ledger.subscribed(1, on: 11, to: [7]) == .began)
    #expect(ledger.subscribed(2, on: 12, to: [7]) == .began)
    #expect(ledger.count == 1)
    #expect(ledger.unsubscribed(1, from: [7]) == .nothing)
    #expect(ledger.unsubscribed(2, from: [7]) == .ended)
    #expect(ledger.count == 0)
  }

  @Test mutating func `a repeated subscription is answered again and counted once`() {
    #expect(ledger.subscribed(1, on: 11, to: [7]) == .began)
    #expect(ledger.subscribed(1, on: 11, to: [7]) == .began)
    #expect(ledger.unsubscribed(1, from: [7]) == .ended)
  }

  @Test mutating func `a connection cannot withdraw topics of others`() {
    _ = ledger.subscribed(1, on: 11, to: [7])
    #expect(ledger.unsubscribed(2, from: [7]) == .nothing)
    #expect(ledger.unsubscribed(2, from: [8]) == .nothing)
    // Nor a topic that the connection itself no longer has.
    _ = ledger.subscribed(2, on: 12, to: [7])
    #expect(ledger.unsubscribed(2, from: [7]) == .nothing)
    #expect(ledger.unsubscribed(2, from: [7]) == .nothing)
    #expect(ledger.count == 1)
    #expect(ledger.ended(topic: [7]) == .ended)
    #expect(ledger.ended(topic: [7]) == .nothing)
  }

  @Test mutating func `a subscription beyond the limit is counted, and its end affects no others`() {
    #expect(ledger.subscribed(1, on: 11, to: [7]) == .began)
    for topic in 0..<10 { #expect(ledger.subscribed(2, on: 12, to: [8, UInt8(topic)]) == .began) }
    #expect(ledger.subscribed(2, on: 12, to: [7]) == .tooMany)
    #expect(ledger.ended(topic: [7]) == .nothing)
    for topic in 0..<10 { #expect(ledger.ended(topic: [8, UInt8(topic)]) == .ended) }
    #expect(ledger.count == 1)
  }

  @Test mutating func `bytes of topics are limited too`() {
    #expect(ledger.subscribed(1, on: 11, to: Array(repeating: 1, count: 60)) == .began)
    #expect(ledger.subscribed(1, on: 11, to: Array(repeating: 2, count: 40)) == .began)
    #expect(ledger.unsubscribed(1, from: Array(repeating: 2, count: 40)) == .ended)
    #expect(ledger.subscribed(1, on: 11, to: Array(repeating: 3, count: 41)) == .tooMany)
  }

  @Test mutating func `a reused descriptor removes its former connection, and not its topics`() {
    _ = ledger.subscribed(1, on: 11, to: [7])
    _ = ledger.subscribed(2, on: 11, to: [8])
    // The last messages of the previous connection.
    #expect(ledger.count(of: 1) == 1)
    #expect(ledger.subscribed(1, on: 11, to: [9]) == .began)
    _ = ledger.subscribed(3, on: 11, to: [7])
    #expect(ledger.count(of: 1) == 0)
    #expect(ledger.count(of: 2) == 1)
    #expect(ledger.ended(topic: [7]) == .nothing)
    #expect(ledger.ended(topic: [7]) == .ended)
    #expect(ledger.ended(topic: [9]) == .ended)
  }

  // Clauses: S16.14
  @Test func `beyond the limit of all topics, only connections above their share are refused`() {
    var ledger = SubscriptionLedger(topics: 100, bytes: 1000, allBytes: 30, share: 10)
    func topic(_ number: UInt8) -> [UInt8] { [number, 0, 0, 0, 0, 0, 0, 0, 0, 0] }
    for number in 1...3 as ClosedRange<UInt8> {
      #expect(ledger.subscribed(1, on: 11, to: topic(number)) == .began)
    }
    // A topic that a connection already has is counted once.
    #expect(ledger.subscribed(2, on: 12, to: topic(1)) == .began)
    #expect(ledger.subscribed(3, on: 13, to: topic(4)) == .began, "its share")
    #expect(ledger.subscribed(1, on: 11, to: topic(5)) == .tooMany)
    for number in [1, 2, 3, 5] as [UInt8] { _ = ledger.unsubscribed(1, from: topic(number)) }
    #expect(ledger.subscribed(2, on: 12, to: topic(6)) == .began, "there is room again")
  }

  // Clauses: S16.14
  @Test func `a topic above the greatest length is refused`() {
    var ledger = SubscriptionLedger(topics: 100, bytes: 1000)
    #expect(ledger.subscribed(1, on: 11, to: Array(repeating: 97, count: 257)) == .began)
    #expect(ledger.subscribed(1, on: 11, to: Array(repeating: 98, count: 258)) == .tooMany)
  }
}
