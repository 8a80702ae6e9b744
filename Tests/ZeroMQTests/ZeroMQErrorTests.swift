import Glibc
import Testing
import ZeroMQ

@Suite(.timeLimit(.minutes(1)))
struct ZeroMQErrorTests {
  @Test func `an address in use is reported with errno and remedy`() throws {
    let bench = try Bench()
    let first = try RouterSocket(bench.context)
    let endpoint = try bench.bind(first, .tcp)
    let second = try RouterSocket(bench.context)
    let error = #expect(throws: ZeroMQError.self) { try second.bind(endpoint) }
    #expect(error?.code == EADDRINUSE)
    let text = error?.description ?? ""
    #expect(text.contains("zmq_bind \(endpoint)"))
    #expect(text.contains("errno \(EADDRINUSE)"))
    #expect(text.contains("stop it or choose another"))
  }

  @Test func `a missing directory is reported`() throws {
    let bench = try Bench()
    let socket = try RouterSocket(bench.context)
    let error = #expect(throws: ZeroMQError.self) {
      try socket.bind(Endpoint.ipc("\(bench.directory.path)/missing/x.ipc"))
    }
    #expect(error?.code == ENOENT)
    #expect(error?.description.contains("directory") == true)
  }

  @Test func `an address of another machine is reported`() throws {
    let bench = try Bench()
    let socket = try RouterSocket(bench.context)
    // 192.0.2.0/24 is reserved for documentation (RFC 5737), so no interface has it.
    let error = #expect(throws: ZeroMQError.self) { try socket.bind(Endpoint("tcp://192.0.2.1:5555")) }
    #expect(error?.code == EADDRNOTAVAIL)
    #expect(error?.description.contains("no such address") == true)
  }

  @Test func `too many sockets are reported`() throws {
    let context = try ZeroMQContext(maxSockets: 2)
    var sockets: [PairSocket] = []
    let error = #expect(throws: ZeroMQError.self) {
      for _ in 0..<3 { sockets.append(try PairSocket(context)) }
    }
    #expect(sockets.count <= 2)
    #expect(error?.code == EMFILE)
  }

  @Test func `an unknown error number is kept`() {
    let error = ZeroMQError(code: 4242, operation: "zmq_bind")
    #expect(error.code == 4242)
    #expect(error.description.contains("errno 4242"))
  }

  @Test func `an option of another socket kind is refused by name`() throws {
    let bench = try Bench()
    let error = #expect(throws: ZeroMQError.self) { try DealerSocket(bench.context, .mandatoryRouting(true)) }
    #expect(error?.code == EINVAL)
    #expect(error?.description.contains("mandatoryRouting") == true)
    #expect(error?.description.contains("DEALER") == true)
  }

  @Test func `options are printed with their values`() {
    #expect("\(SocketOption.linger(nil))" == "linger(nil)")
    #expect("\(SocketOption.backlog(5))" == "backlog(5)")
    #expect("\(SocketOption.immediate(true))" == "immediate(true)")
    #expect("\(SocketOption.handshakeInterval(.milliseconds(5)))" == "handshakeInterval(0.005 seconds)")
  }
}
