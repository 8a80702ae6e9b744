import Glibc
import MotionModel
import Synchronization
import Testing

@testable import MotionExecutors

/// The sockets and threads, on loopback.
struct UDPTransportTests {
  /// The reports to users, from any thread.
  private final class Reports: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
  }

  /// A resolver that answers when the test permits it.
  private final class Resolver: Sendable {
    private let answers = Mutex<[String: HostAnswer]>([:])
    private let asked = Mutex<[String]>([])

    /// The hosts that were looked up, in order.
    var questions: [String] { asked.withLock { $0 } }

    func answer(_ host: String, _ answer: HostAnswer) { answers.withLock { $0[host] = answer } }

    /// Waits for the answer on the thread that may block, but not for ever.
    func resolve(_ host: String) -> HostAnswer {
      asked.withLock { $0.append(host) }
      for _ in 0..<2000 {
        if let answer = answers.withLock({ $0[host] }) { return answer }
        poll(nil, 0, 5)
      }
      return .silence("the test gave no answer")
    }
  }

  /// Waits for a condition, by polling.
  private func awaitTruth(_ fact: () -> Bool) -> Bool {
    for _ in 0..<2000 where !fact() { poll(nil, 0, 5) }
    return fact()
  }

  private let numeric4 = HostAnswer(asking: "127.0.0.1")

  private func words(_ line: OSCLine, _ value: Float) -> OSCWords {
    OSCWords(line: line, timeTag: .immediate, messages: [OSCMessage(address: "/a", arguments: [value])])
  }

  /// The packet with a value.
  private func packet(_ value: Float) -> [UInt8] {
    OSCBundle.packet(of: [OSCMessage(address: "/a", arguments: [value])], at: .immediate)
  }

  private func send(_ value: Float, on line: OSCLine, by transport: UDPTransport) {
    transport.send([words(line, value)], to: line.place, at: transport.now)
  }

  @Test(arguments: ["127.0.0.1", "::1"]) func `packets arrive unchanged`(host: String) throws {
    // A machine without IPv6 has nothing to test.
    guard let receiver = try? DatagramListener(at: host) else { return #expect(host == "::1") }
    let transport = UDPTransport { Issue.record("\($0)") }
    let line = transport.open(to: OSCPlace(host: host, port: receiver.port))
    defer { transport.close(line) }
    #expect(transport.whereabouts(of: line.place) == .settled)
    for value in [1, 2, 3] as [Float] {
      send(value, on: line, by: transport)
      #expect(receiver.next() == packet(value))
    }
    #expect(transport.lastRepeat(on: line) == nil)
  }

  @Test func `more than a packet's size is sent in several whole packets`() throws {
    let receiver = try DatagramListener()
    let transport = UDPTransport { Issue.record("\($0)") }
    let line = transport.open(to: OSCPlace(host: "127.0.0.1", port: receiver.port))
    defer { transport.close(line) }
    transport.send((0..<100).map { words(line, Float($0)) }, to: line.place, at: transport.now)
    #expect(receiver.next().count == 16 + 89 * 16)
    #expect(receiver.next().count == 16 + 11 * 16)
  }

  @Test func `the last value is resent while nothing else is sent`() throws {
    let receiver = try DatagramListener()
    let transport = UDPTransport { Issue.record("\($0)") }
    let line = transport.open(to: OSCPlace(host: "127.0.0.1", port: receiver.port), keepAlive: 0.05)
    defer { transport.close(line) }
    for value in [1, 2] as [Float] {
      send(value, on: line, by: transport)
      for _ in 0..<3 { #expect(receiver.next() == packet(value)) }
    }
  }

  @Test func `an absent receiver is reported once, delays no other, and gets the last value`() throws {
    let present = try DatagramListener()
    let port = try DatagramListener().port
    let reports = Reports()
    let transport = UDPTransport { reports.add($0) }
    let line = transport.open(to: OSCPlace(host: "127.0.0.1", port: port))
    let other = transport.open(to: OSCPlace(host: "127.0.0.1", port: present.port))
    defer { for line in [line, other] { transport.close(line) } }
    for value in (1...50).map(Float.init) {
      send(value, on: line, by: transport)
      send(-value, on: other, by: transport)
      // Waits for each packet, so that the first miss has to be the last.
      try #require(present.next() == packet(-value))
    }
    #expect(awaitTruth { !reports.all.isEmpty })
    // No more is sent; the receiver starts later, at the same port.
    let late = try DatagramListener(port: port)
    #expect(late.next() == packet(50))
    #expect(transport.lastRepeat(on: line) != nil)
    #expect(reports.all.count == 1)
    #expect(reports.all[0].contains("127.0.0.1:\(port): receiver is unreachable: Connection refused"))
    // The value is resent for as long as the receiver may be away, and always the last one.
    send(51, on: line, by: transport)
    #expect(late.next() == packet(51))
    #expect(late.next() == packet(51))
    #expect(awaitTruth { reports.all.count == 2 })
    #expect(reports.all.last?.contains("reachable again") == true)
    #expect(present.next(within: 0) == [])
  }

  @Test func `a refused send is reported once, and its recovery too`() throws {
    let receiver = try DatagramListener()
    let reports = Reports()
    let transport = UDPTransport { reports.add($0) }
    let line = transport.open(to: OSCPlace(host: "127.0.0.1", port: receiver.port))
    defer { transport.close(line) }
    send(1, on: line, by: transport)
    #expect(receiver.next() == packet(1))
    // More than a datagram holds: the system refuses it at once.
    let large = OSCMessage(address: "/a", arguments: [Float](repeating: 1, count: 20_000))
    for _ in 1...3 {
      transport.send([OSCWords(line: line, timeTag: .immediate, messages: [large])], to: line.place, at: transport.now)
    }
    #expect(reports.all.count == 1 && reports.all[0].contains("Message too long"))
    send(2, on: line, by: transport)
    #expect(receiver.next() == packet(2))
    #expect(awaitTruth { reports.all.count == 2 })
  }

  @Test func `sending does not wait for a lookup, and the last value is sent when it ends`() throws {
    let receiver = try DatagramListener()
    let resolver = Resolver()
    let transport = UDPTransport(report: { Issue.record("\($0)") }, resolve: resolver.resolve)
    let line = transport.open(to: OSCPlace(host: "desk", port: receiver.port))
    let second = transport.open(to: OSCPlace(host: "desk", port: receiver.port))
    let elsewhere = transport.open(to: OSCPlace(host: "127.0.0.1", port: receiver.port))
    defer { for line in [line, second, elsewhere] { transport.close(line) } }
    #expect(transport.whereabouts(of: line.place) == .sought)
    for value in [1, 2, 3] as [Float] { send(value, on: line, by: transport) }
    // Other receivers do not wait.
    send(7, on: elsewhere, by: transport)
    #expect(receiver.next() == packet(7))
    resolver.answer("desk", numeric4)
    #expect(receiver.next() == packet(3))
    #expect(transport.whereabouts(of: line.place) == .settled)
    #expect(resolver.questions == ["desk"], "two lines, one question")
  }

  @Test func `many names are looked up by few threads`() throws {
    let receiver = try DatagramListener()
    let resolver = Resolver()
    let transport = UDPTransport(report: { Issue.record("\($0)") }, resolve: resolver.resolve)
    let lines = (0..<20).map { transport.open(to: OSCPlace(host: "desk\($0)", port: receiver.port)) }
    defer { for line in lines { transport.close(line) } }
    for (index, line) in lines.enumerated() { send(Float(index), on: line, by: transport) }
    #expect(awaitTruth { resolver.questions.count == HostLookupQueue.mostThreads })
    for index in 0..<20 { resolver.answer("desk\(index)", numeric4) }
    let heard = Set((0..<20).map { _ in receiver.next() })
    #expect(heard == Set((0..<20).map { packet(Float($0)) }))
    #expect(resolver.questions.count == 20)
  }

  @Test func `a receiver that moved is found by another lookup when it does not answer`() throws {
    let resolver = Resolver()
    let reports = Reports()
    let transport = UDPTransport(report: { reports.add($0) }, resolve: resolver.resolve)
    // The whole of 127.0.0.0/8 is this machine: no program listens at the first address.
    let receiver = try DatagramListener(at: "127.0.0.3")
    resolver.answer("desk", HostAnswer(asking: "127.0.0.2"))
    let line = transport.open(to: OSCPlace(host: "desk", port: receiver.port))
    defer { transport.close(line) }
    #expect(awaitTruth { transport.whereabouts(of: line.place) == .settled })
    resolver.answer("desk", HostAnswer(asking: "127.0.0.3"))
    send(5, on: line, by: transport)
    #expect(receiver.next() == packet(5))
    #expect(awaitTruth { reports.all.count == 2 })
    #expect(reports.all.last == "OSC to desk:\(receiver.port): the address is now 127.0.0.3:\(receiver.port)")
  }

  // Clauses: S18.9
  @Test func `each receiver has a socket, and one beyond the limit is refused until one closes`() throws {
    let listener = try DatagramListener()
    var post = UDPPost()
    let now = OSCMoment.now
    // The whole of 127.0.0.0/8 is this machine; only the first of them has a listener.
    func place(_ number: Int) -> OSCPlace {
      OSCPlace(host: "127.0.\(number / 250).\(1 + number % 250)", port: listener.port)
    }
    var lines = (0..<UDPPost.mostReceivers).map { post.open(to: place($0), at: now.seconds).0 }
    #expect(post.descriptors.isEmpty, "the first datagram opens it")
    for line in lines { _ = post.send([words(line, 1)], to: line.place, at: now) }
    #expect(Set(post.descriptors).count == UDPPost.mostReceivers)
    #expect(listener.next() == packet(1))

    let extra = place(UDPPost.mostReceivers)
    let refused = post.open(to: extra, at: now.seconds).0
    #expect(post.whereabouts(of: extra, at: now.seconds) == .refused)
    // Another line to a receiver uses no further socket.
    let second = post.open(to: lines[0].place, at: now.seconds).0
    #expect(post.whereabouts(of: second.place, at: now.seconds) == .settled)
    _ = post.send([words(second, 2)], to: second.place, at: now)
    #expect(listener.next() == packet(2))

    _ = post.close(refused)
    _ = post.close(lines.removeLast())
    lines.append(post.open(to: extra, at: now.seconds).0)
    #expect(post.whereabouts(of: extra, at: now.seconds) == .settled)
    for line in lines + [second] { _ = post.close(line) }
    #expect(post.isEmpty && post.descriptors.isEmpty)
  }

  @Test func `a name that does not exist is missing`() {
    let transport = UDPTransport { _ in }
    // A label has 63 characters at most, so no server needs to be queried.
    let place = OSCPlace(host: String(repeating: "a", count: 64), port: 9000)
    let line = transport.open(to: place)
    #expect(awaitTruth { transport.whereabouts(of: place) != .sought })
    guard case .missing = transport.whereabouts(of: place) else { return #expect(Bool(false), "it was found") }
    transport.close(line)
  }

  @Test func `the transport's time is monotonic and of the calendar`() {
    let (first, second) = (OSCMoment.now, OSCMoment.now)
    #expect(second.seconds >= first.seconds)
    // Between 2024 and 2100.
    #expect((1_700_000_000_000_000_000...4_102_444_800_000_000_000).contains(first.nanosecondsSince1970))
  }
}

/// A socket of the test's own that receives the packets sent to it.
final class DatagramListener {
  private let descriptor: Int32
  /// The port at which it listens.
  let port: UInt16

  /// Listens at a numeric address, at a free port unless one is given.
  init(at host: String = "127.0.0.1", port: UInt16 = 0) throws {
    let place = try #require(HostAnswer(numeric: host)?.address).with(port: port)
    let descriptor = socket(place.family, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    self.descriptor = descriptor
    var name = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let isBound = place.withPointer { bind(descriptor, $0, $1) } == 0
    _ = withUnsafeMutablePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
    }
    self.port = withUnsafeBytes(of: name) { SocketAddress($0) }?.port ?? 0
    try #require(isBound, "\(place): \(String(cString: strerror(errno)))")
  }

  deinit { close(descriptor) }

  /// The next packet; empty if none arrives.
  func next(within milliseconds: Int32 = 15_000) -> [UInt8] {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&polled, 1, milliseconds) == 1 else { return [] }
    var packet = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &packet, packet.count, 0)
    return Array(packet.prefix(max(0, count)))
  }
}
