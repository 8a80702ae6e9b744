import Testing
import ZeroMQ

@Suite(.timeLimit(.minutes(1)))
struct ZeroMQContextTests {
  @Test func socketsKeepTheirContext() throws {
    weak var context: ZeroMQContext?
    var socket: PairSocket?
    do {
      let made = try ZeroMQContext()
      context = made
      socket = try PairSocket(made)
    }
    #expect(context != nil)
    #expect(try socket?.send([1]) == .wouldBlock)
    socket = nil
    #expect(context == nil)
  }

  @Test func sendingAndReceivingAfterShutdownIsTerminated() throws {
    let bench = try Bench()
    let (router, dealer, id) = try bench.route(.inproc)
    bench.context.shutdown()
    // For speed, libzmq checks for events only now and then when it sends; a poll always checks.
    let poller = Poller()
    _ = poller.add(dealer)
    #expect(try poller.poll(timeout: timeout) == .terminated)
    #expect(try dealer.send([1]) == .terminated)
    #expect(try dealer.send([Message([1]), Message([2])]) == .terminated)
    guard case .terminated = try router.receiveRouted() else {
      Issue.record("not terminated")
      return
    }
    #expect(try router.send([1], to: id) == .terminated)
  }

  @Test func `the library reports its version and capabilities`() {
    let version = ZeroMQContext.version
    #expect((version.major, version.minor) >= (4, 3))
    #expect(ZeroMQContext.has("ipc"))
    #expect(!ZeroMQContext.has("no such capability"))
  }
}
