import MotionModel
import MotionWire
import Testing
import ZeroMQ

@testable import MotionGateway

/// The messages that pass between an untrusted worker and motiond, and those that do not.
@Suite struct WorkerRelayTests {
  private static let tween = WorkerAddress("tween", 0)
  private static let first = RoutingID([1])
  private static let second = RoutingID([2])
  private static let ports: [UInt16] = [1000, 1001, 1002, 1003]

  private func relay() -> WorkerRelay { WorkerRelay(ports: Self.ports, WorkerGatewayLimits(), at: .zero) }

  private func claim(_ number: UInt64) -> Envelope {
    Envelope(
      sequence: number, sent: 77,
      .claim(Claim(address: Self.tween, claimant: 5, attempt: 1, processID: 6, host: "stage")))
  }

  private func assignment(_ incarnation: UInt64, for request: UInt64) -> Envelope {
    let assignment = Assignment(
      incarnation: incarnation, lease: 15, commandsPort: 1, ticksPort: 2, eventsPort: 3, onLost: .hold)
    return Envelope(epoch: 3, sequence: 1, replyTo: request, .assignment(assignment))
  }

  /// A relay whose worker has an assignment, in epoch 3.
  private func assigned(_ incarnation: UInt64 = 9) throws -> WorkerRelay {
    var relay = relay()
    let passed = try made(relay.asked(claim(1), by: Self.first, at: .zero))
    _ = try made(relay.answered(assignment(incarnation, for: passed.sequence)))
    return relay
  }

  private func message(_ body: Envelope.Body, epoch: UInt64 = 3, incarnation: UInt64 = 9) -> Envelope {
    Envelope(epoch: epoch, incarnation: incarnation, sequence: 40, body)
  }

