import MotionModel
import MotionWire
import ZeroMQ

/// A client's side of the control socket: one request at a time, resent until it is answered or its deadline passes.
///
/// It makes the decisions and uses no socket. Input: bodies, envelopes and the time; output: envelopes to send, and the
/// outcome.
///
/// A resent request follows a new greeting, because a restarted daemon has a new epoch and drops requests for the old
/// one. Resending is harmless: commits are recognised by their id, and queries change nothing. A request that is not
/// repeatable (`step`) is sent once.
///
/// A daemon that answers that it is stopping has done nothing, and its successor may start soon. The request is
/// therefore resent. If no other answer arrives in time, that refusal is the outcome.
///
/// A connection may exist and lead nowhere: through a network that has dropped its state, or a stream whose other end
/// is out of step. Without answers the client therefore reconnects with backoff: after two unanswered messages in a
/// row, then after four, eight and so on.
struct ControlConversation {
  /// The timeout before the first resend: three times the duration of the largest transaction (300 ms), so that a busy
  /// daemon does not receive the request twice. It doubles with every resend.
  static let firstTimeout = Duration.seconds(1)
  /// The timeout before a greeting is resent. Answering one costs the daemon nothing.
  static let greetingTimeout = Duration.seconds(1)

  /// How long, and how many, requests without an answer may follow each other: half of those that a socket queues, so
  /// that none is lost there.
  static let (toldTimeout, toldLimit) = (Duration.seconds(1), ClientSocket<DealerKind>.sendQueue / 2)

  /// How long to wait after a daemon answered that it is stopping: it ends within this time, and starts within as much.
  static let stoppingTimeout = Duration.milliseconds(250)

  /// The actions that the caller has to execute.
  enum Action: Hashable {
    /// Drop the connection, with the messages in transit, and make another one.
    case connectAnew
    /// Send this envelope.
    case send(Envelope)
    /// The request is finished, with this outcome.
    case finish(Result<Envelope.Body, MotionClientError>)
  }

  private struct Request {
    let body: Envelope.Body
    let isRepeatable: Bool
    let deadline: Duration
    var timeout = ControlConversation.firstTimeout
    /// The sequence numbers under which the request was sent.
    var numbers: Set<UInt64> = []
    /// The refusal by a daemon that was stopping, if there was one.
    var refusal: Refusal?
  }

  private enum State {
    /// No request is pending.
    case idle
    /// A greeting was sent; the request follows when it is answered.
    case greeting(Request, number: UInt64, again: Duration)
    /// The request was sent.
    case asking(Request, again: Duration)
  }

  /// The identity of this client on all of its sockets: random, never 0.
  let incarnation: UInt64
  /// The daemon's description of itself; `nil` before the first greeting was answered.
  private(set) var service: Service?
  /// The epoch of that daemon: the number of its start.
  private(set) var epoch: UInt64 = 0
  /// The daemon's clocks when it gave the last answer. `nil` before the first one, and from a daemon that does not send
  /// them.
  private(set) var moment: Moment?

  private let name: String
  private var lastNumber: UInt64 = 0
  /// The number of messages in a row that were not answered in time.
  private var unanswered = 0
  /// When the daemon sent its last answer, `nil` before the first one; and the requests without an answer since then.
  private var lastAnswer: Duration?
  private var told = 0
  private var state = State.idle

  /// Makes a conversation for the client `incarnation` with the name `name`.
  init(incarnation: UInt64, name: String) {
    self.incarnation = incarnation
    self.name = name
  }

  /// Starts a request. Without a completed greeting, the client greets first.
  ///
  /// - Precondition: no other request is pending.
  mutating func ask(
    _ body: Envelope.Body, isRepeatable: Bool = true, deadline: Duration, now: Duration
  ) -> [Action] {
    guard case .idle = state else { preconditionFailure("a client asks one thing at a time") }
    let request = Request(body: body, isRepeatable: isRepeatable, deadline: deadline)
    return service == nil || unanswered > 1 ? greet(for: request, now: now) : say(request, now: now)
  }

  /// The envelope of a request that needs no answer; `nil` if it is time for one, or something is wrong: then ask, so that
  /// a refusal or a restart is noticed, and the daemon keeps up.
  mutating func tell(_ body: Envelope.Body, now: Duration) -> Envelope? {
    guard case .idle = state, service != nil, unanswered == 0, let lastAnswer, now - lastAnswer < Self.toldTimeout,
      told < Self.toldLimit
    else { return nil }
    told += 1
    return Envelope(epoch: epoch, incarnation: incarnation, sequence: 0, body)
  }

