import MotionModel
import MotionTestKit
import MotionWire
import ZeroMQ

@testable import MotionClient
@testable import MotionCoordinator

/// A program that asks one thing after the other, by `ControlConversation`, as `MotionClient` does. Subclasses decide what.
class ConversingClient: @unchecked Sendable {
  /// Its number among all clients.
  let number: Int
  private(set) var conversation: ControlConversation
  private var socket: DealerSocket?
  var random: SeededRandom
  /// When it asks the next thing.
  var pauseUntil = Duration.zero
  /// Whether it begins anything new.
  var isBusy = true
  /// Whether it has left, and sends nothing.
  var hasLeft = false
  /// Messages for the network to carry.
  var outgoing: [[UInt8]] = []
  /// Sequences that were given to its transactions.
  private(set) var sequences: [UInt64] = []
  /// What of the protocol it has sent.
  private(set) var census = Census()

  init(_ number: Int, random: SeededRandom, incarnation: UInt64, name: String) {
    (self.number, self.random) = (number, random)
    conversation = ControlConversation(incarnation: incarnation, name: name)
  }

  /// Who it is to the authenticator.
  var name: PeerName {
    PeerName(.process(LocalPeer(userID: 0, groupID: 0, processID: 1_000_000 + Int32(number))), serial: UInt64(number))
  }

  // MARK: What subclasses decide

  /// What it asks next, and whether that may be sent again; `nil` if nothing.
  func nextRequest(at now: Duration) -> (body: Envelope.Body, isRepeatable: Bool)? { nil }

  /// Whether it has something to ask once its pause is over.
  var wantsToAsk: Bool { isBusy }

  /// What came of what it asked.
  func finished(_ outcome: Result<Envelope.Body, MotionClientError>, at now: Duration) {}

  // MARK: Its socket

  /// Connects to the coordinator that listens now.
  func connect(_ context: ZeroMQContext, to endpoint: Endpoint) throws {
    let socket = try DealerSocket(context, .linger(.zero))
    try socket.connect(endpoint)
    self.socket = socket
  }

  /// Its coordinator is gone.
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

  /// Goes on.
  func turn(at now: Duration) {
    guard !hasLeft else { return }
    perform(conversation.elapsed(now: now), at: now)
    guard conversation.isIdle, now >= pauseUntil, let (body, isRepeatable) = nextRequest(at: now) else { return }
    perform(conversation.ask(body, isRepeatable: isRepeatable, deadline: now + .seconds(8), now: now), at: now)
  }

  private func perform(_ actions: [ControlConversation.Action], at now: Duration) {
    for action in actions {
      switch action {
      // What is under way here is lost or late by the network's doing alone.
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
