import MotionFiles
import MotionModel
import MotionWire
import Testing

@testable import MotionStudio

/// The conversation with a viewer that plays the past: messages, frames and times in, actions out.
struct PlaybackConversationTests {
  private let ball = PropertyReference("ball", "position")
  /// From 1 s to 11 s.
  private var conversation = PlaybackConversation(playing: 1_000_000_000...11_000_000_000)

  private func place(_ value: Double = 1) -> PlaybackConversation.Place {
    .init(
      Frame(number: 7, time: 0.5, dt: 0.01), [(ball, PropertyState([value], velocity: [2]))],
      drivers: [(ball, "Tween 3.0")])
  }

  private func data(_ actions: [PlaybackConversation.Action]) -> [(time: UInt64, payload: [UInt8])] {
    actions.compactMap {
      guard case .send(.binary(let bytes)) = $0, bytes.first == 1 else { return nil }
      return (bytes[5..<13].reversed().reduce(0) { $0 << 8 | UInt64($1) }, Array(bytes.dropFirst(13)))
    }
  }

  private func sample(_ value: Double, frame: UInt64 = 7, time: Double = 0.5, omitted: UInt64 = 0) -> [UInt8] {
    SampleMessage.property(PropertyState([value], velocity: [2]), frame: frame, time: time, omitted: omitted)
  }

  private func state(_ actions: [PlaybackConversation.Action]) -> [SocketMessage] {
    actions.compactMap {
      if case .send(let message) = $0, case .binary(let bytes) = message, bytes.first == 5 { message } else { nil }
    }
  }

  private mutating func play(_ speed: Float = 1, from seek: UInt64? = nil, at now: Duration = .zero)
    -> [PlaybackConversation.Action]
  { conversation.receive(.playback(PlaybackRequest(plays: true, speed: speed, seek: seek, id: "p")), at: now) }

  /// Subscribes to the ball and to drivers.
  private mutating func subscribe() -> [PlaybackConversation.Action] {
    _ = conversation.take(place())
    let rows: [ViewerMessage.Subscription] = [.init(id: 5, channel: 64), .init(id: 6, channel: 1)]
    #expect(conversation.receive(.subscribe(rows), at: .zero) == [.show(1_000_000_000)])
    return conversation.take(place())
  }

  // Clauses: S30.19
  @Test mutating func `a subscription begins with the value at the cursor, and its driver`() {
    let first = data(subscribe())
    #expect(first.map(\.time) == [1_000_000_000, 1_000_000_000])
    #expect(first.map(\.payload).contains(sample(1)))
    // Others get only what they lack.
    _ = conversation.receive(.subscribe([.init(id: 8, channel: 64)]), at: .zero)
    #expect(data(conversation.take(place())).map(\.payload) == [sample(1), sample(1)])
    _ = conversation.receive(.subscribe([.init(id: 8, channel: 64), .init(id: 9, channel: 99)]), at: .zero)
    #expect(data(conversation.take(place())).isEmpty)
  }

