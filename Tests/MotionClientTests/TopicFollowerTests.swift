import MotionModel
import MotionWire
import Testing

@testable import MotionClient

/// The messages that a subscriber receives, and the events that it passes on. `n` is the sequence.
@Suite struct TopicFollowerTests {
  private let ball = PropertyReference("ball", "opacity")
  private let names = Envelope.Body.names([
    NamedProperty(handle: PropertyHandle(1), reference: PropertyReference("ball", "opacity"), lanes: 1)
  ])

  private func values(_ frame: UInt64, _ value: Double, complete: Bool = false, handle: UInt32 = 1) -> Envelope.Body {
    .values(
      Values(
        frame: frame, time: Double(frame) / 10, dt: 0.1, handles: [PropertyHandle(handle)], counts: [1],
        lanes: [value], isComplete: complete))
  }

  private func joined() -> TopicFollower {
    var follower = TopicFollower(.values(.everything), now: .zero)
    _ = follower.receive(Envelope(epoch: 1, sequence: 5, names), now: .zero)
    _ = follower.receive(Envelope(epoch: 1, sequence: 5, values(10, 0.5, complete: true)), now: .zero)
    return follower
  }

  /// The result of an envelope: value, missed messages, and whether it subscribes again.
  private func hear(
    _ follower: inout TopicFollower, _ sequence: UInt64, _ body: Envelope.Body, at now: Duration = .zero
  ) -> (value: Double?, missed: UInt64?, resubscribes: Bool) {
    let outcome = follower.receive(Envelope(epoch: 1, sequence: sequence, body), now: now)
    guard case .values(let frame)? = outcome.event else { return (nil, nil, outcome.resubscribes) }
    return (frame[ball]?.value[0], frame.missed, outcome.resubscribes)
  }

  @Test func `a follower passes on values from the first complete ones on`() {
    var follower = TopicFollower(.values(.everything), now: .zero)
    #expect(!follower.isSynchronised)
    #expect(hear(&follower, 4, values(9, 0.4)).value == nil)
    _ = follower.receive(Envelope(epoch: 1, sequence: 5, names), now: .zero)
    let first = hear(&follower, 5, values(10, 0.5, complete: true))
    #expect(first == (0.5, 0, false))
    #expect(follower.isSynchronised)
    #expect(hear(&follower, 6, values(11, 0.6)) == (0.6, 0, false))
  }

  private let box = PropertyReference("box", "opacity")
  private let bothNames = Envelope.Body.names([
    NamedProperty(handle: PropertyHandle(1), reference: PropertyReference("ball", "opacity"), lanes: 1),
    NamedProperty(handle: PropertyHandle(2), reference: PropertyReference("box", "opacity"), lanes: 1),
  ])

  /// One of the messages of a frame: of the ball if it is the first, else of the box.
  private func part(
    _ part: UInt32, of frame: UInt64, complete: Bool = false, more: Bool, forgotten: [PropertyHandle] = []
  ) -> Envelope.Body {
    .values(
      Values(
        frame: frame, time: 1, dt: 0.1, handles: [PropertyHandle(part == 0 ? 1 : 2)], counts: [1],
        lanes: [Double(frame)], isComplete: complete, forgotten: forgotten, part: part, hasMore: more))
  }

  private func tell(_ follower: inout TopicFollower, _ sequence: UInt64, _ body: Envelope.Body) -> FrameValues? {
    guard case .values(let frame)? = follower.receive(Envelope(epoch: 1, sequence: sequence, body), now: .zero).event
    else { return nil }
    return frame
  }

  @Test func `values in several messages are joined to one frame`() {
    var follower = TopicFollower(.values(.everything), now: .zero)
    _ = tell(&follower, 5, bothNames)
    #expect(tell(&follower, 5, part(0, of: 10, complete: true, more: true)) == nil)
    #expect(!follower.isSynchronised)
    let complete = tell(&follower, 5, part(1, of: 10, complete: true, more: false))
    #expect(complete?.properties.map(\.reference) == [ball, box] && complete?.isComplete == true)
    #expect(follower.isSynchronised)
    #expect(tell(&follower, 6, part(0, of: 11, more: true)) == nil)
    let frame = tell(&follower, 7, part(1, of: 11, more: false))
    #expect(frame?.properties.map(\.reference) == [ball, box] && frame?.missed == 0 && frame?.frame == 11)
    // Its end is resent under the same number.
    #expect(tell(&follower, 7, part(1, of: 11, more: false)) == nil)
  }

  @Test func `complete values with a lost part are not passed on, and requested again`() {
    var follower = TopicFollower(.values(.everything), now: .zero)
    _ = tell(&follower, 5, bothNames)
    #expect(tell(&follower, 5, part(1, of: 10, complete: true, more: false)) == nil)
    #expect(!follower.isSynchronised)
    let asksAnew = follower.elapsed(now: .seconds(1))
    #expect(asksAnew)
    _ = tell(&follower, 5, part(0, of: 10, complete: true, more: true))
    #expect(tell(&follower, 5, part(2, of: 10, complete: true, more: false)) == nil)
    #expect(!follower.isSynchronised)
  }

  @Test func `a frame with a lost end counts as missed`() {
    var follower = TopicFollower(.values(.everything), now: .zero)
    _ = tell(&follower, 5, bothNames)
    _ = tell(&follower, 5, part(0, of: 10, complete: true, more: false))
    #expect(tell(&follower, 6, part(0, of: 11, more: true)) == nil)
    let next = tell(&follower, 8, part(0, of: 12, more: false))
    #expect(next?.properties.map(\.value) == [12] && next?.missed == 1)
    #expect(!follower.isSynchronised)
  }

