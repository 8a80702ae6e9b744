import MotionClient
import MotionFiles
import MotionModel
import MotionWire
import Testing

@testable import MotionStudio

/// The conversation with a viewer: messages, events and times in, actions out.
struct LiveConversationTests {
  private let ball = PropertyReference("ball", "position")

  private func instant(_ milliseconds: Int64) -> LiveConversation.Instant {
    .init(now: .milliseconds(milliseconds), wallTime: UInt64(milliseconds) * 1_000_000)
  }

  /// A conversation with a channel for the ball, and the actions so far dropped.
  private func conversation(mayChange: Bool = true) -> TestConversation {
    let conversation = TestConversation(LiveConversation(mayChange: mayChange))
    _ = conversation.elapsed(at: instant(0), hasRoom: true)
    _ = conversation.take(properties: [ball])
    return conversation
  }

  private func values(_ frame: UInt64, missed: UInt64 = 0) -> ValueSubscription.Event {
    .values(
      FrameValues(
        interest: .motion(.property(ball)), frame: frame, time: Double(frame), dt: 1,
        properties: [PropertyValue(reference: ball, value: [1], velocity: [2])], missed: missed))
  }

  private func data(_ actions: [LiveConversation.Action]) -> [[UInt8]] {
    actions.compactMap {
      if case .send(.binary(let bytes)) = $0, bytes.first == 1 { Array(bytes.dropFirst(13)) } else { nil }
    }
  }

  private func sample(_ frame: UInt64, omitted: UInt64 = 0) -> [UInt8] {
    SampleMessage.property(PropertyState([1], velocity: [2]), frame: frame, time: Double(frame), omitted: omitted)
  }

  // Clauses: S30.5
  @Test func `a subscription to a channel follows its property, and ends with the last one`() {
    let conversation = conversation()
    let interest = Interest.motion(.property(ball))
    let steps: [[LiveConversation.Action]] = [
      conversation.receive(.subscribe([.init(id: 1, channel: 64)])),
      conversation.receive(.subscribe([.init(id: 2, channel: 64)])), conversation.receive(.unsubscribe([1])),
      conversation.receive(.unsubscribe([2])),
    ]
    // Another subscription needs complete values.
    #expect(steps == [[.follow(interest)], [.unfollow(interest), .follow(interest)], [], [.unfollow(interest)]])
    for message in [
      ViewerMessage.unsubscribe([2]), .subscribe([.init(id: 1, channel: 65)]),
    ] {
      guard case .send(.text(let text))? = conversation.receive(message).first else {
        Issue.record("no warning")
        return
      }
      #expect(text.contains(#""level":1"#))
    }
  }

  // Clauses: S30.6
  @Test func `the newest value is sent once in a sixtieth of a second, with a count of those left out`() {
    let conversation = conversation()
    _ = conversation.receive(.subscribe([.init(id: 1, channel: 64)]))
    _ = conversation.receive(values(1), at: instant(100))
    #expect(data(conversation.elapsed(at: instant(100), hasRoom: true)) == [sample(1)])
    for frame in UInt64(2)...4 { _ = conversation.receive(values(frame), at: instant(101)) }
    #expect(data(conversation.elapsed(at: instant(105), hasRoom: true)) == [])
    #expect(data(conversation.elapsed(at: instant(117), hasRoom: true)) == [sample(4, omitted: 2)])
    #expect(data(conversation.elapsed(at: instant(200), hasRoom: true)) == [])
    // What was lost on the way from motiond counts, too.
    _ = conversation.receive(values(9, missed: 4), at: instant(201))
    #expect(data(conversation.elapsed(at: instant(201), hasRoom: true)) == [sample(9, omitted: 4)])
  }

  // Clauses: S30.21
  @Test func `a viewer gets the values of all its subscriptions in one message, as columns`() {
    let conversation = conversation()
    _ = conversation.receive(
      .subscribe([.init(id: 7, channel: 3), .init(id: 1, channel: 64), .init(id: 2, channel: 64)]))
    for frame in UInt64(1)...3 { _ = conversation.receive(values(frame), at: instant(100)) }
    var columns: [UInt8] = []
    for count: UInt32 in [2, 2] { columns.append(littleEndian: count) }
    // Frames, times, values and velocities of both subscriptions.
    for number: Double in [3, 3, 3, 3, 1, 1, 2, 2] { columns.append(littleEndian: number.bitPattern) }
    // Subscriptions, lanes, and what was left out.
    for number: UInt32 in [1, 2, 1, 1, 2, 2] { columns.append(littleEndian: number) }
    let sent = conversation.elapsed(at: instant(100), hasRoom: true)
    #expect(data(sent) == [columns])
    #expect(conversation.elapsed(at: instant(300), hasRoom: true).allSatisfy { $0 == .request(.status) })
    _ = conversation.receive(.unsubscribe([7]))
    _ = conversation.receive(values(4), at: instant(400))
    #expect(data(conversation.elapsed(at: instant(400), hasRoom: true)) == [sample(4), sample(4)])
  }

