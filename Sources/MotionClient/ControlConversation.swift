import MotionModel
import MotionWire

/// A client's side of the control socket: one request at a time, sent again until it is answered or its time is up.
///
/// It decides, and touches no socket: bodies, envelopes and the time go in, envelopes to send and the outcome come
/// out. What is sent again is said after a new greeting, because a daemon that was restarted has a new epoch and drops
/// what is meant for the old one. Commits are recognised by their id and queries change nothing, so saying them twice
/// does no harm; a request that is not repeatable (`step`) is said once.
///
/// A daemon that says that it is stopping has done nothing, and the next one is perhaps about to start: it is asked again,
/// and what it said is the outcome if none comes in time.
///
/// A connection may be there and lead nowhere: through a network that has forgotten it, or a stream of which the other end
/// has lost the thread. So silence makes it connect anew, ever more seldom: when two words in a row were not answered in their
/// time, then four, eight and so on.
struct ControlConversation {
  /// How long to wait for an answer before the first repetition: three times what the largest transaction takes
  /// (300 ms), so that a busy daemon is not asked twice. It doubles with every repetition.
  static let firstTimeout = Duration.seconds(1)
  /// How long to wait for the answer to a greeting before it is sent again: it costs the daemon nothing.
  static let greetingTimeout = Duration.seconds(1)

  /// How long to wait after a daemon has said that it is stopping: it ends within so long, and starts within as much.
  static let stoppingTimeout = Duration.milliseconds(250)

  /// What is to be done.
  enum Action: Hashable {
    /// Give up the connection, and what is on its way in it, and make another one.
    case connectAnew
    /// Send this.
    case send(Envelope)
    /// The request has this outcome.
    case finish(Result<Envelope.Body, MotionClientError>)
  }

  private struct Request {
    let body: Envelope.Body
    let isRepeatable: Bool
    let deadline: Duration
    var timeout = ControlConversation.firstTimeout
    /// The numbers under which it was said.
    var numbers: Set<UInt64> = []
    /// What the daemon said when it was asked while it was stopping.
    var refusal: Refusal?
  }

  private enum State {
    /// Nothing is asked.
    case idle
    /// A greeting is on its way; the request follows when it is answered.
    case greeting(Request, number: UInt64, again: Duration)
    /// The request is on its way.
    case asking(Request, again: Duration)
  }

  /// Who this client is, on every socket of its: random, never 0.
  let incarnation: UInt64
  /// What the daemon said of itself; `nil` before the first greeting was answered.
  private(set) var service: Service?
  /// Which start of the daemon that was.
  private(set) var epoch: UInt64 = 0
  /// The daemon's clocks when it gave the last answer; `nil` before, and from a daemon that does not send them.
  private(set) var moment: Moment?

  private let name: String
  private var lastNumber: UInt64 = 0
  /// How many words in a row were not answered in their time.
  private var unanswered = 0
  private var state = State.idle

  /// A conversation of the client `incarnation`, which calls itself `name`.
  init(incarnation: UInt64, name: String) {
    self.incarnation = incarnation
    self.name = name
  }

  /// Asks something; a client that has not greeted yet greets first.
  ///
  /// - Precondition: nothing else is being asked.
  mutating func ask(
    _ body: Envelope.Body, isRepeatable: Bool = true, deadline: Duration, now: Duration
  ) -> [Action] {
    guard case .idle = state else { preconditionFailure("a client asks one thing at a time") }
    let request = Request(body: body, isRepeatable: isRepeatable, deadline: deadline)
    return service == nil || unanswered > 1 ? greet(for: request, now: now) : say(request, now: now)
  }

  /// Takes a message of the daemon. An answer to nothing that is asked (a late one, a repeated one) is ignored.
  mutating func receive(_ envelope: Envelope, now: Duration) -> [Action] {
    unanswered = 0
    switch state {
    case .greeting(let request, let number, _) where envelope.replyTo == number:
      return greeted(envelope, request, now: now)
    case .greeting(let request, _, _) where request.numbers.contains(envelope.replyTo):
      // The answer came after all, while greeting again.
      return answered(envelope, request, now: now)
    case .asking(let request, _) where request.numbers.contains(envelope.replyTo):
      return answered(envelope, request, now: now)
    case .idle, .greeting, .asking:
      return []
    }
  }

  /// Whether nothing is asked.
  var isIdle: Bool {
    if case .idle = state { return true }
    return false
  }

  /// How this client introduces itself.
  var greeting: Greeting { Greeting(name: name) }

  /// Makes the next question begin with a greeting: the daemon may be another one by now.
  mutating func forgetService() {
    service = nil
  }

  /// When ``elapsed(now:)`` has something to do; `nil` when nothing is asked.
  var nextDue: Duration? {
    switch state {
    case .idle: nil
    case .greeting(let request, _, let again), .asking(let request, let again): min(request.deadline, again)
    }
  }

  /// Lets time pass: repeats what was not answered, or gives up.
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
    // Without an epoch: this is what a daemon of any epoch takes.
    let envelope = number(.greeting(greeting), epoch: 0)
    state = .greeting(request, number: envelope.sequence, again: now + Self.greetingTimeout)
    let isTimeToConnect = unanswered > 1 && unanswered & (unanswered - 1) == 0
    return (isTimeToConnect ? [.connectAnew] : []) + [.send(envelope)]
  }

  private mutating func greeted(_ envelope: Envelope, _ request: Request, now: Duration) -> [Action] {
    guard case .service(let service) = envelope.body else { return finish(with: envelope) }
    self.service = service
    epoch = envelope.epoch
    // A greeting asked for by itself is answered with this.
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
