import MotionModel
import MotionTestKit
import MotionWire

extension Vice {
  /// A correct handshake and a message, byte by byte, at ten doors at once; then nothing.
  func byteByByte(_ door: Neighbourhood.Door) throws -> [Stranger] {
    let strangers = try (0..<10).map { _ in try Stranger(to: door.path) }
    for byte in ZMTP.greeting() + ZMTP.ready(door.peer) + ZMTP.beginning(ofFrame: 60_000) + [1, 2, 3] {
      for stranger in strangers { stranger.say([byte]) }
    }
    return strangers
  }

  /// Sends requests, or subscribes to everything, and reads none of the messages sent to it.
  func neverReading(_ door: Neighbourhood.Door) throws -> [Stranger] {
    let stranger = try Stranger(to: door.path, as: door.peer)
    if door.hearsSubscriptions {
      for topic in [[], Topic.subscription("v/"), Topic.subscription("m/")] { stranger.say(ZMTP.frame([1] + topic)) }
      return [stranger]
    }
    let question = ZMTP.frame(Envelope(incarnation: 7, sequence: 1, .query(.targets)).encoded())
    for _ in 0..<200 { stranger.say(question) }
    return [stranger]
  }

  /// Subscriptions to topics that do not exist, withdrawals of subscriptions that were never made, and subscriptions
  /// longer than any topic.
  func subscriptions(_ door: Neighbourhood.Door, _ random: inout SeededRandom) throws -> [Stranger] {
    let stranger = try Stranger(to: door.path, as: door.peer)
    switch self {
    case .subscriptions:
      for _ in 0..<100 {
        let frames = (0..<50).flatMap { _ in ZMTP.frame([1] + random.bytes(0...32)) }
        stranger.say(frames + (0..<50).flatMap { _ in ZMTP.command("SUBSCRIBE", random.bytes(0...32)) })
      }
    case .withdrawals:
      for _ in 0..<100 {
        let frames = (0..<50).flatMap { _ in ZMTP.frame([0] + random.bytes(0...32)) }
        stranger.say(frames + (0..<50).flatMap { _ in ZMTP.command("CANCEL", random.bytes(0...32)) })
      }
      // A withdrawal of another client's subscription.
      stranger.say(ZMTP.frame([0] + Topic.subscription("m/neighbour")) + ZMTP.frame([0]))
    default:
      for length in [1024, 1025, 16_383, 16_384, 16_385, 100_000, 1 << 20] {
        let another = try Stranger(to: door.path, as: door.peer)
        another.say(ZMTP.frame([1] + Array(repeating: 0x76, count: length)))
      }
    }
    return [stranger]
  }

  /// Routing identities that are taken, empty, too long, or such as libzmq gives itself.
  func identities(_ door: Neighbourhood.Door, _ random: inout SeededRandom) throws -> [Stranger] {
    var identities: [[UInt8]] = [[], [0], [0, 0, 0, 0, 1], Array("same".utf8), Array("same".utf8)]
    identities += [255, 256, 8192, 100_000].map { Array(repeating: 120, count: $0) }
    identities += (0..<100).map { _ in [0] + random.bytes(4...4) }
    return try identities.map { identity in
      let stranger = try Stranger(to: door.path, as: door.peer, [("Identity", identity)])
      stranger.say(ZMTP.frame(Envelope(incarnation: 7, sequence: 1, .alive).encoded()))
      return stranger
    }
  }

  /// Messages that other roles send, in one part and in several.
  func wrongDirections(_ door: Neighbourhood.Door) throws -> [Stranger] {
    let address = WorkerAddress("tween", 0)
    let bodies: [Envelope.Body] = [
      .done(ClockState()), .refusal(Refusal(.limit, "no")), .answer(.targets([])), .names([]), .ended([]), .drivers([]),
      .values(Values(frame: 1, time: 1, dt: 1)), .hello(Hello(address: address, processID: 1, executors: [])),
      .resync(commandsApplied: 0), .tick(Tick(frame: Frame(number: 1, time: 1, dt: 1), lastCommand: 1)),
      .update(WorkerUpdate(frame: 1, commandsApplied: .max)), .log(LogLine(.info, "\u{1B}[2J")),
      .receipt(Receipt(sequence: .max)), .greeting(Greeting(name: "stranger")), .stop([]), .alive,
    ]
    let stranger = try Stranger(to: door.path, as: door.peer)
    for (number, body) in bodies.enumerated() {
      // Of no epoch, of the present one, of the last there will ever be.
      for epoch in [0, 1, .max] as [UInt64] where !door.name.hasSuffix("control") || body != .stop([]) {
        let envelope = Envelope(epoch: epoch, incarnation: 1, sequence: UInt64(number + 1), replyTo: .max, body)
        stranger.say(ZMTP.frame(envelope.encoded()))
        stranger.say(ZMTP.frame([], more: true) + ZMTP.frame(envelope.encoded()))
        stranger.say(ZMTP.frame(Topic.frame("e/tween.0/1", envelope)))
        stranger.say(ZMTP.frame(Topic.subscription("e/tween.0/1"), more: true) + ZMTP.frame(envelope.encoded()))
      }
    }
    return [stranger]
  }

  /// One commit and one hello, a thousand times each.
  func replays(_ door: Neighbourhood.Door) throws -> [Stranger] {
    var transaction = Transaction()
    transaction.add(.springTo("position", [1, 1]), to: "stranger")
    let commit = Commit(transaction, id: TransactionID(high: 1, low: 1))
    let hello = Hello(address: WorkerAddress("tween", 0), processID: 1, executors: [])
    let said = [Envelope.Body.commit(commit), .hello(hello)].map {
      ZMTP.frame(Envelope(incarnation: 7, sequence: 1, $0).encoded())
    }
    let stranger = try Stranger(to: door.path, as: door.peer)
    for _ in 0..<1000 {
      for word in said { stranger.say(word) }
      _ = stranger.hear(timeout: .zero)
    }
    return [stranger]
  }

  /// PING with contexts longer than the 16 bytes that are allowed, PONG without a PING, and no reading of answers.
  func pings(_ door: Neighbourhood.Door) throws -> [Stranger] {
    let stranger = try Stranger(to: door.path, as: door.peer)
    let words = [
      ZMTP.command("PING", [0, 1] + Array(repeating: 99, count: 16)), ZMTP.command("PONG", [1, 2, 3]),
      ZMTP.command("PING", [0xFF, 0xFF]), ZMTP.command("PONG"),
    ].flatMap(\.self)
    let flood = Array(repeating: words, count: 1000).flatMap(\.self)
    for _ in 0..<20 { stranger.say(flood) }
    for length in [17, 1000, 100_000, 1 << 20] {
      let another = try Stranger(to: door.path, as: door.peer)
      another.say(ZMTP.command("PING", [0, 1] + Array(repeating: 99, count: length)) + ZMTP.command("PING"))
    }
    return [stranger]
  }
}

extension SeededRandom {
  /// Random bytes, of a random length in this range.
  mutating func bytes(_ length: ClosedRange<Int>) -> [UInt8] {
    (0..<Int.random(in: length, using: &self)).map { _ in UInt8(truncatingIfNeeded: next()) }
  }
}
