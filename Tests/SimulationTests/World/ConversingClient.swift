import MotionModel
import MotionTestKit
import MotionWire
import ZeroMQ

@testable import MotionClient
@testable import MotionCoordinator

/// A client that sends one request after the other through `ControlConversation`, as `MotionClient` does. Subclasses
/// choose the requests.
class ConversingClient: @unchecked Sendable {
  /// Its number among all clients.
  let number: Int
  private(set) var conversation: ControlConversation
  private var socket: DealerSocket?
  var random: SeededRandom
  /// When it sends the next request.
  var pauseUntil = Duration.zero
  /// Whether it starts new requests.
  var isBusy = true
  /// Whether it has disconnected and sends nothing.
  var hasLeft = false
  /// Messages for the network to carry.
  var outgoing: [[UInt8]] = []
  /// The sequences of its transactions.
  private(set) var sequences: [UInt64] = []
  /// The kinds of messages that it has sent and received.
  private(set) var census = Census()

  init(_ number: Int, random: SeededRandom, incarnation: UInt64, name: String) {
    (self.number, self.random) = (number, random)
    conversation = ControlConversation(incarnation: incarnation, name: name)
  }

  /// Its name for the authenticator.
  var name: PeerName {
    // Not motiond's user, which may state every priority.
    PeerName(
      .process(LocalPeer(userID: 1000, groupID: 0, processID: 1_000_000 + Int32(number))), serial: UInt64(number))
  }

  // MARK: Overridden by subclasses

  /// The next request, and whether it may be resent; `nil` if there is none.
  func nextRequest(at now: Duration) -> (body: Envelope.Body, isRepeatable: Bool)? { nil }

  /// Whether it has a request to send after its pause.
  var wantsToAsk: Bool { isBusy }

  /// Handles the outcome of its request.
  func finished(_ outcome: Result<Envelope.Body, MotionClientError>, at now: Duration) {}

  /// Its request was sent, and has no answer.
  func told(at now: Duration) {}

  // MARK: Its socket

  /// Connects to the current coordinator.
  func connect(_ context: ZeroMQContext, to endpoint: Endpoint) throws {
    let socket = try DealerSocket(context, .linger(.zero))
    try socket.connect(endpoint)
    self.socket = socket
  }

  /// Its coordinator has ended.
  func disconnect() { socket = nil }

  func deliver(_ bytes: [UInt8]) throws { _ = try socket?.send(bytes) }

  func collect() throws -> [[UInt8]] {
    var answers: [[UInt8]] = []
    while let message = try socket?.receiveOne().message { answers.append(message.withUnsafeBytes(Array.init)) }
    return answers
  }

  // MARK: Its turns

  var nextDue: Duration? {
    if hasLeft { return nil }
    return conversation.isIdle ? (wantsToAsk ? pauseUntil : nil) : conversation.nextDue
  }

  /// Receives an answer.
  func hear(_ bytes: [UInt8], at now: Duration) throws {
    let envelope = try Envelope(decoding: bytes, limit: Limits.clientMessageBytes)
    guard !hasLeft else { return }
    census.note(envelope.body)
    perform(conversation.receive(envelope, now: now), at: now)
  }

  /// Performs the actions that are due.
  func turn(at now: Duration) {
    guard !hasLeft else { return }
    perform(conversation.elapsed(now: now), at: now)
    guard conversation.isIdle, now >= pauseUntil, let (body, isRepeatable) = nextRequest(at: now) else { return }
    if body.mayGoUnanswered, random.chance(0.7), let envelope = conversation.tell(body, now: now) {
      census.note(.requestUnanswered)
      perform([.send(envelope)], at: now)
      return told(at: now)
    }
    perform(conversation.ask(body, isRepeatable: isRepeatable, deadline: now + .seconds(8), now: now), at: now)
  }

  private func perform(_ actions: [ControlConversation.Action], at now: Duration) {
    for action in actions {
      switch action {
      // The simulated network alone decides which messages are lost or late.
      case .connectAnew: break
      case .send(let envelope):
        census.note(envelope.body)
        outgoing.append(envelope.encoded())
      case .finish(let outcome):
        if case .success(.receipt(let receipt)) = outcome { sequences.append(receipt.sequence) }
        finished(outcome, at: now)
      }
    }
  }
}
