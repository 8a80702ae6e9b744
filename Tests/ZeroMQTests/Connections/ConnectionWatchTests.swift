import Testing

@testable import ZeroMQ

struct ConnectionWatchTests {
  private let first = ConnectionWatch.shortestWait
  private let last = ConnectionWatch.longestWait

  @Test func `a connection that libzmq retries is left to it`() {
    var watch = ConnectionWatch(at: .zero)
    #expect(watch.due == nil)
    for second in 1...3 {
      watch.note(.ended, at: .seconds(second))
      watch.note(.triedAgain, at: .seconds(second))
      #expect(watch.due == nil)
      #expect(watch.elapsed(at: .seconds(second) + last) == false)
    }
  }

  @Test func `a connection that libzmq gives up is reconnected once, after the first wait`() {
    var watch = ConnectionWatch(at: .zero)
    watch.note(.ended, at: .seconds(1))
    #expect(watch.due == .seconds(1) + first)
    #expect(watch.elapsed(at: .seconds(1) + first - .nanoseconds(1)) == false)
    #expect(watch.elapsed(at: .seconds(1) + first) == true)
    #expect(watch.due == nil)
    #expect(watch.elapsed(at: .seconds(100)) == false)
  }

  @Test func `repeated losses wait longer, up to a limit, until a connection is good`() {
    var watch = ConnectionWatch(at: .zero)
    var now = Duration.zero
    func wait() -> Duration {
      now += .milliseconds(1)
      watch.note(.ended, at: now)
      guard let due = watch.due else { return .zero }
      defer { now = due }
      #expect(watch.elapsed(at: due) == true)
      return due - now
    }
    var expected = first
    for _ in 0..<10 {
      #expect(wait() == expected)
      expected = min(expected * 2, last)
    }
    #expect(expected == last)
    now += last
    #expect(wait() == first)
  }
}
