import FakeCoordinator
import LinuxSystem
import MotionModel
import MotionWire
import Testing

@testable import MotionClient

/// Subscriptions against the coordinator's side of their sockets, over ipc.
@Suite(.timeLimit(.minutes(1))) struct ValueSubscriptionTests {
  private let timeout = Duration.seconds(30)
  private let names = [
    NamedProperty(handle: PropertyHandle(7), reference: PropertyReference("ball", "position"), lanes: 2)
  ]

  private func values(_ frame: UInt64, _ x: Double, _ y: Double) -> Values {
    Values(
      frame: frame, time: Double(frame) * 0.5, dt: 0.5, handles: [PropertyHandle(7)], counts: [2], lanes: [x, y])
  }

  private func frame(_ event: ValueSubscription.Event?) throws -> FrameValues {
    guard case .values(let frame)? = event else {
      throw MotionClientError(.protocolViolation, "\(String(describing: event)) instead of values")
    }
    return frame
  }

  @Test func `a subscription yields complete values, then changes`() throws {
    let coordinator = try FakeCoordinator()
    defer { coordinator.stop() }
    coordinator.declare("v/ball", names, values(3, 1, 2))
    let client = try MotionClient(connectingTo: [coordinator.paths], name: "test")
    let subscription = try client.subscribe(to: [.values(.target("ball"))])
    try subscription.synchronise(timeout: timeout)
    let first = try frame(try subscription.next(timeout: timeout))
    #expect(first.isComplete)
    #expect(first.interest == .values(.target("ball")))
    #expect(first.properties == [PropertyValue(reference: PropertyReference("ball", "position"), value: [1, 2])])
    coordinator.publish("v/ball", values(4, 3, 4))
    let second = try frame(try subscription.next(timeout: timeout))
    #expect(second.frame == 4)
    #expect(second.time == 2)
    #expect(!second.isComplete)
    #expect(second.properties.first?.value == [3, 4])
  }

  @Test func `a readable descriptor ends a wait for events`() throws {
    let coordinator = try FakeCoordinator()
    defer { coordinator.stop() }
    coordinator.declare("v/ball", names, values(3, 1, 2))
    let client = try MotionClient(connectingTo: [coordinator.paths], name: "test")
    let subscription = try client.subscribe(to: [.values(.target("ball"))])
    try subscription.synchronise(timeout: timeout)
    _ = try subscription.next(timeout: timeout)
    let counter = try EventCounter()
    subscription.wakes(for: counter.descriptor)
    counter.signal()
    let start = BootClock.now
    #expect(try subscription.next(timeout: timeout) == nil)
    #expect(BootClock.now - start < timeout)
    counter.drain()
    coordinator.publish("v/ball", values(4, 3, 4))
    #expect(try frame(try subscription.next(timeout: timeout)).frame == 4)
  }

  @Test func `values that do not arrive are named as a person would`() throws {
    let coordinator = try FakeCoordinator()
    let client = try MotionClient(connectingTo: [coordinator.paths], name: "test")
    coordinator.stop()
    let interests: [Interest] = [
      .values(.target("secret")), .motion(.property(PropertyReference("ball", "x"))), .values(.everything),
    ]
    let subscription = try client.subscribe(to: interests)
    let error = #expect(throws: MotionClientError.self) { try subscription.synchronise(timeout: .zero) }
    let missing = "the values and velocities of ball/x, the values of all targets, the values of secret"
    #expect(error?.message == "\(missing) were not received in time")
  }

  @Test func `a gap causes another subscription, which yields complete values`() throws {
    let coordinator = try FakeCoordinator()
    defer { coordinator.stop() }
    coordinator.declare("v/", names, values(3, 1, 2))
    let client = try MotionClient(connectingTo: [coordinator.paths], name: "test")
    let subscription = try client.subscribe(to: [.values(.everything)])
    _ = try subscription.next(timeout: timeout)
    coordinator.publish("v/", values(4, 3, 4), isLost: true)
    coordinator.publish("v/", values(5, 5, 6))
    let late = try frame(try subscription.next(timeout: timeout))
    #expect(late.missed == 1)
    let healed = try frame(try subscription.next(timeout: timeout))
    #expect(healed.isComplete)
    #expect(healed.missed == 0)
    #expect(healed.properties.first?.value == [5, 6])
    #expect(coordinator.subscriptions == ["v/", "v/"])
    #expect(subscription.isSynchronised)
  }

  /// Down, too: a daemon whose state directory was deleted counts from 1 again.
  @Test(arguments: [(before: 1, after: 2), (before: 7, after: 1)] as [(before: UInt64, after: UInt64)])
  func `a restart of the daemon is reported, and then its values`(epochs: (before: UInt64, after: UInt64)) throws {
    let first = try FakeCoordinator(epoch: epochs.before)
    first.declare("v/", names, values(30, 1, 2))
    let client = try MotionClient(connectingTo: [first.paths], name: "test")
    let subscription = try client.subscribe(to: [.values(.everything)])
    _ = try subscription.next(timeout: timeout)
    first.stop(keepsDirectory: true)
    let second = try FakeCoordinator(directory: first.paths.directory, epoch: epochs.after)
    defer { second.stop() }
    second.declare("v/", names, values(1, 8, 9))
    // The socket subscribes by itself when it is reconnected. The declared properties are known by then or requested
    // again.
    #expect(try subscription.next(timeout: timeout) == .restarted(epoch: epochs.after))
    var event = try frame(try subscription.next(timeout: timeout))
    if event.properties.isEmpty {
      second.publish("v/", values(2, 8, 9))
      event = try frame(try subscription.next(timeout: timeout))
      if event.properties.isEmpty { event = try frame(try subscription.next(timeout: timeout)) }
    }
    #expect(event.properties.first?.value == [8, 9])
  }

  @Test func `outcomes of plans are received`() throws {
    let coordinator = try FakeCoordinator()
    defer { coordinator.stop() }
    coordinator.declare("v/", [], Values(frame: 0, time: 0, dt: 0))
    let client = try MotionClient(connectingTo: [coordinator.paths], name: "test")
    // The values are complete when the coordinator has both subscriptions: one connection, in this order.
    let subscription = try client.subscribe(to: [.outcomes(nil), .values(.everything)])
    try subscription.synchronise(timeout: timeout)
    _ = try subscription.next(timeout: timeout)
    let ended = EndedIntention(
      identity: IntentionIdentity(sequence: 2, operation: 1), target: "ball", type: "Tween", name: "fade", frame: 8,
      outcome: .displaced)
    coordinator.publish("o/", [ended])
    #expect(try subscription.next(timeout: timeout) == .ended([ended], missed: 0))
  }

  @Test func `next returns nothing at its timeout`() throws {
    let coordinator = try FakeCoordinator()
    defer { coordinator.stop() }
    let client = try MotionClient(connectingTo: [coordinator.paths], name: "test")
    let subscription = try client.subscribe(to: [.outcomes(nil)])
    #expect(try subscription.next(timeout: .milliseconds(20)) == nil)
  }
}