  /// The result of a call: `#require` does not accept mutating calls.
  private func made<Value>(_ value: Value?) throws -> Value { try #require(value) }

  private let hello = Envelope.Body.hello(Hello(address: tween, processID: 6, executors: []))

  @Test func `an assignment is returned to its claimant with the gateway's ports`() throws {
    var relay = relay()
    let other = try made(relay.asked(claim(1), by: Self.second, at: .zero))
    let passed = try made(relay.asked(claim(1), by: Self.first, at: .zero))
    #expect(other.sequence != passed.sequence)
    #expect(passed.body == claim(1).body && passed.sent == 77, "a lease counts from when the worker said it")
    let (told, routingID) = try made(relay.answered(assignment(9, for: passed.sequence)))
    #expect(routingID == Self.first)
    #expect(told.replyTo == 1 && told.epoch == 3)
    guard case .assignment(let assignment) = told.body else { throw Failure(told) }
    #expect([assignment.commandsPort, assignment.ticksPort, assignment.eventsPort] == Array(Self.ports.dropFirst()))
    #expect(assignment.lease == 15 && assignment.incarnation == 9)
    #expect(relay.life?.topic(.commands) == "c/tween.0/9")
    // A request has only one answer.
    #expect(relay.answered(self.assignment(10, for: passed.sequence)) == nil)
    #expect(relay.life?.incarnation == 9)
  }

  @Test func `only messages of the current life are passed on`() throws {
    var relay = relay()
    #expect(relay.asked(message(hello), by: Self.first, at: .zero) == nil, "nobody has an assignment")
    relay = try assigned()
    #expect(relay.asked(message(hello, incarnation: 8), by: Self.first, at: .zero) == nil)
    #expect(relay.asked(message(hello, epoch: 2), by: Self.first, at: .zero) == nil)
    let passed = try made(relay.asked(message(hello), by: Self.second, at: .zero))
    let welcome = Welcome(
      protocolVersion: 1, commandTopic: "c/tween.0/9", tickTopic: "", eventTopic: "", wantsUpdates: false)
    let (told, routingID) = try made(
      relay.answered(Envelope(epoch: 3, sequence: 2, replyTo: passed.sequence, .welcome(welcome))))
    #expect(routingID == Self.second && told.replyTo == 40)

    let beat = Envelope.Body.workerHeartbeat(
      WorkerHeartbeat(commandsApplied: 0, lastEvent: 0, tokens: 0, interval: 1))
    #expect(relay.publishes(message(beat), on: "e/tween.0/9"))
    #expect(!relay.publishes(message(beat), on: "e/tween.1/9"))
    #expect(!relay.publishes(message(beat), on: "c/tween.0/9"))
    #expect(!relay.publishes(message(beat, incarnation: 10), on: "e/tween.0/9"))
    // Another life of the same worker, after which messages of the previous one are dropped.
    let next = try made(relay.asked(claim(2), by: Self.first, at: .zero))
    _ = relay.answered(assignment(10, for: next.sequence))
    #expect(!relay.publishes(message(beat), on: "e/tween.0/9"))
    #expect(relay.publishes(message(beat, incarnation: 10), on: "e/tween.0/10"))
  }

  @Test func `messages that are not a worker's are not passed on`() throws {
    var relay = try assigned()
    let foreign: [Envelope.Body] = [
      .alive, .stop([]), .query(.status), .restart("tween"), .done(ClockState()),
      .update(WorkerUpdate(frame: 1, commandsApplied: 0)), .log(LogLine(.info, "")), .inspect([]),
    ]
    for body in foreign { #expect(relay.asked(message(body), by: Self.first, at: .zero) == nil, "\(body)") }
    for body in [Envelope.Body.alive, hello, .inspect([])] {
      #expect(!relay.publishes(message(body), on: "e/tween.0/9"), "\(body)")
    }
    // No other message of motiond is passed to a worker either.
    let passed = try made(relay.asked(message(hello), by: Self.first, at: .zero))
    #expect(relay.answered(Envelope(epoch: 3, sequence: 5, replyTo: passed.sequence, .alive)) == nil)
    #expect(!relay.tells(message(.alive), on: "c/tween.0/9"))
    let tick = Envelope.Body.tick(Tick(frame: Frame(number: 1, time: 0, dt: 0.01), lastCommand: 0))
    #expect(relay.tells(message(tick), on: "t/tween.0/9") && !relay.tells(message(tick), on: "c/tween.0/9"))
    #expect(relay.tells(message(.command(number: 1, .shutdown(isFinal: false))), on: "c/tween.0/9"))
  }

  private static let writes = (1...3).map { number in
    PropertyWrite(
      executor: ExecutorHandle(1), property: PropertyHandle(UInt32(number)), state: PropertyState(Lanes(Double(number)))
    )
  }

  /// An update with these rows, as it is read from the worker's bytes.
  private func update(_ shape: WorkerUpdate.Shape, _ writes: [PropertyWrite] = writes) throws -> Envelope {
    var update = WorkerUpdate(frame: 5, writes: writes, commandsApplied: 0)
    update.shape = shape
    return try Envelope(decoding: message(.update(update)).encoded())
  }

  /// What motiond reads of an update that the relay passes on.
  private func passed(_ envelope: Envelope, by relay: inout WorkerRelay) throws -> WorkerUpdate {
    let read = try Envelope(decoding: relay.whole(envelope).encoded())
    guard case .update(let update) = read.body else { throw Failure(read) }
    return update
  }

  /// The shape in a tick that the relay passes on.
  private func acknowledged(_ shape: UInt64, by relay: WorkerRelay) throws -> UInt64 {
    let tick = Tick(frame: Frame(number: 1, time: 0, dt: 0.01), lastCommand: 0, shape: shape)
    let read = try Envelope(decoding: relay.acknowledging(message(.tick(tick))).encoded())
    guard case .tick(let passed) = read.body else { throw Failure(read) }
    return passed.shape
  }

  // Clauses: S14.14
  @Test func `updates of a shape are passed on whole, and ticks acknowledge the shape that the gateway has`() throws {
    var relay = try assigned()
    #expect(try acknowledged(1, by: relay) == 0, "an earlier gateway announced it to motiond")
    let plain = try passed(update(.none), by: &relay)
    #expect(plain.writes == Self.writes)
    let first = try passed(update(.announced(1)), by: &relay)
    #expect(first.shape == .announced(1) && first.writes == Self.writes)
    #expect(try acknowledged(1, by: relay) == 1 && acknowledged(2, by: relay) == 0 && acknowledged(0, by: relay) == 0)
    let named = try update(.named(1), Self.writes.reversed())
    guard case .update(let read) = named.body else { throw Failure(named) }
    #expect(read.writes.isEmpty, "its rows are not stated")
    let whole = try passed(named, by: &relay)
    #expect(whole.writes.map(\.property) == Self.writes.map(\.property) && whole.shape == .announced(1))
    #expect(whole.writes.map { $0.state.value[0] } == [3, 2, 1])

    // Another number, or other rows: the values are lost, and the worker has to announce its shape again.
    for (number, count) in [(UInt64(2), 3), (1, 2)] {
      _ = try passed(update(.announced(1)), by: &relay)
      let lost = try passed(update(.named(number), Array(Self.writes.prefix(count))), by: &relay)
      #expect(lost.writes.isEmpty && lost.shape == .none && lost.frame == 5)
      #expect(try acknowledged(1, by: relay) == 0)
    }
    // A gateway that has connected again, and another life.
    _ = try passed(update(.announced(1)), by: &relay)
    relay.forget()
    #expect(try acknowledged(1, by: relay) == 0)
    relay = try assigned()
    _ = try passed(update(.announced(1)), by: &relay)
    let next = try made(relay.asked(claim(2), by: Self.first, at: .zero))
    _ = relay.answered(assignment(10, for: next.sequence))
    #expect(try acknowledged(1, by: relay) == 0)
    // Other messages are passed on as they are.
    let other = relay.whole(message(hello))
    #expect(other == message(hello) && relay.acknowledging(message(.alive)) == message(.alive))
  }

  @Test func `an inspection is passed to where the worker was last received`() throws {
    var relay = relay()
    #expect(relay.answered(message(.inspect([]), incarnation: 0)) == nil, "nobody is there")
    relay = try assigned()
    _ = relay.asked(message(hello), by: Self.second, at: .zero)
    let (told, routingID) = try made(relay.answered(message(.inspect([]), incarnation: 0)))
    #expect(routingID == Self.second && told.sequence == 40)
  }

  @Test func `waiting requests and messages of a worker are limited`() throws {
    var relay = relay()
    for number in 1...UInt64(WorkerGatewayLimits().requestsWaiting) {
      #expect(relay.asked(claim(number), by: Self.first, at: .zero) != nil)
    }
    #expect(relay.asked(claim(99), by: Self.first, at: .zero) == nil)
    var count = 0
    while relay.takes(1, at: .zero) { count += 1 }
    #expect(count == 5000)
    #expect(relay.takes(1, at: .seconds(1)) == true)
    while relay.takes(1 << 20, at: .seconds(1)) { count += 1 }
    #expect(count == 5031)
  }

  @Test func `a relay reconnects after several unanswered requests`() throws {
    var relay = try assigned()
    let greeting = relay.asked(message(hello), by: Self.first, at: .zero)
    #expect(greeting != nil)
    #expect(relay.isUnheard(at: .seconds(100)) == false, "a greeting may go unanswered")
    for number in 1...2 {
      _ = relay.asked(claim(UInt64(number)), by: Self.first, at: .seconds(100 + number))
    }
    #expect(relay.nextDeadline == .seconds(106))
    #expect(relay.isUnheard(at: .seconds(110)) == false)
    _ = relay.asked(claim(3), by: Self.first, at: .seconds(110))
    #expect(relay.isUnheard(at: .seconds(115)) == true)
    relay.forget()
    #expect(relay.life == nil)
    #expect(relay.isUnheard(at: .seconds(200)) == false)
  }

  /// An unexpected result.
  private struct Failure: Error {
    let said: Envelope
    init(_ said: Envelope) { self.said = said }
  }
}