  // Clauses: S30.7
  @Test func `a viewer that does not read gets no values, and is stalled after 10 s`() {
    let conversation = conversation()
    _ = conversation.receive(.subscribe([.init(id: 1, channel: 64)]))
    for frame in UInt64(1)...1000 {
      _ = conversation.receive(values(frame), at: instant(Int64(frame) * 9))
      #expect(data(conversation.elapsed(at: instant(Int64(frame) * 9), hasRoom: false)) == [])
    }
    #expect(!conversation.isStalled(at: .milliseconds(10_008)))
    #expect(conversation.isStalled(at: .milliseconds(10_009)))
    #expect(data(conversation.elapsed(at: instant(10_030), hasRoom: true)) == [sample(1000, omitted: 999)])
    #expect(!conversation.isStalled(at: .milliseconds(60_000)))
  }

  // Clauses: S30.7
  @Test func `changes of drivers wait for room up to a limit, and the others are counted`() {
    let conversation = conversation()
    #expect(conversation.receive(.subscribe([.init(id: 1, channel: 1)])) == [.request(.drivers)])
    let change = DriverChange(ball, frame: 1, time: 1, driver: nil)
    for _ in 0..<5000 { _ = conversation.receive(.handedOver([change], missed: 0), at: instant(100)) }
    let actions = conversation.elapsed(at: instant(200), hasRoom: true)
    #expect(data(actions).count == StudioLimits.queuedMessages)
    let text = "\(5000 - StudioLimits.queuedMessages) changes of drivers or lines of the log were dropped"
    #expect(actions.contains(.send(ServerMessage.status(.warning, text))))
  }

  // Clauses: S30.8
  @Test func `a viewer is notified once that motiond is gone, and once that it is back`() {
    let conversation = conversation()
    #expect(conversation.lost(because: "it does not run").count == 1)
    #expect(conversation.lost(because: "no such socket") == [])
    let actions = conversation.take(status: Status(), at: instant(5000))
    #expect(actions.contains(.send(ServerMessage.removeStatus("motiond"))))
    // The channels may have changed meanwhile.
    #expect(conversation.elapsed(at: instant(5000), hasRoom: true).contains(.request(.properties)))
  }

  // Clauses: S30.5
  @Test func `a target that is forgotten before a status counted it is noticed`() {
    let conversation = conversation()
    var status = Status()
    status.counts.properties = 1
    _ = conversation.take(status: status, at: instant(100))
    #expect(conversation.elapsed(at: instant(300), hasRoom: true).contains(.request(.properties)))
    // The answer belongs to a status with two, of which the polls see nothing.
    var counts = status.counts
    counts.properties = 2
    _ = conversation.take(properties: [ball, PropertyReference("lamp", "x")], counts: counts)
    _ = conversation.take(status: status, at: instant(1100))
    #expect(conversation.elapsed(at: instant(1300), hasRoom: true).contains(.request(.properties)))
  }

  // Clauses: S30.4
  @Test func `a viewer that may only look changes nothing`() {
    let conversation = conversation(mayChange: false)
    for service in Service.allCases {
      let call = ViewerMessage.Call(service: service.rawValue, call: 1, encoding: "json", payload: [])
      let isAllowed = conversation.receive(.call(call)) == [.request(.call(call, service))]
      #expect(isAllowed == [.why, .list, .curves, .rows].contains(service), "\(service)")
    }
    let actions = conversation.receive(
      .setParameters([Parameter("/clock/speed", .number(2)), Parameter("/studio/channels", .text("a*"))], id: "x"))
    #expect(actions.last == .request(.set([Parameter("/studio/channels", .text("a*"))], id: "x")))
    // An answer with the present values follows in any case.
    let refused = conversation.receive(.setParameters([Parameter("/clock/speed", .number(2))], id: "x"))
    #expect(refused.last == .request(.parameters(["/clock/speed"], id: "x")))
  }

