import FaultyNetwork
import LinuxSystem
import Testing
import ZeroMQ

@Suite(.timeLimit(.minutes(2)))
struct KeptConnectionTests {
  /// A publisher, and a subscriber that connects to it through a proxy that the test controls.
  private final class Stage {
    let bench: Bench
    let proxy: FaultProxy
    let publisher: PublishSocket
    let subscriber: SubscribeSocket
    var poller = Poller()
    private var lastNumber: UInt8 = 0

    init(_ transport: TestTransport) throws {
      bench = try Bench()
      publisher = try PublishSocket(bench.context, .reportsAllSubscriptions(true))
      subscriber = try SubscribeSocket(bench.context, .maxMessageSize(bytes: 1024))
      let far = try bench.bind(publisher, transport)
      let near: Endpoint
      if let path = far.path {
        near = try .ipc("\(path).near")
        proxy = try FaultProxy([(.file("\(path).near"), .file(path))], seed: 1)
      } else {
        let port = try #require(far.port)
        near = try Endpoint("tcp://127.0.0.2:\(port)")
        proxy = try FaultProxy([(.port("127.0.0.2", port), .port("127.0.0.1", port))], seed: 1)
      }
      try subscriber.subscribe([])
      _ = poller.add(subscriber)
      try poller.connect(subscriber, to: near)
    }

    deinit { proxy.stop() }

    /// Sends one message after the other until one is received through the connection of this number.
    func awaitWord(connection: Int) throws {
      let deadline = BootClock.now + timeout
      while true {
        guard BootClock.now < deadline else {
          throw WaitTimeout(description: "nothing is heard; \(proxy.counts)")
        }
        lastNumber &+= 1
        let isThere = proxy.counts.connections >= connection
        _ = try publisher.send([lastNumber])
        _ = try poller.poll(timeout: .milliseconds(10))
        while let message = try subscriber.receiveOne().message {
          if isThere, message.bytes == [lastNumber] { return }
        }
      }
    }
  }

  @Test(arguments: [TestTransport.ipc, .tcp])
  func `a subscriber receives again after garbage, though libzmq gave it up`(transport: TestTransport) throws {
    let stage = try Stage(transport)
    try stage.awaitWord(connection: 1)
    for connection in 2...4 {
      // So much that it cannot all be parsed as short messages.
      stage.proxy.say(garbage: 4096, .toClient)
      try stage.awaitWord(connection: connection)
    }
  }

  @Test(arguments: [TestTransport.ipc, .tcp])
  func `a cut connection returns once, and each message is received once`(transport: TestTransport) throws {
    let stage = try Stage(transport)
    try stage.awaitWord(connection: 1)
    stage.proxy.cut()
    try stage.awaitWord(connection: 2)
    // As long as the wait after a connection is given up.
    _ = try stage.poller.poll(timeout: .milliseconds(300))
    _ = try stage.publisher.send([1, 1])
    _ = try stage.publisher.send([2, 2])
    var heard: [[UInt8]] = []
    while heard.last != [2, 2] { heard.append(try stage.subscriber.awaitOne().bytes) }
    #expect(heard.suffix(2) == [[1, 1], [2, 2]])
    #expect(stage.proxy.counts.connections == 2)
  }

  @Test func `a socket without its poller is reconnected by libzmq`() throws {
    let stage = try Stage(.ipc)
    try stage.awaitWord(connection: 1)
    stage.poller = Poller()
    _ = stage.poller.add(stage.subscriber)
    for connection in 2...4 {
      stage.proxy.cut()
      try stage.awaitWord(connection: connection)
    }
  }
}
