import MotionCore
import MotionModel
import MotionWire
import Testing
import ZeroMQ

@testable import MotionCoordinator

/// A publisher and one subscriber, without a process or a wait between them.
struct PublisherTests {
  private let socket: PublishSocket
  private let subscriber: SubscribeSocket
  private let publisher: Publisher
  private let runtime = Runtime(ratePerSecond: 100)

  init() throws {
    let context = try ZeroMQContext()
    socket = try PublishSocket(context, .reportsAllSubscriptions(true))
    subscriber = try SubscribeSocket(context)
    let endpoint = try Endpoint("inproc://values")
    try socket.bind(endpoint)
    try subscriber.connect(endpoint)
    publisher = Publisher(socket, epoch: 7)
  }

  private func receiveSubscriptions(at now: Duration = .zero) throws {
    let poller = Poller()
    _ = poller.add(socket)
    #expect(try poller.poll(timeout: .seconds(10)) == .ready(1))
    while let event = try socket.receiveSubscription().message {
      switch event {
      case .subscribed(let topic): publisher.subscribed(topic, to: runtime, at: now)
      case .unsubscribed(let topic): publisher.unsubscribed(topic, from: runtime)
      }
    }
  }

  private func subscribe(_ topic: String) throws {
    try subscriber.subscribe(Topic.subscription(topic))
    try receiveSubscriptions()
  }

  /// The messages that have arrived: inproc delivers messages when they are sent.
  private func received() throws -> [(topic: String, envelope: Envelope)] {
    var received: [(String, Envelope)] = []
    while let message = try subscriber.receiveOne().message {
      let (topic, bytes) = try Topic.split(message.bytes)
      received.append((topic, try Envelope(decoding: Array(bytes))))
    }
    return received
  }

  private func spring(_ target: TargetName) throws {
    var transaction = Transaction()
    transaction.add(.springTo("position", [100, 50]), to: target)
    try runtime.commit(transaction)
  }

  private func frame(at now: Duration = .zero) {
    runtime.advance()
    publisher.publish(runtime, at: now)
  }

  @Test func `nothing is sent without subscribers`() throws {
    try spring("ball")
    frame()
    #expect(publisher.messages == 0)
    #expect(publisher.nextDeadline == nil)
  }