  @Test func `a channel that is gone ends its subscriptions, and its number is not used twice`() {
    let conversation = conversation()
    _ = conversation.receive(.subscribe([.init(id: 1, channel: 64)]))
    let gone = conversation.take(properties: [])
    #expect(gone == [.unfollow(.motion(.property(ball))), .send(ServerMessage.unadvertise([64]))])
    _ = conversation.take(properties: [ball])
    #expect(conversation.table.id(of: ball) == 65)
    #expect(conversation.receive(.subscribe([.init(id: 1, channel: 65)])) == [.follow(.motion(.property(ball)))])
  }

  // Clauses: S30.5
  @Test func `the first thousand targets have channels, and others on request`() throws {
    let conversation = TestConversation(LiveConversation(mayChange: false))
    let references = try (0..<1500).map { PropertyReference(try TargetName("t\($0)"), "x") }
    _ = conversation.take(properties: references)
    #expect(conversation.table.properties.count == 1000)
    #expect(conversation.table.hiddenTargets == 500)
    // A hand-over of one without a channel causes no query, which would be as long as there are targets.
    func isQueried(after reference: PropertyReference, at time: Int64) -> Bool {
      let change = DriverChange(reference, frame: 1, time: 1, driver: nil)
      _ = conversation.receive(.handedOver([change], missed: 0), at: instant(time))
      return conversation.elapsed(at: instant(time + 200), hasRoom: true).contains(.request(.properties))
    }
    #expect(!isQueried(after: references[1200], at: 100))
    #expect(conversation.show(TargetSelector.channels("t14*")) == [.request(.properties)])
    _ = conversation.take(properties: references)
    #expect(conversation.table.properties.count == 111)
    #expect(conversation.table.hiddenTargets == 0)
    #expect(!isQueried(after: references[1200], at: 500))
    #expect(isQueried(after: PropertyReference("t14000", "x"), at: 1000))
  }

  @Test func `a failed plan is a line of the log`() {
    let conversation = conversation()
    #expect(conversation.receive(.subscribe([.init(id: 1, channel: 2)])) == [.follow(.outcomes(nil))])
    let failed = EndedIntention(
      identity: IntentionIdentity(sequence: 3, operation: 0), target: "ball", type: "Tween", name: "show", frame: 4,
      outcome: .failed, reason: "no \"room\"")
    _ = conversation.receive(.ended([failed], missed: 0), at: instant(1500))
    let payloads = data(conversation.elapsed(at: instant(1500), hasRoom: true))
    #expect(
      payloads.map { String(decoding: $0, as: UTF8.self) } == [
        #"{"timestamp":{"sec":1,"nsec":500000000},"level":4,"message":"Tween 3.0 named show on ball failed: "#
          + #"no \"room\"","name":"ball","file":"","line":0}"#
      ])
  }
}

/// A conversation whose methods can be called within an expectation.
private final class TestConversation {
  private var conversation: LiveConversation

  init(_ conversation: LiveConversation) {
    self.conversation = conversation
    _ = self.conversation.begin(session: "s")
  }

  var table: ChannelTable { conversation.table }

  func receive(_ message: ViewerMessage) -> [LiveConversation.Action] { conversation.receive(message) }

  func receive(_ event: ValueSubscription.Event, at instant: LiveConversation.Instant) -> [LiveConversation.Action] {
    conversation.receive(event, at: instant)
  }

  func elapsed(at instant: LiveConversation.Instant, hasRoom: Bool) -> [LiveConversation.Action] {
    conversation.elapsed(at: instant, hasRoom: hasRoom)
  }

  func take(properties: [PropertyReference], counts: Status.Counts) -> [LiveConversation.Action] {
    conversation.take(properties: properties, counts: counts)
  }

  func take(properties: [PropertyReference]) -> [LiveConversation.Action] {
    conversation.take(properties: properties, counts: Status.Counts())
  }

  func take(status: Status, at instant: LiveConversation.Instant) -> [LiveConversation.Action] {
    conversation.take(status: status, at: instant)
  }

  func lost(because reason: String) -> [LiveConversation.Action] { conversation.lost(because: reason) }

  func show(_ pattern: TargetSelector?) -> [LiveConversation.Action] { conversation.show(pattern) }

  func isStalled(at now: Duration) -> Bool { conversation.isStalled(at: now) }
}
