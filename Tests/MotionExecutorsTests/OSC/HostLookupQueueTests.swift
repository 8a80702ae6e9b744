import Testing

@testable import MotionExecutors

struct HostLookupQueueTests {
  @Test func `a host name is looked up once at a time`() {
    var queue = HostLookupQueue()
    #expect(queue.ask("desk") == true)
    #expect(queue.ask("desk") == false)
    #expect(queue.next() == "desk")
    #expect(queue.ask("desk") == false, "it is under way")
    queue.answered("desk")
    #expect(queue.next() == nil)
    #expect(queue.ask("desk") == true)
  }

  @Test func `lookups use a limited number of threads, which take waiting names in order`() {
    var queue = HostLookupQueue()
    let started = threads(of: &queue, for: 1...100)
    #expect(started == HostLookupQueue.mostThreads)
    var taken: [String] = []
    while let host = queue.next() { taken.append(host) }
    #expect(taken == (1...100).map { "desk \($0)" })
    for _ in 1..<started { #expect(queue.next() == nil) }
    // All have ended: new ones are needed.
    let more = threads(of: &queue, for: 101...200)
    #expect(more == HostLookupQueue.mostThreads)
  }

  /// The number of threads that are needed to look up this many hosts.
  private func threads(of queue: inout HostLookupQueue, for hosts: ClosedRange<Int>) -> Int {
    var count = 0
    for host in hosts where queue.ask("desk \(host)") { count += 1 }
    return count
  }
}
