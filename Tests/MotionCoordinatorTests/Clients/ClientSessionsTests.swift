import LinuxSystem
import MotionCore
import MotionModel
import MotionWire
import Testing
import ZeroMQ

@testable import MotionCoordinator

/// Requests and replies without sockets.
struct ClientSessionsTests {
  private let machine = LinuxMachine()
  private let runtime = Runtime(ratePerSecond: 10)
  private let client = RoutingID([1])
  private var sessions: ClientSessions

  init() throws {
    sessions = try ClientSessions(epoch: 3, presence: ClientPresence(), keepsBytes: false, on: LinuxMachine())
  }

  private func message(_ body: Envelope.Body, epoch: UInt64 = 3, sequence: UInt64 = 7) -> Message {
    Message(Envelope(epoch: epoch, incarnation: 5, sequence: sequence, sent: 1, body).encoded())
  }

  /// The decoded form of a small message.
  private mutating func receive(_ message: Message) throws -> RequestDecoder.Decoded {
    guard case .take(let decoded) = sessions.receive(message, from: client, on: machine, at: .zero) else {
      throw Refusal(.malformed, "it was not decoded at once", remedy: "")
    }
    return decoded
  }

  @Test mutating func `a request is handled with its number and its client`() throws {
    let request = try #require(try sessions.request(try receive(message(.alive)), at: .zero))
    #expect(request.envelope.body == .alive && request.requester.request == 7 && request.requester.client == client)
    #expect(sessions.counters.requests == 1 && sessions.counters.bytesFromClients > 0)
  }

  // Clauses: S8.50
  @Test mutating func `the log names the peer of a request, whatever client it claims to be`() throws {
    _ = try receive(message(.greeting(Greeting(name: "desk")), epoch: 0))
    func requester(_ process: Int32?) -> Requester {
      let peer = process.map { PeerName.Peer.process(LocalPeer(userID: 1, groupID: 1, processID: $0)) }
      return Requester(client: client, request: 1, peer: peer, incarnation: 5)
    }
    #expect(sessions.name(of: requester(9)) == Committer(name: "desk", user: 1, process: 9))
    #expect(sessions.name(of: requester(nil)) == Committer(name: "desk"))
  }

  @Test mutating func `a request to an earlier start is counted and not answered`() throws {
    #expect(try sessions.request(try receive(message(.alive, epoch: 2)), at: .zero) == nil)
    #expect(sessions.counters.foreignMessages == 1)
    #expect(try sessions.request(try receive(message(.alive, epoch: 0)), at: .zero) != nil, "a handshake")
  }

  @Test mutating func `a message that cannot be decoded is refused and counted`() throws {
    let decoded = try receive(Message([1, 2, 3]))
    #expect(#expect(throws: Refusal.self) { try sessions.request(decoded, at: .zero) }?.code == .malformed)
    #expect(sessions.counters.malformedMessages == 1)
  }

  @Test mutating func `a small request waits for a large one before it`() throws {
    var transaction = Transaction()
    for index in 0..<500 { transaction.add(.anchoredSpring("x", 1), to: try TargetName("t\(index)")) }
    let large = message(.commit(Commit(transaction, id: TransactionID(high: 1, low: 1))))
    #expect(large.count >= RequestDecoder.largeBytes)
    #expect(sessions.receive(large, from: client, on: machine, at: .zero) == nil)
    #expect(sessions.receive(message(.alive, sequence: 8), from: client, on: machine, at: .zero) == nil)
    var decoded: [UInt64] = []
    let end = BootClock.now + .seconds(10)
    while decoded.count < 2, BootClock.now < end { decoded += sessions.decoder.take().map(\.request) }
    #expect(decoded == [7, 8])
  }

  @Test mutating func `replies are numbered, name their request, and refusals among them are counted`() throws {
    let moment = Moment(time: 1, wallTime: 2)
    let bodies: [Envelope.Body] = [.alive, .refusal(Refusal(.value, "no", remedy: "yes")), .alive]
    for (number, body) in bodies.enumerated() {
      let reply = sessions.reply(body, to: client, request: 7, moment: moment, at: .seconds(1))
      let envelope = try reply.withUnsafeBytes { try Envelope(decoding: $0, limit: Limits.clientMessageBytes) }
      #expect(envelope.sequence == UInt64(number + 1) && envelope.replyTo == 7 && envelope.epoch == 3)
      #expect(envelope.body == body && envelope.moment == moment)
    }
    #expect(sessions.counters.refusals == 1)
    sessions.sent(bytes: 10, isSent: true)
    sessions.sent(bytes: 10, isSent: false)
    #expect(sessions.counters.bytesToClients == 10 && sessions.counters.unsentReplies == 1)
  }

  @Test mutating func `an inspection is answered after the timeout if its workers are silent`() throws {
    sessions.inspections.begin(nil, for: client, request: 7, asking: [WorkerAddress("tween", 0): 1], at: .zero)
    #expect(sessions.answerInspections(in: runtime, at: .zero).isEmpty && sessions.longAnswers.queue.count == 0)
    #expect(sessions.answerInspections(in: runtime, at: Inspections<RoutingID>.timeout).isEmpty)
    #expect(sessions.longAnswers.queue.count == 1)
  }

  @Test mutating func `a long answer is encoded and sent, numbered like any other reply`() throws {
    try sessions.ask(.init(client: client, request: 9, query: .targets))
    var sent: [Message] = []
    let end = BootClock.now + .seconds(10)
    while sent.isEmpty, BootClock.now < end {
      let moment = { (_: Duration) in Moment(time: 0, wallTime: 0) }
      let refusals = sessions.makeAnswers(from: runtime, until: nil, on: machine, moment: moment)
      #expect(refusals.isEmpty)
      for case .send(let message, _) in sessions.takeAnswers() { sent.append(message) }
    }
    let envelope = try #require(sent.first).withUnsafeBytes {
      try Envelope(decoding: $0, limit: Limits.clientMessageBytes)
    }
    #expect(envelope.replyTo == 9 && envelope.sequence == 1)
    #expect(sessions.longAnswers.queue.count == 0)
  }

  @Test mutating func `a client that falls silent leaves its transactions and its pointers`() throws {
    let clock = FrameSchedule(ratePerSecond: 10, at: .zero)
    let down = PointerInput("ball", from: "mouse", [PointerEvent(id: 1, .down, at: [1, 2], time: 0)])
    try sessions.receive(down, from: 5, in: runtime, clock, at: .zero)
    sessions.hold(4, by: 5, in: runtime, at: .zero)
    var far = down
    far.events[0].time = 1e6
    #expect(throws: Refusal.self) { try sessions.receive(far, from: 5, in: runtime, clock, at: .zero) }
    let gone = sessions.takeGone(at: ClientPresence.timeout, pointersAt: 3)
    #expect(gone.sequences == [4] && gone.inputs.map(\.target) == ["ball"])
    #expect(sessions.presence.nextDeadline == nil)
  }
}
