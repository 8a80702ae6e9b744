import MotionCore
import MotionModel
import MotionTestKit
import Testing

@testable import MotionExecutors

/// A world without a network: it keeps what is sent, and its time is the test's.
private final class RecordedTransport: OSCTransport {
  var now = OSCMoment(seconds: 0, tag: OSCTimeTag(secondsSince1970: 0, nanoseconds: 0))
  var isFailing = false
  private(set) var sent: [(destination: String, packet: [UInt8])] = []

  func destination(host: String, port: UInt16) throws(Refusal) -> OSCDestination {
    guard host != "nowhere" else { throw Refusal(.notFound, field: "host", "no such host", remedy: "Find one.") }
    return OSCDestination(bytes: Array("\(host):\(port)".utf8), text: "\(host):\(port)")
  }

  func send(_ packet: [UInt8], to destination: OSCDestination) -> Bool {
    if !isFailing { sent.append((destination.text, packet)) }
    return !isFailing
  }

  /// What was sent since the last call.
  func take() -> [(destination: String, packet: [UInt8])] {
    defer { sent = [] }
    return sent
  }
}

/// An executor with a world to send into, frame by frame of 1/64 s on both clocks.
private final class Stage {
  let transport = RecordedTransport()
  let host: RecordingExecutorHost
  let x = PropertyReference("ball", "x")

  init() {
    host = RecordingExecutorHost(OSCExecutor.declaration(over: transport), target: "output")
  }

  /// Runs a frame, and returns what it sent.
  @discardableResult
  func frame() -> [(destination: String, packet: [UInt8])] {
    transport.now.seconds += 1.0 / 64
    host.advance(by: 1.0 / 64)
    return transport.take()
  }

  /// A bundle as it must be, now.
  func bundle(_ messages: (String, [Float])...) -> [UInt8] {
    let messages = messages.map { OSCMessage(address: $0.0, arguments: $0.1) }
    return OSCBundle.packet(of: messages[...], at: transport.now.tag)
  }
}

struct OSCExecutorTests {
  @Test func `sends what is there at once, what changes, and nothing else`() throws {
    let stage = Stage()
    stage.host.notice(stage.x, PropertyState(3, velocity: 1))
    try stage.host.add(.sendOSC(stage.x))
    let first = stage.frame()
    #expect(first.map(\.packet) == [stage.bundle(("/ball/x", [3]))])
    #expect(first.map(\.destination) == ["127.0.0.1:9000"])
    #expect(!stage.host.wantsUpdate, "nothing changes, nothing is to be done")
    stage.host.notice(stage.x, PropertyState(3, velocity: 0))
    #expect(stage.frame().isEmpty, "only the velocity changed")
    stage.transport.now.tag = OSCTimeTag(secondsSince1970: 7, nanoseconds: 5)
    stage.host.notice(stage.x, PropertyState(4))
    #expect(stage.frame().map(\.packet) == [stage.bundle(("/ball/x", [4]))])
    #expect(stage.host.reports.isEmpty, "it writes nothing")
  }

  @Test func `keeps its rate, and sends the last value`() throws {
    let stage = Stage()
    try stage.host.add(.sendOSC(stage.x, rate: 8))
    #expect(stage.frame().isEmpty, "there is no such property yet")
    var packets: [[UInt8]] = []
    for step in 1...640 {
      stage.host.notice(stage.x, PropertyState(Lanes(Double(step))))
      packets += stage.frame().map(\.packet)
    }
    #expect((78...81).contains(packets.count), "10 s at a rate of 8: \(packets.count)")
    var frames = 0
    while stage.host.wantsUpdate, frames < 64 {
      packets += stage.frame().map(\.packet)
      frames += 1
    }
    #expect(packets.last == stage.bundle(("/ball/x", [640])))
    #expect(frames <= 9)
    #expect(!stage.host.wantsUpdate)
  }

  @Test func `what goes to the same place in a frame goes together, in the order of the plans`() throws {
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

  @Test func `many plans are split into packets that are not cut`() throws {
    let stage = Stage()
    for index in 0..<200 {
      let property = try PropertyReference("ball", PropertyName("p\(index)"))
      stage.host.notice(property, PropertyState(0))
      try stage.host.add(.sendOSC(property))
    }
    let sent = stage.frame()
    #expect(sent.count > 1)
    #expect(sent.allSatisfy { $0.packet.count <= 1472 })
  }

  @Test func `plans go by identity and by name, with what they had to say`() throws {
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

  @Test func `a property that is gone is not sent, and is when it is back`() throws {
    let stage = Stage()
    stage.host.notice(stage.x, PropertyState(1))
    try stage.host.add(.sendOSC(stage.x))
    stage.frame()
    stage.host.notice(stage.x, PropertyState(2))
    stage.host.notice(stage.x, nil)
    #expect(stage.frame().isEmpty)
    stage.host.notice(stage.x, PropertyState(5))
    for _ in 1...2 where stage.host.wantsUpdate { stage.frame() }
    #expect(!stage.host.wantsUpdate)
  }

  @Test func `a network that is gone is tried a few times, and gets the last value when it is back in time`() throws {
    let stage = Stage()
    stage.host.notice(stage.x, PropertyState(1))
    try stage.host.add(.sendOSC(stage.x))
    stage.transport.isFailing = true
    #expect(stage.frame().isEmpty)
    #expect(stage.host.wantsUpdate)
    stage.transport.isFailing = false
    var packets: [[UInt8]] = []
    for _ in 1...4 { packets += stage.frame().map(\.packet) }
    #expect(packets == [stage.bundle(("/ball/x", [1]))])
    stage.transport.isFailing = true
    stage.host.notice(stage.x, PropertyState(2))
    var frames = 0
    while stage.host.wantsUpdate, frames < 64 {
      stage.frame()
      frames += 1
    }
    #expect(frames < 64, "it gives up, so that everything can rest")
    #expect(stage.host.plans.count == 1 && stage.host.reports.isEmpty, "and the plan is none the worse")
  }

  @Test func `a host that is not found fails the plan, with a remedy`() throws {
    let stage = Stage()
    let refusal = #expect(throws: Refusal.self) { try stage.host.add(.sendOSC(stage.x, host: "nowhere")) }
    #expect(refusal?.field == "host" && refusal?.remedy.isEmpty == false)
  }
}
