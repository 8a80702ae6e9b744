import Glibc
import Testing
import ZeroMQ

/// The effect of an authenticator's answers in libzmq.
@Suite(.timeLimit(.minutes(1)))
struct AuthenticatorTests {
  /// This process, with the identity that the kernel reports.
  private let own = LocalPeer(userID: geteuid(), groupID: getegid(), processID: getpid())

  /// Answers every request that arrives until `isDone`. `isDone` is checked whenever a message has arrived at the
  /// authenticator or one of the sockets, and after `pause`, if a peer has to resend a message.
  private func answer(
    _ authenticator: Authenticator, hearing sockets: any PollableSocket..., pause: Duration? = nil,
    until isDone: () throws -> Bool, _ decide: (AuthenticationRequest) -> Authenticator.Answer
  ) throws {
    let poller = Poller()
    _ = poller.add(authenticator.socket)
    for socket in sockets { _ = poller.add(socket) }
    while try !isDone() {
      _ = try poller.poll(timeout: pause)
      while let (ticket, request) = try authenticator.next() { try authenticator.answer(ticket, decide(request)) }
    }
  }

  /// Binds to an address that the socket was bound to a moment ago. libzmq's thread needs a while to release it and
  /// does not notify when it has: retrying is the only way to find out.
  private func bind(_ router: RouterSocket, again endpoint: Endpoint) throws {
    var problem: ZeroMQError?
    repeat {
      do {
        problem = nil
        try router.bind(endpoint)
      } catch {
        problem = error
        usleep(1000)
      }
    } while problem?.code == EADDRINUSE
    if let problem { throw problem }
  }