  // Clauses: S30.19
  @Test mutating func `the cursor follows the clock at the chosen speed, up to the end`() {
    #expect(
      state(play(2)) == [
        PlaybackState(status: .playing, time: 1_000_000_000, speed: 2).message(didSeek: false, answering: "p")
      ])
    #expect(conversation.elapsed(at: .milliseconds(10), hasRoom: true) == [])
    #expect(conversation.elapsed(at: .milliseconds(100), hasRoom: true) == [.play(1_200_000_000)])
    // Later than a quarter of a second, time stood.
    #expect(conversation.elapsed(at: .milliseconds(1100), hasRoom: true) == [.play(1_700_000_000)])
    var now = Duration.milliseconds(1100)
    var last: [PlaybackConversation.Action] = []
    while conversation.nextDue != nil {
      now += .milliseconds(200)
      last = conversation.elapsed(at: now, hasRoom: true)
    }
    let ended = PlaybackState(status: .ended, time: 11_000_000_000, speed: 2).message(didSeek: false)
    #expect(last == [.play(11_000_000_000), .send(ended)])
    #expect(conversation.elapsed(at: now + .seconds(1), hasRoom: true) == [])
    // There is nothing after it.
    #expect(state(play()).count == 1 && conversation.state.status == .ended)
  }

  // Clauses: S30.19
  @Test mutating func `at a hundredth of the speed no time is lost`() {
    _ = play(0.01)
    for turn in Int64(1)...6000 { _ = conversation.elapsed(at: .nanoseconds(turn * 16_666_667), hasRoom: true) }
    #expect(abs(Double(conversation.state.time) - 2e9) < 100_000)
  }

  // Clauses: S30.19
  @Test mutating func `another time is gone to within the range, and all values are sent again`() {
    _ = subscribe()
    for (time, found) in [(5_000_000_000, 5_000_000_000), (0, 1_000_000_000), (UInt64.max, 11_000_000_000)]
      as [(UInt64, UInt64)]
    {
      let request = PlaybackRequest(plays: false, speed: 1, seek: time, id: "s")
      let actions = conversation.receive(.playback(request), at: .zero)
      let state = PlaybackState(status: .paused, time: found, speed: 1)
      #expect(actions == [.send(state.message(didSeek: true, answering: "s")), .show(found)])
      #expect(data(conversation.take(place())).count == 2)
    }
    #expect(conversation.nextDue == nil)
  }

  // Clauses: S30.19
  @Test(arguments: [0, -1, 0.001, 101, .infinity, .nan] as [Float])
  mutating func `another speed is refused, and the request is answered`(speed: Float) {
    let actions = play(speed)
    #expect(actions.count == 2 && state(actions).count == 1)
    #expect(conversation.state == PlaybackState(status: .paused, time: 1_000_000_000, speed: 1))
  }

  // Clauses: S30.19
  @Test mutating func `of the frames of a turn the newest value is sent, and the others are counted`() {
    _ = subscribe()
    _ = play()
    for frame in UInt64(8)...10 {
      conversation.played(
        Frame(number: frame, time: Double(frame), dt: 1), at: 1_000_000_000 + frame, drivers: [], ended: [],
        state: { _ in PropertyState([Double(frame)], velocity: [2]) })
    }
    let sent = data(conversation.finishTurn())
    #expect(sent.map(\.time) == [1_000_000_010] && sent.map(\.payload) == [sample(10, frame: 10, time: 10, omitted: 2)])
    // What rests is not sent again.
    conversation.played(
      Frame(number: 11, time: 11, dt: 1), at: 1_000_000_011, drivers: [], ended: [],
      state: { _ in PropertyState([10], velocity: [2]) })
    #expect(data(conversation.finishTurn()).isEmpty)
  }

  // Clauses: S30.7
  @Test mutating func `while the viewer does not read, the cursor stands`() {
    _ = play()
    for second in Int64(1)...11 { #expect(conversation.elapsed(at: .seconds(second), hasRoom: false) == []) }
    #expect(conversation.isStalled(at: .seconds(11)))
    #expect(conversation.elapsed(at: .milliseconds(11_100), hasRoom: true) == [.play(1_100_000_000)])
  }

  // Clauses: S30.18
  @Test mutating func `what is gone at another time has no channel there`() {
    _ = subscribe()
    let actions = conversation.take(.init(Frame(number: 1, time: 0, dt: 0), []))
    #expect(actions.first == .send(ServerMessage.unadvertise([64])))
    guard case .send(.text(let text))? = conversation.take(place()).first else {
      Issue.record("no channel")
      return
    }
    #expect(text.contains(#""id":65"#))
  }

  // Clauses: S30.11
  @Test mutating func `what a playback cannot do is answered`() {
    let call = ViewerMessage.Call(service: 1, call: 2, encoding: "json", payload: [])
    let requests: [ViewerMessage] = [
      .call(call), .setParameters([], id: "x"), .getParameters([], id: "x"), .unsubscribe([3]), .unsupported("assets"),
    ]
    for request in requests { #expect(!conversation.receive(request, at: .zero).isEmpty, "\(request)") }
  }
}
