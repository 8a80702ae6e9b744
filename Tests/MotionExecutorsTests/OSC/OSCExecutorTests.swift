import MotionCore
import MotionModel
import MotionTestKit
import Testing

@testable import MotionExecutors

/// A transport without a network: it keeps the sent packets, and the test sets its time.
private final class RecordedTransport: OSCTransport {
  var now = OSCMoment(seconds: 0, nanosecondsSince1970: 0)
  /// The whereabouts of hosts; a host without an entry is settled.
  var hosts: [String: OSCWhereabouts] = [:]
  /// When a message was last resent.
  var lastRepeat: Double?
  private(set) var lines: Set<OSCLine> = []
  private(set) var forgotten: [OSCLine] = []
  private var lastLine: UInt64 = 0
  private var sent: [(destination: String, packet: [UInt8])] = []

  func open(to place: OSCPlace, keepAlive: Double?) -> OSCLine {
    lastLine += 1
    let line = OSCLine(number: lastLine, place: place)
    lines.insert(line)
    return line
  }

  func close(_ line: OSCLine) { lines.remove(line) }

  func forget(_ line: OSCLine) { forgotten.append(line) }

  func whereabouts(of place: OSCPlace) -> OSCWhereabouts { hosts[place.host] ?? .settled }

  func lastRepeat(on line: OSCLine) -> Double? { lastRepeat }

  func send(_ words: [OSCWords], to place: OSCPlace, at moment: OSCMoment) {
    #expect(words.allSatisfy { lines.contains($0.line) && $0.line.place == place })
    for packet in OSCBundle.packets(of: words, at: moment) { sent.append(("\(place)", packet)) }
  }

  /// The packets sent since the last call.
  func take() -> [(destination: String, packet: [UInt8])] {
    defer { sent = [] }
    return sent
  }
}

/// An executor with a transport to send to, frame by frame of 1/64 s on both clocks.
private final class Stage {
  let transport = RecordedTransport()
  let host: RecordingExecutorHost
  let x = PropertyReference("ball", "x")

  init() {
    host = RecordingExecutorHost(OSCExecutor.declaration(over: transport), target: "output")
  }

  /// Runs a frame, and returns the packets that it sent.
  @discardableResult
  func frame() -> [(destination: String, packet: [UInt8])] {
    transport.now = transport.now.moved(to: transport.now.seconds + 1.0 / 64)
    host.advance(by: 1.0 / 64)
    return transport.take()
  }

  /// The expected bundle of these messages, at the present time.
  func bundle(_ messages: (String, [Float])...) -> [UInt8] {
    let messages = messages.map { OSCMessage(address: $0.0, arguments: $0.1) }
    return OSCBundle.packet(
      of: messages, at: OSCTimeTag(nanosecondsSince1970: transport.now.nanosecondsSince1970))
  }
}

struct OSCExecutorTests {
  @Test func `the present value is sent at once, then only changes`() throws {
    let stage = Stage()
    stage.host.notice(stage.x, PropertyState(3, velocity: 1))
    try stage.host.add(.sendOSC(stage.x))
    let first = stage.frame()
    #expect(first.map(\.packet) == [stage.bundle(("/ball/x", [3]))])
    #expect(first.map(\.destination) == ["127.0.0.1:9000"])
    #expect(!stage.host.wantsUpdate, "nothing changes, nothing is to be done")
    stage.host.notice(stage.x, PropertyState(3, velocity: 0))
    #expect(stage.frame().isEmpty, "only the velocity changed")
    stage.transport.now.nanosecondsSince1970 = 7_000_000_005
    stage.host.notice(stage.x, PropertyState(4))
    #expect(stage.frame().map(\.packet) == [stage.bundle(("/ball/x", [4]))])
    #expect(stage.host.reports.isEmpty, "it writes nothing")
  }

  @Test func `the rate is kept, and the last value is sent`() throws {
    let stage = Stage()
    try stage.host.add(.sendOSC(stage.x, rate: 8))
    #expect(stage.frame().isEmpty, "there is no such property yet")
    var packets: [[UInt8]] = []
    for step in 1...640 {
      stage.host.notice(stage.x, PropertyState(Lanes(Double(step))))
      packets += stage.frame().map(\.packet)
    }
    #expect(packets.count == 80, "10 s at a rate of 8")
    var frames = 0
    while stage.host.wantsUpdate, frames < 64 {
      packets += stage.frame().map(\.packet)
      frames += 1
    }
    #expect(packets.last == stage.bundle(("/ball/x", [640])))
    #expect(frames <= 9)
    #expect(!stage.host.wantsUpdate)
  }