  private func directory() throws -> String {
    var template = Array("/tmp/zXXXXXX".utf8CString)
    return String(cString: try #require(mkdtemp(&template)))
  }

  @Test func `messages of an admitted peer have the given name, on every kind of socket`() throws {
    let (context, others, folder) = (try ZeroMQContext(), try ZeroMQContext(), try directory())
    defer { for name in ["a", "b", ""] { remove("\(folder)/\(name)") } }
    let authenticator = try Authenticator(context)
    let router = try RouterSocket(context, .zapDomain("here"))
    let publisher = try PublishSocket(context, .zapDomain("there"))
    try router.bind(.ipc("\(folder)/a"))
    try publisher.bind(.ipc("\(folder)/b"))
    let dealer = try DealerSocket(others)
    let subscriber = try SubscribeSocket(others)
    try dealer.connect(.ipc("\(folder)/a"))
    try subscriber.connect(.ipc("\(folder)/b"))
    _ = try dealer.send([1])
    try subscriber.subscribe([7])

    var asked: [AuthenticationRequest] = []
    var (routed, subscribed): ((RoutingID, Message)?, (SubscriptionEvent, Message)?)
    try answer(authenticator, hearing: router, publisher) {
      if routed == nil { routed = try router.receiveRouted().message }
      if subscribed == nil { subscribed = try publisher.receiveSubscriptionMessage().message }
      return routed != nil && subscribed != nil
    } _: { request in
      asked.append(request)
      return .admitted(as: PeerName(.process(own), serial: request.domain == "here" ? 1 : 2))
    }
    #expect(routed?.1.sender == PeerName(.process(own), serial: 1))
    #expect(routed?.1.property("User-Id") == "\(geteuid()):\(getegid()):\(getpid()):1")
    #expect(subscribed?.0 == .subscribed([7]))
    #expect(subscribed?.1.sender == PeerName(.process(own), serial: 2))
    #expect(Set(asked.map(\.domain)) == ["here", "there"])
    #expect(asked.allSatisfy { $0.localPeer == own && $0.proof == .none })
  }

  @Test func `messages of a refused or undecided peer are not received`() throws {
    let (context, others, folder) = (try ZeroMQContext(), try ZeroMQContext(), try directory())
    defer { for name in ["a", ""] { remove("\(folder)/\(name)") } }
    let router = try RouterSocket(context, .zapDomain("here"))
    try router.bind(.ipc("\(folder)/a"))
    let early = try DealerSocket(others)
    try early.connect(.ipc("\(folder)/a"))
    _ = try early.send([1])
    let poller = Poller()
    _ = poller.add(router)
    #expect(try poller.poll(timeout: .milliseconds(100)) == .timedOut)

    let authenticator = try Authenticator(context)
    let (late, refused) = (try DealerSocket(others), try DealerSocket(others))
    for (number, socket) in [(UInt8(2), late), (3, refused)] {
      try socket.connect(.ipc("\(folder)/a"))
      _ = try socket.send([number])
    }
    #expect(try poller.poll(timeout: .milliseconds(100)) == .timedOut, "nobody has answered yet")
    var count = 0
    var heard: [[UInt8]] = []
    try answer(authenticator, hearing: router) {
      if let message = try router.receiveRouted().message { heard.append(message.1.bytes) }
      return !heard.isEmpty && count >= 2
    } _: { _ in
      count += 1
      return count == 2 ? .admitted(as: PeerName(.process(own), serial: 1)) : .refused("not you")
    }
    #expect(try poller.poll(timeout: .milliseconds(100)) == .timedOut, "one of them only")
    #expect(heard.count == 1)
  }

  @Test func `one socket accepts ipc without proof and tcp with CURVE`() throws {
    let (context, others, folder) = (try ZeroMQContext(), try ZeroMQContext(), try directory())
    defer { for name in ["a", ""] { remove("\(folder)/\(name)") } }
    let authenticator = try Authenticator(context)
    let (server, client) = (try CurveKey.generate(), try CurveKey.generate())
    let router = try RouterSocket(context, .zapDomain("near"))
    try router.bind(.ipc("\(folder)/a"))
    try router.set(.zapDomain("far"))
    try router.set(.curveServer(secretKey: server.secretKey))
    try router.bind(Endpoint("tcp://127.0.0.1:*"))
    let far = try router.lastEndpoint()
    let near = try DealerSocket(others)
    let remote = try DealerSocket(
      others,
      .curveClient(
        publicKey: client.publicKey, secretKey: client.secretKey, serverKey: server.publicKey))
    let bare = try DealerSocket(others)
    try near.connect(.ipc("\(folder)/a"))
    for socket in [remote, bare] { try socket.connect(far) }
    for (number, socket) in [(UInt8(1), near), (2, remote), (3, bare)] { _ = try socket.send([number]) }
    var heard: [[UInt8]: PeerName] = [:]
    try answer(authenticator, hearing: router) {
      if let (_, message) = try router.receiveRouted().message { heard[message.bytes] = message.sender }
      return heard.count == 2
    } _: { request in
      guard case .curve(let key) = request.proof else { return .admitted(as: PeerName(.process(own), serial: 1)) }
      return request.domain == "far" ? .admitted(as: PeerName(.key(key), serial: 2)) : .refused("wrong door")
    }
    #expect(heard == [[1]: PeerName(.process(own), serial: 1), [2]: PeerName(.key(client.publicKey), serial: 2)])

    // Unbinding the address closes the connections made through it, and no others; permitted peers reconnect by
    // themselves.
    try router.unbind(far)
    try bind(router, again: far)
    heard = [:]
    var asked: [String] = []
    try answer(authenticator, hearing: router, pause: .milliseconds(20)) {
      // Resent, since messages under way when the connection ended are lost.
      for (number, socket) in [(UInt8(4), near), (5, remote)] { _ = try socket.send([number]) }
      while let (_, message) = try router.receiveRouted().message { heard[message.bytes] = message.sender }
      return heard[[4]] != nil && heard[[5]]?.serial == 3
    } _: { request in
      asked.append(request.domain)
      return .admitted(as: PeerName(.key(client.publicKey), serial: 3))
    }
    #expect(asked == ["far"])
  }
}
