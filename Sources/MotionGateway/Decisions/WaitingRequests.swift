/// Requests that were passed on under numbers of the gateway's own, and to whom their answers go.
struct WaitingRequests<Asker> {
  private var askers: [UInt64: Asker] = [:]
  /// The numbers of the askers in order, with when they are given up; those that were answered are still among them.
  private var order: [(number: UInt64, deadline: Duration)] = []
  private var first = 0
  private var lastNumber: UInt64 = 0

  /// How many wait.
  var count: Int { askers.count }

  /// When the next one is given up.
  var nextDeadline: Duration? { first < order.count ? order[first].deadline : nil }

  /// Takes a request in; returns the number under which it is passed on.
  ///
  /// - Parameter deadline: no earlier than those of the requests before.
  mutating func begin(_ asker: Asker, until deadline: Duration) -> UInt64 {
    lastNumber += 1
    askers[lastNumber] = asker
    order.append((lastNumber, deadline))
    return lastNumber
  }

  /// The one who asked what is answered now; `nil` if nobody waits for that.
  mutating func answered(_ number: UInt64) -> Asker? {
    defer { tidy() }
    return askers.removeValue(forKey: number)
  }

  /// Those who have waited long enough: their requests were lost, as those to a motiond that was started again are.
  mutating func givenUp(at now: Duration) -> [Asker] {
    var given: [Asker] = []
    while first < order.count, order[first].deadline <= now {
      if let asker = askers.removeValue(forKey: order[first].number) { given.append(asker) }
      first += 1
    }
    tidy()
    return given
  }

  /// Passes over what was answered at the front, and cuts it off when it is the larger part.
  private mutating func tidy() {
    while first < order.count, askers[order[first].number] == nil { first += 1 }
    guard first > 64, first > order.count / 2 else { return }
    order.removeFirst(first)
    first = 0
  }
}