  // Clauses: S18.17
  @Test func `a property of the own target is sent to its address`() throws {
    let stage = Stage()
    let own = PropertyReference(stage.host.target, "level")
    stage.host.notice(own, PropertyState(1))
    try stage.host.add(SendOSCIntention("level").intention)
    #expect(stage.frame().map(\.packet) == [stage.bundle(("/\(own)", [1]))])
    stage.host.notice(own, PropertyState(2))
    #expect(stage.frame().map(\.packet) == [stage.bundle(("/\(own)", [2]))])
  }

  @Test func `values for one receiver in a frame share a packet, in the order of the plans`() throws {
    let stage = Stage()
    let y = PropertyReference("lamp", "y")
    stage.host.notice(stage.x, PropertyState(1))
    stage.host.notice(y, PropertyState([2, 3]))
    try stage.host.add(.sendOSC(stage.x, address: "/one"))
    try stage.host.add(.sendOSC(stage.x, port: 9001))
    try stage.host.add(.sendOSC(y))
    let sent = stage.frame()
    #expect(sent.map(\.destination) == ["127.0.0.1:9000", "127.0.0.1:9001"])
    #expect(
      sent.map(\.packet) == [stage.bundle(("/one", [1]), ("/lamp/y", [2, 3])), stage.bundle(("/ball/x", [1]))])
    stage.frame()
    stage.host.notice(y, PropertyState([2, 4]))
    #expect(stage.frame().map(\.packet) == [stage.bundle(("/lamp/y", [2, 4]))])
  }

  @Test func `many plans are split into packets of at most the largest size`() throws {
    let stage = Stage()
    for index in 0..<200 {
      let property = try PropertyReference("ball", PropertyName("p\(index)"))
      stage.host.notice(property, PropertyState(0))
      try stage.host.add(.sendOSC(property))
    }
    let sent = stage.frame()
    #expect(sent.count > 1)
    #expect(sent.allSatisfy { $0.packet.count <= OSCBundle.largestPacket })
  }

  @Test func `a plan removed by identity or name sends nothing more`() throws {
    let stage = Stage()
    stage.host.notice(stage.x, PropertyState(1))
    let plain = try stage.host.add(.sendOSC(stage.x, address: "/plain"))
    try stage.host.add(.sendOSC(stage.x, address: "/named"), named: "out")
    stage.host.remove(plain)
    #expect(stage.frame().map(\.packet) == [stage.bundle(("/named", [1]))])
    stage.host.notice(stage.x, PropertyState(2))
    stage.host.remove(named: "out")
    #expect(stage.frame().isEmpty)
    #expect(!stage.host.wantsUpdate)
  }

  @Test func `a property that is gone is not sent`() throws {
    let stage = Stage()
    stage.host.notice(stage.x, PropertyState(1))
    try stage.host.add(.sendOSC(stage.x))
    stage.frame()
    stage.host.notice(stage.x, PropertyState(2))
    #expect(stage.transport.forgotten.isEmpty)
    stage.host.notice(stage.x, nil)
    #expect(stage.frame().isEmpty)
    #expect(stage.transport.forgotten.count == 1, "nor is it sent again")
    stage.host.notice(stage.x, PropertyState(5))
    for _ in 1...2 where stage.host.wantsUpdate { stage.frame() }
    #expect(!stage.host.wantsUpdate)
  }

  @Test func `the velocity is sent beside the value, and its change is sent too`() throws {
    let stage = Stage()
    stage.host.notice(stage.x, PropertyState([3, 4], velocity: [1, -2]))
    try stage.host.add(.sendOSC(stage.x, sendsVelocity: true))
    #expect(
      stage.frame().map(\.packet) == [stage.bundle(("/ball/x", [3, 4]), ("/ball/x/velocity", [1, -2]))])
    stage.frame()
    stage.host.notice(stage.x, PropertyState([3, 4]))
    #expect(stage.frame().map(\.packet) == [stage.bundle(("/ball/x", [3, 4]), ("/ball/x/velocity", [0, 0]))])
  }

  @Test func `values with the immediate tag go in a bundle of their own`() throws {
    let stage = Stage()
    stage.host.notice(stage.x, PropertyState(3))
    try stage.host.add(.sendOSC(stage.x, address: "/now", timeTag: .immediate))
    try stage.host.add(.sendOSC(stage.x))
    let now = OSCBundle.packet(of: [OSCMessage(address: "/now", arguments: [3])], at: .immediate)
    #expect(stage.frame().map(\.packet) == [stage.bundle(("/ball/x", [3])), now])
  }

  @Test(arguments: [Double.nan, .infinity]) func `a value that is not finite is never sent`(number: Double) throws {
    let stage = Stage()
    stage.host.notice(stage.x, PropertyState(Lanes(number)))
    try stage.host.add(.sendOSC(stage.x))
    #expect(stage.frame().isEmpty)
    stage.host.notice(stage.x, PropertyState(1, velocity: Lanes(number)))
    #expect(stage.frame().isEmpty && !stage.host.wantsUpdate)
    stage.host.notice(stage.x, PropertyState(2))
    #expect(stage.frame().map(\.packet) == [stage.bundle(("/ball/x", [2]))])
  }

  @Test func `an executor wants frames until its receiver's name is found`() throws {
    let stage = Stage()
    stage.transport.hosts["desk"] = .sought
    stage.host.notice(stage.x, PropertyState(1))
    try stage.host.add(.sendOSC(stage.x, host: "desk"))
    // The transport keeps the messages until there is an address.
    #expect(stage.frame().count == 1)
    for _ in 1...10 { stage.frame() }
    #expect(stage.host.wantsUpdate, "there may be something to say of it")
    stage.transport.hosts["desk"] = .settled
    stage.frame()
    #expect(!stage.host.wantsUpdate)
  }

  @Test func `an unknown host fails its plans with a remedy, and no others`() throws {
    let stage = Stage()
    stage.host.notice(stage.x, PropertyState(1))
    stage.transport.hosts["nowhere"] = .missing("Name or service not known")
    let plan = try stage.host.add(.sendOSC(stage.x, host: "nowhere"))
    try stage.host.add(.sendOSC(stage.x, host: "nowhere"), named: "other")
    try stage.host.add(.sendOSC(stage.x))
    #expect(stage.frame().map(\.destination) == ["127.0.0.1:9000"])
    #expect(stage.host.plans.count == 1 && stage.transport.lines.count == 1)
    let reasons = stage.host.reports.compactMap { report in
      if case .failed(let identity, let reason) = report.content { (identity, reason) } else { nil }
    }
    #expect(reasons.count == 2 && reasons.contains { $0.0 == plan })
    #expect(reasons.allSatisfy { $0.1.contains("host \"nowhere\" is not found") && $0.1.contains("numeric address") })
  }

  @Test func `a receiver beyond the limit fails its plan with a remedy, and no others`() throws {
    let stage = Stage()
    stage.host.notice(stage.x, PropertyState(1))
    stage.transport.hosts["10.0.0.7"] = .refused
    try stage.host.add(.sendOSC(stage.x, host: "10.0.0.7"))
    try stage.host.add(.sendOSC(stage.x))
    #expect(stage.frame().map(\.destination) == ["127.0.0.1:9000"])
    #expect(stage.host.plans.count == 1 && stage.transport.lines.count == 1)
    let reasons = stage.host.reports.compactMap { report in
      if case .failed(_, let reason) = report.content { reason } else { nil }
    }
    #expect(reasons.count == 1 && reasons[0].contains("512 receivers already") && reasons[0].contains("instances"))
  }

  @Test func `a value that the transport resends counts for the rate`() throws {
    let stage = Stage()
    stage.host.notice(stage.x, PropertyState(1))
    try stage.host.add(.sendOSC(stage.x, rate: 1))
    #expect(stage.frame().count == 1)
    stage.transport.now = stage.transport.now.moved(to: 10)
    stage.transport.lastRepeat = 9.9
    stage.host.notice(stage.x, PropertyState(2))
    var frames = 0
    while stage.host.wantsUpdate, frames < 100 {
      stage.frame()
      frames += 1
    }
    #expect(frames == 58, "0.9 s later")
  }

  @Test func `lines are closed with their plans, and with the executor`() throws {
    let stage = Stage()
    let plan = try stage.host.add(.sendOSC(stage.x))
    try stage.host.add(.sendOSC(stage.x), named: "out")
    #expect(stage.transport.lines.count == 2)
    stage.host.remove(plan)
    #expect(stage.transport.lines.count == 1)
    let transport = stage.transport
    var other: RecordingExecutorHost? = RecordingExecutorHost(OSCExecutor.declaration(over: transport))
    try other?.add(.sendOSC(stage.x))
    #expect(transport.lines.count == 2)
    other = nil
    #expect(transport.lines.count == 1)
  }
}
