/// Requests that were forwarded under numbers of the gateway's own, and the requesters of their answers.
struct WaitingRequests<Requester> {
  private var requesters: [UInt64: Requester] = [:]
  /// The forwarded numbers in order, each with its deadline. Answered ones stay here until `tidy` removes them.
  private var order: [(number: UInt64, deadline: Duration)] = []
  private var first = 0
  private var lastNumber: UInt64 = 0

  /// The number of waiting requests.
  var count: Int { requesters.count }

  /// The deadline of the oldest waiting request.
  var nextDeadline: Duration? { first < order.count ? order[first].deadline : nil }

  /// Records a request; returns the number under which to forward it.
  ///
  /// - Parameter deadline: no earlier than the deadlines of earlier requests.
  mutating func begin(_ requester: Requester, until deadline: Duration) -> UInt64 {
    lastNumber += 1
    requesters[lastNumber] = requester
    order.append((lastNumber, deadline))
    return lastNumber
  }

  /// Removes the requester of an answer; `nil` if no request with this number waits.
  mutating func answered(_ number: UInt64) -> Requester? {
    defer { tidy() }
    return requesters.removeValue(forKey: number)
  }

  /// Removes the requesters whose deadline has passed. Their requests were lost, such as those to a motiond that was
  /// restarted.
  mutating func givenUp(at now: Duration) -> [Requester] {
    var given: [Requester] = []
    while first < order.count, order[first].deadline <= now {
      if let requester = requesters.removeValue(forKey: order[first].number) { given.append(requester) }
      first += 1
    }
    tidy()
    return given
  }

  /// Skips answered requests at the front, and removes them once they are the larger part.
  private mutating func tidy() {
    while first < order.count, requesters[order[first].number] == nil { first += 1 }
    guard first > 64, first > order.count / 2 else { return }
    order.removeFirst(first)
    first = 0
  }
}
