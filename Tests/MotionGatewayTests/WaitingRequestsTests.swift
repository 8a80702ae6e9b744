import Testing

@testable import MotionGateway

@Suite struct WaitingRequestsTests {
  @Test func `each answer is returned once to its requester`() {
    var waiting = WaitingRequests<String>()
    let first = waiting.begin("ann", until: .seconds(1))
    let second = waiting.begin("bob", until: .seconds(1))
    #expect(first != second && first != 0)
    #expect(waiting.answered(second) == "bob")
    #expect(waiting.answered(second) == nil)
    #expect(waiting.answered(99) == nil)
    #expect(waiting.answered(first) == "ann")
    #expect(waiting.count == 0)
    #expect(waiting.nextDeadline == nil)
  }

  @Test func `requests without an answer time out at their deadline`() {
    var waiting = WaitingRequests<Int>()
    var numbers: [UInt64] = []
    for requester in 0..<1000 { numbers.append(waiting.begin(requester, until: .seconds(requester))) }
    for requester in stride(from: 0, to: 1000, by: 2) { #expect(waiting.answered(numbers[requester]) == requester) }
    #expect(waiting.nextDeadline == .seconds(1))
    #expect(waiting.givenUp(at: .seconds(500)) == Array(stride(from: 1, through: 499, by: 2)))
    #expect(waiting.givenUp(at: .seconds(500)).isEmpty)
    #expect(waiting.count == 250)
    #expect(waiting.nextDeadline == .seconds(501))
    #expect(waiting.answered(numbers[1]) == nil)
  }
}
