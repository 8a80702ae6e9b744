import LinuxSystem
import MotionWire
import ZeroMQ

/// The control socket of a client, with its conversation: executes the decisions of ``ControlConversation``.
///
/// Belongs to the thread that made it.
final class ControlChannel {
  private(set) var conversation: ControlConversation
  private var socket: ClientSocket<DealerKind>
  private let door: Door
  private let context: ZeroMQContext
  /// Descriptors that end a wait, besides the socket.
  private var wakers: [Int32] = []
  /// The descriptor that interrupts a request.
  private let interruption: Interruptor?

  /// Connects, without waiting for a daemon.
  ///
  /// - Parameter interruption: a descriptor that interrupts requests while it is readable.
  init(
    _ door: Door, context: ZeroMQContext, incarnation: UInt64, name: String,
    interruptedBy interruption: Interruptor? = nil
  ) throws(MotionClientError) {
    conversation = ControlConversation(incarnation: incarnation, name: name)
    (self.door, self.context, self.interruption) = (door, context, interruption)
    socket = try ClientSocket.dealer(door, context)
    if let interruption { wakes(for: interruption.descriptor) }
  }

  /// Greets the daemon, and returns its description of itself.
  func greet(timeout: Duration) throws(MotionClientError) -> Service {
    let answer = try ask(.greeting(conversation.greeting), isRepeatable: true, timeout: timeout)
    guard case .service(let service) = answer else { throw .unexpected(answer.noun, to: "greeting") }
    return service
  }

  /// Sends a request and waits for the answer.
  ///
  /// - Throws: `timeout` if no answer arrives in time, `refused` if the answer is a refusal, `interrupted`.
  func ask(
    _ body: Envelope.Body, isRepeatable: Bool, timeout: Duration
  ) throws(MotionClientError) -> Envelope.Body {
    try ask(body, isRepeatable: isRepeatable, timeout: timeout) { try? Envelope(decoding: $0) }
  }

  /// Sends a query of a whole list, and returns the rows of the answer as they came.
  ///
  /// - Returns: `nil` if the answer is something else.
  func rows<Row>(_ type: Row.Type, timeout: Duration) throws(MotionClientError) -> EncodedRows<Row>? {
    var rows: EncodedRows<Row>?
    _ = try ask(.query(Row.query), isRepeatable: true, timeout: timeout) { bytes in
      // Of several messages, the last one is the answer.
      rows = nil
      do {
        guard let split = try EncodedRows<Row>.split(bytes) else { return try? Envelope(decoding: bytes) }
        rows = split.rows
        return split.envelope
      } catch {
        return nil
      }
    }
    return rows
  }

  private func ask(
    _ body: Envelope.Body, isRepeatable: Bool, timeout: Duration, decode: ([UInt8]) -> Envelope?
  ) throws(MotionClientError) -> Envelope.Body {
    let now = BootClock.now
    var actions = conversation.ask(body, isRepeatable: isRepeatable, deadline: now + timeout, now: now)
    while true {
      if let outcome = try perform(actions) { return try outcome.get() }
      guard let due = conversation.nextDue else { preconditionFailure("a question without an end") }
      try socket.wait(upTo: due - BootClock.now)
      actions = []
      while let envelope = try receive(decode) {
        actions += conversation.receive(envelope, now: BootClock.now)
        if conversation.isIdle { break }
      }
      if !conversation.isIdle, interruption?.isSignalled == true {
        conversation.abandon()
        throw .interrupted
      }
      actions += conversation.elapsed(now: BootClock.now)
    }
  }

  /// Sends a request that needs no answer.
  ///
  /// - Returns: whether it was sent; if not, ``ask(_:isRepeatable:timeout:)``: a daemon is to answer once a second.
  func tell(_ body: Envelope.Body) throws(MotionClientError) -> Bool {
    guard let envelope = conversation.tell(body, now: BootClock.now) else { return false }
    try send(envelope)
    return true
  }

  /// Executes actions, and returns the outcome if one of them has it.
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

  /// Sends a sign of life, unless the previous one is still unanswered.
  func sayAlive(deadline: Duration, now: Duration) throws(MotionClientError) {
    guard conversation.isIdle else { return }
    _ = try perform(conversation.ask(.alive, isRepeatable: false, deadline: deadline, now: now))
  }

  /// Processes the received messages and the timeouts. After an unanswered sign of life, the next one begins with a
  /// greeting.
  func catchUp() throws(MotionClientError) {
    while let envelope = try receive({ try? Envelope(decoding: $0) }) {
      _ = try perform(conversation.receive(envelope, now: BootClock.now))
    }
    let outcome = try perform(conversation.elapsed(now: BootClock.now))
    if case .failure? = outcome { conversation.forgetService() }
  }

  /// Waits until a message arrives, or until the timeout.
  func wait(upTo duration: Duration) throws(MotionClientError) {
    try socket.wait(upTo: duration)
  }

  /// Makes a wait end also when the descriptor is readable: an event counter that was signalled, or a timer that has
  /// fired.
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

  private func receive(_ decode: ([UInt8]) -> Envelope?) throws(MotionClientError) -> Envelope? {
    while let bytes = try socket.receive() {
      // An unreadable message is no answer: the request is resent, or times out.
      if let envelope = decode(bytes) { return envelope }
    }
    return nil
  }
}