  @Test func `forgotten properties are passed on, and their names removed`() {
    var follower = joined()
    let frame = tell(&follower, 6, .values(Values(frame: 11, time: 1, dt: 0.1, forgotten: [PropertyHandle(1)])))
    #expect(frame?.forgotten == [ball] && frame?.properties.isEmpty == true)
    // The name is removed with it: the handle has no meaning any more.
    let later = tell(&follower, 7, values(12, 1))
    #expect(later?.properties.isEmpty == true)
    #expect(!follower.isSynchronised)
  }

  @Test func `repeated messages are ignored`() {
    var follower = joined()
    _ = hear(&follower, 6, values(11, 0.6))
    #expect(hear(&follower, 6, values(11, 0.6)) == (nil, nil, false))
    #expect(hear(&follower, 6, values(11, 0.6, complete: true)) == (nil, nil, false))
    #expect(hear(&follower, 4, values(9, 0.4)) == (nil, nil, false))
  }

  @Test func `a gap is reported once and healed by complete values`() {
    var follower = joined()
    #expect(hear(&follower, 9, values(14, 0.9)) == (0.9, 3, true))
    #expect(!follower.isSynchronised)
    // Still recovering: known properties are passed on, and it does not subscribe again with every message.
    #expect(hear(&follower, 11, values(16, 0.7)) == (0.7, 1, false))
    #expect(hear(&follower, 12, values(17, 0.8, complete: true)) == (0.8, 1, false))
    #expect(follower.isSynchronised)
    #expect(hear(&follower, 13, values(18, 0.9)) == (0.9, 0, false))
  }

  @Test func `a resent last message fills its own gap`() {
    var follower = joined()
    #expect(hear(&follower, 6, values(11, 0.6)) == (0.6, 0, false))
    // 7 was lost; the quiet topic resends it under its own number: nothing is missing.
    #expect(hear(&follower, 7, values(12, 0.7)) == (0.7, 0, false))
  }

  @Test func `an unknown handle causes another subscription for its name`() {
    var follower = joined()
    #expect(hear(&follower, 6, values(11, 0.6, handle: 2)) == (nil, 0, true))
    #expect(!follower.isSynchronised)
  }

  @Test func `unanswered subscriptions are repeated at growing intervals`() {
    var follower = TopicFollower(.values(.everything), now: .zero)
    let asks = [999, 1000, 2999, 3000].map { follower.elapsed(now: .milliseconds($0)) }
    #expect(asks == [false, true, false, true])
    #expect(follower.nextDue == .seconds(7))
  }

  @Test func `arrays of inconsistent length are dropped and count as a gap`() {
    var follower = joined()
    let broken = Values(frame: 11, time: 1, dt: 0.1, handles: [PropertyHandle(1)], counts: [3], lanes: [1])
    #expect(hear(&follower, 6, .values(broken)) == (nil, nil, false))
    // The next one is a gap then.
    #expect(hear(&follower, 7, values(12, 0.7)) == (0.7, 1, true))
  }

  @Test func `outcomes are passed on with their gaps`() {
    var follower = TopicFollower(.outcomes(nil), now: .zero)
    let ended = EndedIntention(
      identity: IntentionIdentity(sequence: 1, operation: 0), target: "ball", type: "Tween", name: nil, frame: 3,
      outcome: .completed)
    #expect(follower.isSynchronised)
    func hear(_ sequence: UInt64) -> ValueSubscription.Event? {
      follower.receive(Envelope(epoch: 1, sequence: sequence, .ended([ended])), now: .zero).event
    }
    #expect(hear(4) == .ended([ended], missed: 0))
    #expect(hear(4) == nil)
    #expect(hear(7) == .ended([ended], missed: 2))
  }

  @Test func `driver changes are passed on with their gaps`() {
    var follower = TopicFollower(.drivers(.target("ball")), now: .zero)
    let change = DriverChange(PropertyReference("ball", "position"), frame: 3, time: 0.5, driver: nil)
    #expect(follower.isSynchronised)
    func hear(_ sequence: UInt64, _ changes: [DriverChange]) -> ValueSubscription.Event? {
      follower.receive(Envelope(epoch: 1, sequence: sequence, .drivers(changes)), now: .zero).event
    }
    #expect(hear(4, [change]) == .handedOver([change], missed: 0))
    #expect(hear(4, [change]) == nil)
    #expect(hear(5, []) == nil)
    #expect(hear(8, [change]) == .handedOver([change], missed: 2))
  }

  @Test func `velocities and late drivers are passed on`() throws {
    var follower = TopicFollower(.motion(.everything), now: .zero)
    _ = follower.receive(Envelope(epoch: 1, sequence: 1, names), now: .zero)
    let values = Values(
      frame: 1, time: 0.1, dt: 0.1, handles: [PropertyHandle(1)], counts: [1], lanes: [0.5], velocities: [2],
      late: [PropertyHandle(1)], isComplete: true)
    let outcome = follower.receive(Envelope(epoch: 1, sequence: 1, .values(values)), now: .zero)
    guard case .values(let frame)? = outcome.event else {
      Issue.record("complete values have to be told")
      return
    }
    let property = try #require(frame[ball])
    #expect(property == PropertyValue(reference: ball, value: 0.5, velocity: 2, isLate: true))
  }
}
