import Glibc
import Testing
import ZeroMQ

@Suite(.timeLimit(.minutes(2)))
struct PublishSubscribeTests {
  @Test(arguments: TestTransport.allCases)
  func `a subscriber receives its topic only`(_ transport: TestTransport) throws {
    let bench = try Bench()
    let (publisher, subscriber) = try bench.pair(transport, topic: Array("a/".utf8))
    #expect(try publisher.send(Array("b/1".utf8)) == .sent)
    #expect(try publisher.send(Array("a/2".utf8)) == .sent)
    #expect(try subscriber.awaitOne().bytes == Array("a/2".utf8))
    guard case .wouldBlock = try subscriber.receiveOne() else {
      Issue.record("a message of another topic came")
      return
    }
  }

  @Test(arguments: TestTransport.allCases)
  func everySubscriptionIsReportedWhenAskedFor(_ transport: TestTransport) throws {
    let bench = try Bench()
    let publisher = try PublishSocket(bench.context, .reportsAllSubscriptions(true))
    let endpoint = try bench.bind(publisher, transport)
    var subscribers: [SubscribeSocket] = []
    for _ in 0..<3 {
      let subscriber = try SubscribeSocket(bench.context)
      try subscriber.subscribe(Array("same".utf8))
      try subscriber.connect(endpoint)
      #expect(try publisher.awaitSubscription() == .subscribed(Array("same".utf8)))
      subscribers.append(subscriber)
    }
    #expect(subscribers.count == 3)
  }

  @Test(arguments: TestTransport.allCases)
  func `only the first of equal subscriptions is reported by default`(_ transport: TestTransport) throws {
    let bench = try Bench()
    let publisher = try PublishSocket(bench.context)
    let endpoint = try bench.bind(publisher, transport)
    let first = try SubscribeSocket(bench.context)
    try first.subscribe(Array("same".utf8))
    try first.connect(endpoint)
    #expect(try publisher.awaitSubscription() == .subscribed(Array("same".utf8)))
    let second = try SubscribeSocket(bench.context)
    try second.subscribe(Array("same".utf8))
    try second.subscribe(Array("other".utf8))
    try second.connect(endpoint)
    // libzmq sends a peer's subscriptions in the order of its trie, so the first seen after both is decisive.
    #expect(try publisher.awaitSubscription() == .subscribed(Array("other".utf8)))
  }

  @Test(arguments: TestTransport.allCases)
  func theEndOfASubscriptionIsReported(_ transport: TestTransport) throws {
    let bench = try Bench()
    let (publisher, subscriber) = try bench.pair(transport, topic: [7])
    try subscriber.unsubscribe([7])
    #expect(try publisher.awaitSubscription() == .unsubscribed([7]))
  }

  /// This makes a publisher send a subscriber all values again, without a gap meanwhile.
  @Test(arguments: TestTransport.allCases)
  func `a repeated subscription is reported without an end between`(_ transport: TestTransport) throws {
    let bench = try Bench()
    let publisher = try PublishSocket(bench.context, .reportsAllSubscriptions(true), .reportsAllUnsubscriptions(true))
    let endpoint = try bench.bind(publisher, transport)
    let subscriber = try SubscribeSocket(bench.context)
    try subscriber.subscribe([7])
    try subscriber.connect(endpoint)
    #expect(try publisher.awaitSubscription() == .subscribed([7]))
    try subscriber.repeatSubscription([7])
    try subscriber.subscribe([8])
    #expect(try publisher.awaitSubscription() == .subscribed([7]))
    #expect(try publisher.awaitSubscription() == .subscribed([8]), "and nothing between them")
  }

  /// This notifies a worker that the motiond that it was connected to is gone, though another is there at once.
  @Test(arguments: [TestTransport.ipc, .tcp], [true, false])
  func `an immediate publisher reports a broken connection`(_ transport: TestTransport, isImmediate: Bool) throws {
    let bench = try Bench()
    let publisher = try PublishSocket(bench.context, .immediate(isImmediate))
    var first = Optional(try SubscribeSocket(ZeroMQContext()))
    let endpoint = try bench.bind(#require(first), transport)
    try first?.subscribe([1])
    try publisher.connect(endpoint)
    #expect(try Self.nextSubscription(of: publisher, while: #require(first)) == .subscribed([1]))
    first = nil
    let second = try SubscribeSocket(ZeroMQContext())
    try second.subscribe([2])
    try second.bind(endpoint)
    if isImmediate { #expect(try publisher.awaitSubscription() == .unsubscribed([1])) }
    #expect(try Self.nextSubscription(of: publisher, while: second) == .subscribed([2]))
  }

  /// The next subscription event of a publisher that has connected to a subscriber: the subscriber processes
  /// connections only when it is called.
  private static func nextSubscription(
    of publisher: PublishSocket, while subscriber: SubscribeSocket
  ) throws -> SubscriptionEvent {
    while true {
      _ = try subscriber.receiveOne()
      if let event = try publisher.receiveSubscription().message { return event }
      sched_yield()
    }
  }

  @Test func `a publisher without subscribers drops messages and never blocks`() throws {
    let bench = try Bench()
    let publisher = try PublishSocket(bench.context, .sendHighWaterMark(1))
    _ = try bench.bind(publisher, .inproc)
    for _ in 0..<1000 { #expect(try publisher.send([1]) == .sent) }
  }
}