  /// Processes a message of the daemon. An answer to no pending request (late or repeated) is ignored.
  mutating func receive(_ envelope: Envelope, now: Duration) -> [Action] {
    unanswered = 0
    (lastAnswer, told) = (now, 0)
    switch state {
    case .greeting(let request, let number, _) where envelope.replyTo == number:
      return greeted(envelope, request, now: now)
    case .greeting(let request, _, _) where request.numbers.contains(envelope.replyTo):
      // The answer arrived after all, while the client was greeting again.
      return answered(envelope, request, now: now)
    case .asking(let request, _) where request.numbers.contains(envelope.replyTo):
      return answered(envelope, request, now: now)
    case .idle, .greeting, .asking:
      return []
    }
  }

  /// Whether no request is pending.
  var isIdle: Bool {
    if case .idle = state { return true }
    return false
  }

  /// The greeting of this client.
  var greeting: Greeting { Greeting(name: name) }

  /// Gives up the pending request; its answer is ignored.
  mutating func abandon() { state = .idle }

  /// Makes the next request begin with a greeting, because the daemon may have been replaced.
  mutating func forgetService() {
    service = nil
  }

  /// When ``elapsed(now:)`` has something to do; `nil` when no request is pending.
  var nextDue: Duration? {
    switch state {
    case .idle: nil
    case .greeting(let request, _, let again), .asking(let request, let again): min(request.deadline, again)
    }
  }

  /// Handles timeouts: resends an unanswered request, or ends it with an error.
  mutating func elapsed(now: Duration) -> [Action] {
    switch state {
    case .idle:
      return []
    case .greeting(let request, _, _) where now >= request.deadline,
      .asking(let request, _) where now >= request.deadline:
      state = .idle
      unanswered += 1
      return [.finish(.failure(request.refusal.map { .refused($0) } ?? timeout(of: request)))]
    case .greeting(let request, _, let again):
      guard now >= again else { return [] }
      unanswered += 1
      return greet(for: request, now: now)
    case .asking(var request, let again):
      guard now >= again, request.isRepeatable else { return [] }
      request.timeout *= 2
      unanswered += 1
      return greet(for: request, now: now)
    }
  }

  // MARK: Steps

  private mutating func greet(for request: Request, now: Duration) -> [Action] {
    // The epoch is absent, so that a daemon of any epoch accepts it.
    let envelope = number(.greeting(greeting), epoch: 0)
    state = .greeting(request, number: envelope.sequence, again: now + Self.greetingTimeout)
    let isTimeToConnect = unanswered > 1 && unanswered & (unanswered - 1) == 0
    return (isTimeToConnect ? [.connectAnew] : []) + [.send(envelope)]
  }

  private mutating func greeted(_ envelope: Envelope, _ request: Request, now: Duration) -> [Action] {
    guard case .service(let service) = envelope.body else { return finish(with: envelope) }
    self.service = service
    epoch = envelope.epoch
    // If the request is itself a greeting, this is its answer.
    if case .greeting = request.body { return finish(with: envelope) }
    return say(request, now: now)
  }

  private mutating func say(_ request: Request, now: Duration) -> [Action] {
    var request = request
    let envelope = number(request.body, epoch: epoch)
    request.numbers.insert(envelope.sequence)
    state = .asking(request, again: request.isRepeatable ? now + request.timeout : request.deadline)
    return [.send(envelope)]
  }

  private mutating func answered(_ envelope: Envelope, _ request: Request, now: Duration) -> [Action] {
    guard case .refusal(let refusal) = envelope.body, refusal.code == .stopping, request.isRepeatable else {
      return finish(with: envelope)
    }
    var request = request
    request.refusal = refusal
    state = .asking(request, again: now + Self.stoppingTimeout)
    return []
  }

  private mutating func finish(with envelope: Envelope) -> [Action] {
    state = .idle
    moment = envelope.moment
    if case .refusal(let refusal) = envelope.body { return [.finish(.failure(.refused(refusal)))] }
    return [.finish(.success(envelope.body))]
  }

  private mutating func number(_ body: Envelope.Body, epoch: UInt64) -> Envelope {
    lastNumber += 1
    return Envelope(epoch: epoch, incarnation: incarnation, sequence: lastNumber, body)
  }

  private func timeout(of request: Request) -> MotionClientError {
    let wasGreeted = service != nil
    return MotionClientError(
      .timeout, wasGreeted ? "motiond did not answer in time" : "motiond did not answer the greeting in time",
      remedy: """
        It may be stopped or very busy: see its log, or ask again with a longer --timeout
        """)
  }
}