  @Test func `a change of driver is sent to subscribers of the property, of its target, and of everything`() throws {
    let heard = DriverChange(PropertyReference("ball", "position"), frame: 3, time: 0.5, driver: nil)
    let other = DriverChange(PropertyReference("lamp", "opacity"), frame: 3, time: 0.5, driver: nil)
    #expect(!publisher.tellsDrivers)
    publisher.publish([heard, other], at: .zero)
    for topic in ["d/", "d/ball", "d/ball/position", "d/lamp/position", "o/"] { try subscribe(topic) }
    #expect(publisher.tellsDrivers)
    publisher.publish([heard, other], at: .zero)
    let received = try received()
    let told = Dictionary(uniqueKeysWithValues: received.map { ($0.topic, $0.envelope.body) })
    #expect(
      told == ["d/": .drivers([heard, other]), "d/ball": .drivers([heard]), "d/ball/position": .drivers([heard])])
    #expect(received.map(\.envelope.sequence) == [1, 1, 1])
    publisher.publish([other], at: .zero)
    let next = try self.received()
    #expect(next.map(\.topic) == ["d/"] && next.map(\.envelope.sequence) == [2])
  }

  @Test func `a subscriber receives names, then complete values, then numbered changes`() throws {
    try spring("ball")
    frame()
    try subscribe("v/ball")
    frame()
    frame()
    let envelopes = try received().map(\.envelope)
    try #require(envelopes.count == 4)
    guard case .names(let names) = envelopes[0].body, case .values(let complete) = envelopes[1].body,
      case .values(let first) = envelopes[2].body
    else {
      Issue.record("heard \(envelopes)")
      return
    }
    #expect(names.map(\.reference) == [PropertyReference("ball", "position")])
    #expect(complete.isComplete && complete.handles == names.map(\.handle) && complete.frame == 1)
    #expect(!first.isComplete && first.frame == 2 && first.lanes.count == 2 && first.velocities.isEmpty)
    #expect(envelopes.map(\.sequence) == [0, 0, 1, 2])
    #expect(envelopes.allSatisfy { $0.epoch == 7 })
  }

  @Test func `a new property is named before its first value`() throws {
    try subscribe("m/")
    try spring("ball")
    frame()
    let bodies = try received().dropFirst(2).map(\.envelope.body)
    try #require(bodies.count == 2)
    guard case .names(let names) = bodies[0], case .values(let values) = bodies[1] else {
      Issue.record("heard \(bodies)")
      return
    }
    #expect(names.map(\.handle) == values.handles)
    #expect(values.velocities.count == 2)
  }

  @Test func `each topic receives only its own properties`() throws {
    try spring("ball")
    try spring("box")
    frame()
    for topic in ["v/", "v/ball", "v/box/position"] { try subscribe(topic) }
    _ = try received()
    frame()
    var properties: [String: Int] = [:]
    for (topic, envelope) in try received() {
      if case .values(let values) = envelope.body { properties[topic, default: 0] += values.handles.count }
    }
    #expect(properties == ["v/": 2, "v/ball": 1, "v/box/position": 1])
  }

  @Test func `a topic without new values resends its last message twice, with the same number`() throws {
    try spring("ball")
    try subscribe("v/ball")
    frame(at: .seconds(5))
    _ = try received()
    #expect(publisher.nextDeadline == .milliseconds(5100))
    publisher.deadline(at: .milliseconds(5100))
    publisher.deadline(at: .milliseconds(5500))
    publisher.deadline(at: .seconds(6))
    publisher.deadline(at: .seconds(100))
    let again = try received().map(\.envelope)
    #expect(again.map(\.sequence) == [1, 1] && again.map(\.sent) == [5_100_000_000, 6_000_000_000])
    #expect(publisher.nextDeadline == nil)
  }

  @Test func `each subscription gets complete values, without forgotten properties`() throws {
    try spring("ball")
    try spring("box")
    frame()
    try subscribe("v/")
    _ = try received()
    var transaction = Transaction()
    transaction.forget("ball")
    try runtime.commit(transaction)
    frame()
    _ = try received()
    publisher.subscribed(Topic.subscription("v/"), to: runtime, at: .zero)
    let bodies = try received().map(\.envelope.body)
    guard case .names(let names)? = bodies.first, case .values(let values)? = bodies.last else {
      Issue.record("heard \(bodies)")
      return
    }
    #expect(names.map(\.reference.target) == ["box"])
    #expect(values.isComplete && values.handles.count == 1)
  }

  @Test func `values that do not fit in a message are sent in several, each within the limit`() throws {
    let count = 10_000
    var transaction = Transaction()
    for number in 0..<count { transaction.add(.springTo("opacity", 0), to: try TargetName("t\(number)")) }
    try runtime.commit(transaction)
    runtime.advance()
    try subscribe("m/")
    let first = try collect()
    #expect(first.named.count == count && first.known == first.named)
    // 10,000 times 22 bytes at most.
    #expect(first.parts == [0, 1, 2, 3] && first.sequences == [0, 0, 0, 0] && first.complete == 4)
    frame()
    let second = try collect()
    #expect(second.named.isEmpty && second.known == first.known)
    #expect(second.parts == [0, 1, 2, 3] && second.sequences == [1, 2, 3, 4] && second.complete == 0)
  }

  /// The content of one frame, or of complete values; each message but the last has to announce that another one
  /// follows.
  private func collect() throws -> (
    named: Set<PropertyHandle>, known: Set<PropertyHandle>, parts: [UInt32], sequences: [UInt64], complete: Int
  ) {
    var (named, known) = (Set<PropertyHandle>(), Set<PropertyHandle>())
    var (parts, more, sequences, complete) = ([UInt32](), [Bool](), [UInt64](), 0)
    while let message = try subscriber.receiveOne().message {
      #expect(message.count <= 65_536)
      let envelope = try Envelope(decoding: Array(try Topic.split(message.bytes).message))
      if case .names(let names) = envelope.body { named.formUnion(names.map(\.handle)) }
      guard case .values(let values) = envelope.body else { continue }
      known.formUnion(values.handles)
      parts.append(values.part)
      more.append(values.hasMore)
      sequences.append(envelope.sequence)
      complete += values.isComplete ? 1 : 0
    }
    #expect(more == more.indices.map { $0 < more.count - 1 })
    return (named, known, parts, sequences, complete)
  }

  @Test func `a forgotten property is reported once to its subscribers, before new ones`() throws {
    try spring("ball")
    try spring("box")
    frame()
    for topic in ["v/", "v/ball", "m/box"] { try subscribe(topic) }
    let names = try received().compactMap { if case .names(let names) = $0.envelope.body { names } else { nil } }
    let ball = try #require(names.joined().first { $0.reference.target == "ball" }?.handle)
    var transaction = Transaction()
    transaction.forget("ball")
    transaction.add(.springTo("position", [1, 1]), to: "ball")
    try runtime.commit(transaction)
    frame()
    var forgotten: [String: [PropertyHandle]] = [:]
    for (topic, envelope) in try received() {
      guard case .values(let values) = envelope.body else { continue }
      forgotten[topic, default: []] += values.forgotten
      #expect(!values.handles.contains(ball))
    }
    #expect(forgotten == ["v/": [ball], "v/ball": [ball], "m/box": []])
    frame()
    for (_, envelope) in try received() {
      if case .values(let values) = envelope.body { #expect(values.forgotten.isEmpty) }
    }
  }

  @Test func `a target that is forgotten while nothing moves is reported`() throws {
    try spring("ball")
    frame()
    while runtime.wantsFrames { frame() }
    try subscribe("v/")
    _ = try received()
    var transaction = Transaction()
    transaction.forget("ball")
    try runtime.commit(transaction)
    frame()
    let envelopes = try received().map(\.envelope)
    guard envelopes.count == 1, case .values(let values) = envelopes[0].body else {
      Issue.record("heard \(envelopes)")
      return
    }
    #expect(values.forgotten.count == 1 && values.handles.isEmpty && envelopes[0].sequence > 0)
  }

  @Test func `nothing is sent after the last unsubscription, and an invalid topic is refused`() throws {
    try spring("ball")
    try subscribe("v/ball")
    try subscriber.unsubscribe(Topic.subscription("v/ball"))
    try receiveSubscriptions()
    let sent = publisher.messages
    frame()
    #expect(publisher.messages == sent)
    #expect(publisher.topics == 0)
    publisher.subscribed(Array("x/ball".utf8) + [0], to: runtime, at: .zero)
    publisher.subscribed([], to: runtime, at: .zero)
    #expect(publisher.refusedSubscriptions == 2)
  }
}
