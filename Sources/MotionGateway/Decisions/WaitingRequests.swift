/// Requests that were passed on under numbers of the gateway's own, and to whom their answers go.
struct WaitingRequests<Requester> {
  private var requesters: [UInt64: Requester] = [:]
  /// The numbers of the requesters in order, with when they are given up; those that were answered are still among them.
  private var order: [(number: UInt64, deadline: Duration)] = []
  private var first = 0
  private var lastNumber: UInt64 = 0

  /// How many wait.
  var count: Int { requesters.count }

  /// When the next one is given up.
  var nextDeadline: Duration? { first < order.count ? order[first].deadline : nil }

  /// Takes a request in; returns the number under which it is passed on.
  ///
  /// - Parameter deadline: no earlier than those of the requests before.
  mutating func begin(_ requester: Requester, until deadline: Duration) -> UInt64 {
    lastNumber += 1
    requesters[lastNumber] = requester
    order.append((lastNumber, deadline))
    return lastNumber
  }

  /// The one who asked what is answered now; `nil` if nobody waits for that.
  mutating func answered(_ number: UInt64) -> Requester? {
    defer { tidy() }
    return requesters.removeValue(forKey: number)
  }

  /// Those who have waited long enough: their requests were lost, as those to a motiond that was started again are.
  mutating func givenUp(at now: Duration) -> [Requester] {
    var given: [Requester] = []
    while first < order.count, order[first].deadline <= now {
      if let requester = requesters.removeValue(forKey: order[first].number) { given.append(requester) }
      first += 1
    }
    tidy()
    return given
  }

  /// Passes over what was answered at the front, and cuts it off when it is the larger part.
  private mutating func tidy() {
    while first < order.count, requesters[order[first].number] == nil { first += 1 }
    guard first > 64, first > order.count / 2 else { return }
    order.removeFirst(first)
    first = 0
  }
}
