import Glibc
import Testing
import ZeroMQ

/// One test body, three transports for it.
enum TestTransport: String, CaseIterable, CustomTestStringConvertible {
  case inproc, ipc, tcp

  var testDescription: String { rawValue }
}

/// A context and, for ipc, a directory of its own that is removed with it.
final class Bench {
  let context: ZeroMQContext
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    context = try ZeroMQContext()
  }

  /// Binds a socket, and returns the address for its peers.
  func bind<Kind>(_ socket: Socket<Kind>, _ transport: TestTransport) throws -> Endpoint {
    let endpoint =
      switch transport {
      case .inproc: try Endpoint("inproc://bench")
      case .ipc: try Endpoint.ipc("\(directory.path)/bench.ipc")
      case .tcp: try Endpoint("tcp://127.0.0.1:*")
      }
    try socket.bind(endpoint)
    return try socket.lastEndpoint()
  }

  /// A publisher and a subscriber whose subscription has arrived, so that no message is lost.
  func pair(
    _ transport: TestTransport, topic: [UInt8] = [], subscriberOptions: [SocketOption] = []
  ) throws -> (publisher: PublishSocket, subscriber: SubscribeSocket) {
    let publisher = try PublishSocket(context)
    let subscriber = try SubscribeSocket(context)
    for option in subscriberOptions { try subscriber.set(option) }
    try subscriber.subscribe(topic)
    try subscriber.connect(bind(publisher, transport))
    #expect(try publisher.awaitSubscription() == .subscribed(topic))
    return (publisher, subscriber)
  }

  /// A router and a dealer of this name; the router has received a message from it.
  func route(
    _ transport: TestTransport, name: String = "dealer", routerOptions: [SocketOption] = [.mandatoryRouting(true)]
  ) throws -> (router: RouterSocket, dealer: DealerSocket, id: RoutingID) {
    let router = try RouterSocket(context)
    for option in routerOptions { try router.set(option) }
    let dealer = try DealerSocket(context, .routingID(Array(name.utf8)))
    try dealer.connect(bind(router, transport))
    #expect(try dealer.send(Array("hello".utf8)) == .sent)
    let (id, greeting) = try router.awaitRouted()
    #expect(greeting.bytes == Array("hello".utf8))
    return (router, dealer, id)
  }
}

/// A directory with a short path, since that of a Unix socket has at most 107 bytes; removed with the object.
final class TemporaryDirectory {
  let path: String

  init() throws {
    var template = Array("/tmp/zmq-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    if let listing = opendir(path) {
      while let entry = readdir(listing) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        unlink("\(path)/\(name)")
      }
      closedir(listing)
    }
    rmdir(path)
  }
}
