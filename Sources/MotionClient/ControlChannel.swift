import LinuxSystem
import MotionWire
import ZeroMQ

/// The control socket of a client with the conversation on it: carries out what ``ControlConversation`` decides.
///
/// Belongs to the thread that made it.
final class ControlChannel {
  private(set) var conversation: ControlConversation
  private var socket: ClientSocket<DealerKind>
  private let door: Door
  private let context: ZeroMQContext
  /// What ends a wait besides what comes.
  private var wakers: [Int32] = []

  /// Connects, without waiting for anybody.
  init(_ door: Door, context: ZeroMQContext, incarnation: UInt64, name: String) throws(MotionClientError) {
    conversation = ControlConversation(incarnation: incarnation, name: name)
    (self.door, self.context) = (door, context)
    socket = try ClientSocket.dealer(door, context)
  }

  /// Greets, and returns what the daemon says of itself.
  func greet(timeout: Duration) throws(MotionClientError) -> Service {
    let answer = try ask(.greeting(conversation.greeting), isRepeatable: true, timeout: timeout)
    guard case .service(let service) = answer else { throw .unexpected(answer.noun, to: "greeting") }
    return service
  }

  /// Asks something and waits for the answer.
  ///
  /// - Throws: `timeout` when there is none in time, `refused` when it is a refusal.
  func ask(
    _ body: Envelope.Body, isRepeatable: Bool, timeout: Duration
  ) throws(MotionClientError) -> Envelope.Body {
    let now = BootClock.now
    var actions = conversation.ask(body, isRepeatable: isRepeatable, deadline: now + timeout, now: now)
    while true {
      if let outcome = try perform(actions) { return try outcome.get() }
      guard let due = conversation.nextDue else { preconditionFailure("a question without an end") }
      try socket.wait(upTo: due - BootClock.now)
      actions = []
      while let envelope = try receive() {
        actions += conversation.receive(envelope, now: BootClock.now)
        if conversation.isIdle { break }
      }
      actions += conversation.elapsed(now: BootClock.now)
    }
  }

  /// Carries out what was decided, and returns the outcome if there is one.
  private func perform(
    _ actions: [ControlConversation.Action]
  ) throws(MotionClientError) -> Result<Envelope.Body, MotionClientError>? {
    for action in actions {
      switch action {
      case .connectAnew: try connectAnew()
      case .send(let envelope): try send(envelope)
      case .finish(let outcome): return outcome
      }
    }
    return nil
  }

  // MARK: Without waiting, for ``PresenceKeeper``

  /// Says that the client is there, unless the last word of that kind is still unanswered.
  func sayAlive(deadline: Duration, now: Duration) throws(MotionClientError) {
    guard conversation.isIdle else { return }
    _ = try perform(conversation.ask(.alive, isRepeatable: false, deadline: deadline, now: now))
  }

  /// Takes what has come, and lets time pass; an unanswered word makes it greet before the next.
  func catchUp() throws(MotionClientError) {
    while let envelope = try receive() {
      _ = try perform(conversation.receive(envelope, now: BootClock.now))
    }
    let outcome = try perform(conversation.elapsed(now: BootClock.now))
    if case .failure? = outcome { conversation.forgetService() }
  }

  /// Waits until something comes, or so long.
  func wait(upTo duration: Duration) throws(MotionClientError) {
    try socket.wait(upTo: duration)
  }

  /// Ends a wait also when the descriptor is readable: of a counter that was signalled, of a timer whose time has come.
  func wakes(for descriptor: Int32) {
    wakers.append(descriptor)
    socket.wakes(for: descriptor)
  }

  // MARK: Steps

  private func connectAnew() throws(MotionClientError) {
    socket = try ClientSocket.dealer(door, context)
    for descriptor in wakers { socket.wakes(for: descriptor) }
  }

  private func send(_ envelope: Envelope) throws(MotionClientError) {
    var envelope = envelope
    envelope.sent = UInt64(BootClock.nanoseconds)
    try socket.send(envelope.encoded())
  }

  private func receive() throws(MotionClientError) -> Envelope? {
    while let bytes = try socket.receive() {
      // What cannot be read is no answer: the question is asked again, or runs out of time.
      if let envelope = try? Envelope(decoding: bytes) { return envelope }
    }
    return nil
  }
}
