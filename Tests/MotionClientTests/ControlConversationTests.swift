import MotionModel
import MotionWire
import Testing

@testable import MotionClient

/// Requests, answers and simulated time: nothing here waits.
@Suite struct ControlConversationTests {
  private let service = Service(protocolVersion: 1, valuesEndpoint: "ipc:///v", ratePerSecond: 120, clock: ClockState())
  private let commit = Envelope.Body.commit(Commit(Transaction(), id: TransactionID(high: 1, low: 2)))

  private func conversation() -> ControlConversation { ControlConversation(incarnation: 7, name: "test") }

  private func sent(_ actions: [ControlConversation.Action]) -> [Envelope] {
    actions.compactMap { if case .send(let envelope) = $0 { envelope } else { nil } }
  }

  private func outcome(_ actions: [ControlConversation.Action]) -> Result<Envelope.Body, MotionClientError>? {
    actions.compactMap { if case .finish(let outcome) = $0 { outcome } else { nil } }.first
  }

  // Clauses: S20.11
  @Test func `values are told without a number, until the last answer is a second or half a queue old`() throws {
    let values = Envelope.Body.inputValues(InputValues(from: "desk", [InputValue("fader", 1)]))
    var conversation = conversation()
    func tell(_ milliseconds: Int) -> Envelope? { conversation.tell(values, now: .milliseconds(milliseconds)) }
    #expect(tell(0) == nil, "the daemon is not known")
    _ = conversation.ask(values, isRepeatable: false, deadline: .seconds(5), now: .zero)
    _ = conversation.receive(Envelope(epoch: 3, replyTo: 1, .service(service)), now: .zero)
    #expect(tell(0) == nil, "a request is under way")
    _ = conversation.receive(Envelope(epoch: 3, replyTo: 2, .done(ClockState())), now: .milliseconds(5))
    let told = try #require(tell(1004))
    #expect((told.epoch, told.incarnation, told.sequence) == (3, 7, 0) && told.body == values)
    #expect(tell(1005) == nil)
    for _ in 1..<ControlConversation.toldLimit { #expect(tell(6) != nil) }
    #expect(tell(6) == nil, "the queue of the socket would overflow")
    _ = conversation.ask(values, isRepeatable: false, deadline: .seconds(2), now: .milliseconds(1005))
    #expect(outcome(conversation.elapsed(now: .seconds(2))) != nil)
    #expect(tell(2000) == nil, "the daemon did not answer")
  }

  @Test func `the greeting is sent before the first request`() throws {
    var conversation = conversation()
    let greeting = try #require(sent(conversation.ask(commit, deadline: .seconds(5), now: .zero)).first)
    #expect(greeting.body == .greeting(Greeting(name: "test")))
    #expect(greeting.epoch == 0)
    #expect(greeting.incarnation == 7)
    #expect(greeting.sequence == 1)
    let reply = Envelope(epoch: 3, replyTo: 1, .service(service))
    let request = try #require(sent(conversation.receive(reply, now: .milliseconds(1))).first)
    #expect(request.body == commit)
    #expect(request.epoch == 3)
    #expect(request.sequence == 2)
    let receipt = Envelope.Body.receipt(Receipt(sequence: 9))
    #expect(outcome(conversation.receive(Envelope(epoch: 3, replyTo: 2, receipt), now: .zero)) == .success(receipt))
    // The second request needs no greeting.
    let second = sent(conversation.ask(.query(.targets), deadline: .seconds(5), now: .zero))
    #expect(second.map(\.body) == [.query(.targets)])
  }

  @Test func `an unanswered request is resent after another greeting`() throws {
    var conversation = conversation()
    _ = conversation.ask(commit, deadline: .seconds(30), now: .zero)
    _ = conversation.receive(Envelope(epoch: 3, replyTo: 1, .service(service)), now: .zero)
    #expect(conversation.nextDue == ControlConversation.firstTimeout)
    #expect(conversation.elapsed(now: .milliseconds(999)) == [])
    let greeting = try #require(sent(conversation.elapsed(now: .seconds(1))).first)
    #expect(greeting.body == .greeting(Greeting(name: "test")))
    #expect(greeting.epoch == 0)
    // The daemon was restarted meanwhile: the repetition carries its epoch.
    let reply = Envelope(epoch: 4, replyTo: greeting.sequence, .service(service))
    let again = try #require(sent(conversation.receive(reply, now: .seconds(1))).first)
    #expect(again.body == commit)
    #expect(again.epoch == 4)
    #expect(conversation.nextDue == .seconds(1) + ControlConversation.firstTimeout * 2)
  }

  // Clauses: S17.10
  @Test func `a request to a stopping daemon is resent to the next one`() throws {
    let refusal = Refusal(.stopping, "motiond is stopping", remedy: "Commit again when it is back")
    var conversation = conversation()
    _ = conversation.ask(commit, deadline: .seconds(5), now: .zero)
    _ = conversation.receive(Envelope(epoch: 3, replyTo: 1, .service(service)), now: .zero)
    #expect(conversation.receive(Envelope(epoch: 3, replyTo: 2, .refusal(refusal)), now: .zero) == [])
    #expect(conversation.nextDue == ControlConversation.stoppingTimeout)
    let greeting = try #require(sent(conversation.elapsed(now: ControlConversation.stoppingTimeout)).first)
    let reply = Envelope(epoch: 4, replyTo: greeting.sequence, .service(service))
    let again = try #require(sent(conversation.receive(reply, now: .seconds(1))).first)
    #expect(again.body == commit && again.epoch == 4)
    let receipt = Envelope.Body.receipt(Receipt(sequence: 9))
    let answer = Envelope(epoch: 4, replyTo: again.sequence, receipt)
    #expect(outcome(conversation.receive(answer, now: .seconds(1))) == .success(receipt))

    // No answer arrives: the result is that the daemon was stopping.
    let second = sent(conversation.ask(commit, deadline: .seconds(9), now: .seconds(2)))
    _ = conversation.receive(Envelope(epoch: 4, replyTo: second[0].sequence, .refusal(refusal)), now: .seconds(2))
    #expect(outcome(conversation.elapsed(now: .seconds(9))) == .failure(.refused(refusal)))

    // A request that must not be done twice is not resent.
    let step = sent(conversation.ask(.clock(.step(1)), isRepeatable: false, deadline: .seconds(20), now: .seconds(10)))
    let refused = conversation.receive(
      Envelope(epoch: 4, replyTo: step[0].sequence, .refusal(refusal)), now: .seconds(10))
    #expect(outcome(refused) == .failure(.refused(refusal)))
  }

  @Test func `silence causes reconnections at growing intervals`() throws {
    var conversation = conversation()
    _ = conversation.ask(commit, deadline: .seconds(30), now: .zero)
    _ = conversation.receive(Envelope(epoch: 3, replyTo: 1, .service(service)), now: .zero)
    let connected = (1...20).filter { conversation.elapsed(now: .seconds($0)).first == .connectAnew }
    // The first message is a request, which a busy daemon may leave unanswered.
    #expect(connected == [2, 4, 8, 16])
    // Any received message shows that the connection is good.
    #expect(conversation.receive(Envelope(epoch: 3, replyTo: 99, .service(service)), now: .seconds(20)) == [])
    #expect(conversation.elapsed(now: .seconds(21)).first != .connectAnew)
    #expect(conversation.elapsed(now: .seconds(22)).first == .connectAnew)
  }

  @Test func `requests that time out count as silence too`() {
    var conversation = conversation()
    _ = conversation.ask(commit, deadline: .seconds(1), now: .zero)
    _ = conversation.receive(Envelope(epoch: 3, replyTo: 1, .service(service)), now: .zero)
    for start in [1, 2] {
      _ = conversation.elapsed(now: .seconds(start))
      let actions = conversation.ask(commit, deadline: .seconds(start + 1), now: .seconds(start))
      #expect(actions.first == .connectAnew || start == 1)
      #expect(actions.count == start)
    }
  }

  @Test func `the answer to an earlier sending is accepted`() throws {
    var conversation = conversation()
    _ = conversation.ask(commit, deadline: .seconds(30), now: .zero)
    _ = conversation.receive(Envelope(epoch: 3, replyTo: 1, .service(service)), now: .zero)
    _ = conversation.elapsed(now: .seconds(3))
    let receipt = Envelope.Body.receipt(Receipt(sequence: 9))
    let actions = conversation.receive(Envelope(epoch: 3, replyTo: 2, receipt), now: .seconds(4))
    #expect(outcome(actions) == .success(receipt))
    #expect(conversation.isIdle)
  }

  @Test func `a step is sent only once`() {
    var conversation = conversation()
    _ = conversation.ask(.clock(.step(1)), isRepeatable: false, deadline: .seconds(30), now: .zero)
    _ = conversation.receive(Envelope(epoch: 3, replyTo: 1, .service(service)), now: .zero)
    #expect(conversation.nextDue == .seconds(30))
    #expect(conversation.elapsed(now: .seconds(29)) == [])
    guard case .failure(let error)? = outcome(conversation.elapsed(now: .seconds(30))) else {
      Issue.record("a step that was not answered has to end")
      return
    }
    #expect(error.code == .timeout)
  }

  @Test func `a request fails at its deadline`() {
    var conversation = conversation()
    _ = conversation.ask(commit, deadline: .seconds(1), now: .zero)
    #expect(conversation.elapsed(now: .milliseconds(999)) == [])
    guard case .failure(let error)? = outcome(conversation.elapsed(now: .seconds(1))) else {
      Issue.record("the deadline has to end it")
      return
    }
    #expect(error.code == .timeout)
    #expect(!error.remedy.isEmpty)
    #expect(conversation.isIdle)
    #expect(conversation.nextDue == nil)
  }

  @Test func aRefusalOfTheGreetingEndsTheRequest() {
    var conversation = conversation()
    _ = conversation.ask(commit, deadline: .seconds(5), now: .zero)
    let refusal = Refusal(.version, "protocol 1 is spoken here, not 2")
    let actions = conversation.receive(Envelope(epoch: 3, replyTo: 1, .refusal(refusal)), now: .zero)
    guard case .failure(let error)? = outcome(actions) else {
      Issue.record("a refused greeting has to end it")
      return
    }
    #expect(error.code == .refused)
    #expect(error.refusal == refusal)
  }

  @Test func `answers without a request are ignored`() {
    var conversation = conversation()
    #expect(conversation.receive(Envelope(epoch: 3, replyTo: 1, .done(ClockState())), now: .zero) == [])
    _ = conversation.ask(commit, deadline: .seconds(5), now: .zero)
    #expect(conversation.receive(Envelope(epoch: 3, replyTo: 99, .done(ClockState())), now: .zero) == [])
    #expect(conversation.receive(Envelope(epoch: 3, .done(ClockState())), now: .zero) == [])
  }
}
