import MotionCore
import MotionModel
import MotionTestKit
import MotionWire
import Testing
import ZeroMQ

@testable import MotionCoordinator

/// The state that subscribers of overlapping topics derive from their messages, compared with the runtime, after random
/// actions.
struct PublisherRandomTests {
  /// The state that a subscriber of one topic has.
  private struct View {
    var names: [PropertyHandle: NamedProperty] = [:]
    var states: [PropertyHandle: [Double]] = [:]
    var sequence: UInt64 = 0
  }

  private static let topics = ["v/", "m/", "v/a", "m/b", "v/a/position", "v/c/opacity", "m/c/opacity"]
  private static let targets: [TargetName] = ["a", "b", "c"]

  @Test func `each subscriber of any topic has exactly the existing properties and their values`() throws {
    let seed = SeededRandom.seed(of: "PublisherRandomTests")
    var random = SeededRandom(seed: seed)
    let context = try ZeroMQContext()
    let socket = try PublishSocket(context, .reportsAllSubscriptions(true))
    let subscriber = try SubscribeSocket(context)
    let endpoint = try Endpoint("inproc://random-values")
    try socket.bind(endpoint)
    try subscriber.connect(endpoint)
    let (runtime, publisher) = (Runtime(ratePerSecond: 100), Publisher(socket, epoch: 7))
    var views: [String: View] = [:]
    for step in 0..<1500 {
      let place: Comment = "seed \(seed), step \(step)"
      let topic = Self.topics[Int.random(in: 0..<Self.topics.count, using: &random)]
      let kind = Int.random(in: 0..<8, using: &random)
      // Some subscribe when a frame has run that is not published yet.
      if kind == 0, Bool.random(using: &random) { runtime.advance() }
      switch kind {
      case 0 where views[topic] == nil:
        try subscriber.subscribe(Topic.subscription(topic))
        try awaitSubscription(socket)
        publisher.subscribed(Topic.subscription(topic), to: runtime, at: .zero)
        views[topic] = View()
      case 0:
        // Another subscriber of the same topic.
        publisher.subscribed(Topic.subscription(topic), to: runtime, at: .zero)
      case 1 where Int.random(in: 0..<3, using: &random) == 0 && views[topic] != nil:
        try subscriber.unsubscribe(Topic.subscription(topic))
        try awaitSubscription(socket)
        publisher.unsubscribed(Topic.subscription(topic), from: runtime)
        views[topic] = nil
      case 2: runtime.applyNow(.stop([Self.targets[Int.random(in: 0..<3, using: &random)]]))
      case 3, 4:
        try runtime.commit(transaction(&random))
        continue
      default: runtime.advance()
      }
      publisher.publish(runtime, at: .zero)
      try hear(subscriber, &views, place)
      for (topic, view) in views { check(view, topic, runtime, place) }
    }
  }

  private func awaitSubscription(_ socket: PublishSocket) throws {
    let poller = Poller()
    _ = poller.add(socket)
    #expect(try poller.poll(timeout: .seconds(10)) == .ready(1))
    #expect(try socket.receiveSubscription().message != nil)
  }

  private func transaction(_ random: inout SeededRandom) -> Transaction {
    var transaction = Transaction()
    for _ in 0...Int.random(in: 0..<3, using: &random) {
      let target = Self.targets[Int.random(in: 0..<3, using: &random)]
      switch Int.random(in: 0..<5, using: &random) {
      case 0: transaction.forget(target)
      case 1: transaction.add(.springTo("opacity", [Double.random(in: 0...1, using: &random)]), to: target)
      default:
        let place = Lanes(SIMD4(.random(in: 0...9, using: &random), 1, 0, 0), count: 2)
        transaction.add(.springTo("position", place), to: target)
      }
    }
    return transaction
  }

  private func hear(_ subscriber: SubscribeSocket, _ views: inout [String: View], _ place: Comment) throws {
    while let message = try subscriber.receiveOne().message {
      let (topic, bytes) = try Topic.split(message.bytes)
      let envelope = try Envelope(decoding: Array(bytes))
      guard var view = views[topic] else { continue }
      switch envelope.body {
      case .names(let names): for name in names { view.names[name.handle] = name }
      case .values(let values):
        if values.isComplete {
          if values.part == 0 { view.states = [:] }
          view.sequence = envelope.sequence
        } else {
          #expect(envelope.sequence == view.sequence + 1, place)
          view.sequence += 1
        }
        for handle in values.forgotten {
          #expect(view.names[handle] != nil, "\(topic): forgotten, never named; \(place)")
          (view.states[handle], view.names[handle]) = (nil, nil)
        }
        var lane = 0
        for (handle, count) in zip(values.handles, values.counts) {
          #expect(view.names[handle]?.lanes == Int(count), "\(topic): not named; \(place)")
          let range = lane..<lane + Int(count)
          view.states[handle] = Array(values.lanes[range])
          if !values.velocities.isEmpty { view.states[handle]? += values.velocities[range] }
          lane = range.upperBound
        }
      default: Issue.record("\(envelope.body)")
      }
      views[topic] = view
    }
  }

  private func check(_ view: View, _ topic: String, _ runtime: Runtime, _ place: Comment) {
    guard let interest = try? Interest(topic: topic), let scope = interest.scope else { return }
    var expected: [PropertyHandle: [Double]] = [:]
    for change in runtime.allProperties where scope.contains(change.reference) {
      expected[change.handle] = change.state.value.array + (interest.hasVelocities ? change.state.velocity.array : [])
      #expect(view.names[change.handle]?.reference == change.reference, "\(topic); \(place)")
    }
    #expect(view.states == expected, "\(topic); \(place)")
  }
}
