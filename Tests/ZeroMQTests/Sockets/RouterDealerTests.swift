import Testing
import ZeroMQ

@Suite(.timeLimit(.minutes(2)))
struct RouterDealerTests {
  @Test(arguments: TestTransport.allCases)
  func `a router addresses its peers by their ids`(_ transport: TestTransport) throws {
    let bench = try Bench()
    let (router, dealer, id) = try bench.route(transport, name: "worker-1")
    #expect(id == RoutingID(Array("worker-1".utf8)))
    #expect(try router.send([1, 2, 3], to: id) == .sent)
    #expect(try dealer.awaitOne().bytes == [1, 2, 3])
  }

  @Test(arguments: TestTransport.allCases)
  func `a message to an unknown peer is unroutable`(_ transport: TestTransport) throws {
    let bench = try Bench()
    let (router, dealer, id) = try bench.route(transport)
    #expect(try router.send([1], to: RoutingID(Array("nobody".utf8))) == .unroutable)
    // The socket is at the beginning of a message again.
    #expect(try router.send([2], to: id) == .sent)
    #expect(try dealer.awaitOne().bytes == [2])
  }

  @Test(arguments: TestTransport.allCases)
  func `a message to an unknown peer is dropped without mandatory routing`(_ transport: TestTransport) throws {
    let bench = try Bench()
    let (router, _, _) = try bench.route(transport, routerOptions: [])
    #expect(try router.send([1], to: RoutingID(Array("nobody".utf8))) == .sent)
  }

  @Test(arguments: TestTransport.allCases)
  func `a message with too many parts is dropped wholly`(_ transport: TestTransport) throws {
    let bench = try Bench()
    let (router, dealer, _) = try bench.route(transport)
    #expect(try dealer.send([Message([1]), Message([2]), Message([3])]) == .sent)
    #expect(try dealer.send([9]) == .sent)
    try router.awaitReadable()
    #expect(throws: TooManyParts.self) { try router.receiveRouted() }
    #expect(try router.awaitRouted().1.bytes == [9])
  }

  @Test(arguments: TestTransport.allCases)
  func `one part above the limit is too many`(_ transport: TestTransport) throws {
    let bench = try Bench()
    let (router, dealer, _) = try bench.route(transport)
    for limit in 2...4 {
      // With the routing id, one part more than the limit, and then exactly as many.
      for parts in [limit, limit - 1] {
        #expect(try dealer.send((0..<parts).map { Message([UInt8($0)]) }) == .sent)
      }
      try router.awaitReadable()
      let error = #expect(throws: TooManyParts.self) { try router.receive(limit: limit) }
      #expect(error?.limit == limit)
      #expect(try router.awaitParts(limit: limit).count == limit)
    }
  }

  @Test(arguments: TestTransport.allCases)
  func partsComeInOrderUpToTheLimit(_ transport: TestTransport) throws {
    let bench = try Bench()
    let (router, dealer, _) = try bench.route(transport)
    let sizes = [0, 1, 33, 34, 8193]
    #expect(try dealer.send(sizes.map { Message([UInt8](repeating: 5, count: $0)) }) == .sent)
    let parts = try router.awaitParts(limit: 6)
    #expect(parts.dropFirst().map(\.count) == sizes)
    #expect(parts.map(\.hasMore) == [true, true, true, true, true, false])
  }

  @Test(arguments: TestTransport.allCases)
  func `a sender at the high-water mark would block, and no message is lost`(_ transport: TestTransport) throws {
    let bench = try Bench()
    let router = try RouterSocket(bench.context, .receiveHighWaterMark(4))
    let dealer = try DealerSocket(bench.context, .sendHighWaterMark(4))
    try dealer.connect(bench.bind(router, transport))
    // 64 KiB each, so that the kernel's buffers cannot hold all of them.
    let body = [UInt8](repeating: 1, count: 65_536)
    var sent = 0
    while try dealer.send([Message(body), Message([2])]) == .sent {
      sent += 1
      try #require(sent < 100_000)
    }
    for _ in 0..<sent { #expect(try router.awaitParts(limit: 3).map(\.count).dropFirst() == [65_536, 1]) }
  }

  @Test(arguments: TestTransport.allCases)
  func aRefusedMessageIsUnchanged(_ transport: TestTransport) throws {
    let bench = try Bench()
    let lonely = try DealerSocket(bench.context)
    _ = try bench.bind(lonely, transport)
    let message = Message([1, 2, 3])
    #expect(try lonely.send(message) == .wouldBlock)
    #expect(message.bytes == [1, 2, 3])
  }

  @Test(arguments: [TestTransport.ipc, .tcp])
  func `a peer that sends too long a message is disconnected`(_ transport: TestTransport) throws {
    let bench = try Bench()
    let (router, dealer, _) = try bench.route(
      transport, routerOptions: [.mandatoryRouting(true), .maxMessageSize(bytes: 1000)])
    #expect(try dealer.send([UInt8](repeating: 0, count: 1001)) == .sent)
    #expect(try dealer.send([UInt8](repeating: 7, count: 1000)) == .sent)
    // The long one ends the connection; messages on the next one, if any, are not longer than allowed.
    let next = try DealerSocket(bench.context, .routingID(Array("next".utf8)))
    try next.connect(router.lastEndpoint())
    #expect(try next.send([3]) == .sent)
    while true {
      let (id, message) = try router.awaitRouted()
      #expect(message.count <= 1000)
      if id == RoutingID(Array("next".utf8)) { break }
    }
  }

  @Test func `messages have the properties of their connection`() throws {
    let bench = try Bench()
    let (router, dealer, _) = try bench.route(.tcp)
    #expect(try dealer.send([1]) == .sent)
    let message = try router.awaitRouted().1
    #expect(message.property("Peer-Address") == "127.0.0.1")
    #expect(message.property("Socket-Type") == "DEALER")
    #expect(message.property("X-Nothing") == nil)
    #expect(message.property("User-Id") == nil)
  }
}
