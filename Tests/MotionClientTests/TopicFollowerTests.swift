import MotionModel
import MotionWire
import Testing

@testable import MotionClient

/// What a subscriber hears, and what it is told of it. `n` is the sequence.
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

  /// What is told of an envelope: value, missed messages, and whether it subscribes anew.
  private func hear(
    _ follower: inout TopicFollower, _ sequence: UInt64, _ body: Envelope.Body, at now: Duration = .zero
  ) -> (value: Double?, missed: UInt64?, resubscribes: Bool) {
    let outcome = follower.receive(Envelope(epoch: 1, sequence: sequence, body), now: now)
    guard case .values(let frame)? = outcome.event else { return (nil, nil, outcome.resubscribes) }
    return (frame[ball]?.value[0], frame.missed, outcome.resubscribes)
  }

  @Test func beginsWithTheCompleteValues() {
    var follower = TopicFollower(.values(.everything), now: .zero)
    #expect(!follower.isSynchronised)
    #expect(hear(&follower, 4, values(9, 0.4)).value == nil)
    _ = follower.receive(Envelope(epoch: 1, sequence: 5, names), now: .zero)
    let first = hear(&follower, 5, values(10, 0.5, complete: true))
    #expect(first == (0.5, 0, false))
    #expect(follower.isSynchronised)
    #expect(hear(&follower, 6, values(11, 0.6)) == (0.6, 0, false))
  }

  @Test func ignoresWhatIsSaidAgain() {
    var follower = joined()
    _ = hear(&follower, 6, values(11, 0.6))
    #expect(hear(&follower, 6, values(11, 0.6)) == (nil, nil, false))
    #expect(hear(&follower, 6, values(11, 0.6, complete: true)) == (nil, nil, false))
    #expect(hear(&follower, 4, values(9, 0.4)) == (nil, nil, false))
  }

  @Test func tellsAGapOnceAndHealsIt() {
    var follower = joined()
    #expect(hear(&follower, 9, values(14, 0.9)) == (0.9, 3, true))
    #expect(!follower.isSynchronised)
    // Still healing: what is known is told, and it is not asked anew with every message.
    #expect(hear(&follower, 11, values(16, 0.7)) == (0.7, 1, false))
    #expect(hear(&follower, 12, values(17, 0.8, complete: true)) == (0.8, 1, false))
    #expect(follower.isSynchronised)
    #expect(hear(&follower, 13, values(18, 0.9)) == (0.9, 0, false))
  }

  @Test func noticesALostLastMessageByItsRepetition() {
    var follower = joined()
    #expect(hear(&follower, 6, values(11, 0.6)) == (0.6, 0, false))
    // 7 was lost; the quiet topic says it again under its own number: nothing is missing.
    #expect(hear(&follower, 7, values(12, 0.7)) == (0.7, 0, false))
  }

  @Test func asksForTheNameOfAnUnknownHandle() {
    var follower = joined()
    #expect(hear(&follower, 6, values(11, 0.6, handle: 2)) == (nil, 0, true))
    #expect(!follower.isSynchronised)
  }

  @Test func asksAgainMoreAndMoreSeldom() {
    var follower = TopicFollower(.values(.everything), now: .zero)
    let asks = [999, 1000, 2999, 3000].map { follower.elapsed(now: .milliseconds($0)) }
    #expect(asks == [false, true, false, true])
    #expect(follower.nextDue == .seconds(7))
  }

  @Test func dropsArraysThatDoNotFit() {
    var follower = joined()
    let broken = Values(frame: 11, time: 1, dt: 0.1, handles: [PropertyHandle(1)], counts: [3], lanes: [1])
    #expect(hear(&follower, 6, .values(broken)) == (nil, nil, false))
    // The next one is a gap then.
    #expect(hear(&follower, 7, values(12, 0.7)) == (0.7, 1, true))
  }

  @Test func tellsOutcomesAndTheirGaps() {
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

  @Test func tellsVelocitiesAndLateDrivers() throws {
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
