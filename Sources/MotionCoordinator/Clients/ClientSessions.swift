import LinuxSystem
import MotionCore
import MotionModel
import MotionWire
import ZeroMQ

/// Receives the requests of clients and makes their replies: what is being decoded, the answers that are made piece by
/// piece, the inspections that wait for workers, and which clients are still there.
///
/// Each call is one event. It returns what the owner has to do, in order; the owner carries out requests and sends
/// messages.
struct ClientSessions {
  /// An action for the owner.
  enum Action {
    /// Carry out a decoded request.
    case take(RequestDecoder.Decoded)
    case refuse(Refusal, to: RoutingID, request: UInt64)
    /// Send a reply.
    case send(Message, to: RoutingID)
  }

  /// A request to carry out.
  struct Request {
    let envelope: Envelope
    /// The data about its commit, if it has one.
    let commit: DecodedCommit?
    let requester: Requester
    /// The connection that it came by, where that was looked up.
    let connection: Int32?
  }

  /// The counters of requests and replies.
  struct Counters {
    var requests: UInt64 = 0
    var refusals: UInt64 = 0
    var malformedMessages: UInt64 = 0
    var foreignMessages: UInt64 = 0
    var unsentReplies: UInt64 = 0
    /// Bytes of messages, without libzmq's own.
    var bytesFromClients: UInt64 = 0
    var bytesToClients: UInt64 = 0
  }

  /// The number of this start of the coordinator, which each reply names.
  let epoch: UInt64
  /// Decodes large requests on a thread of its own.
  let decoder: RequestDecoder
  /// The large requests that were decoded and wait for their turn.
  var large = LargeRequests()
  /// Makes long answers piece by piece.
  let longAnswers: LongAnswers
  /// The clients whose silence has consequences.
  private(set) var presence: ClientPresence
  /// All clients, for lists and for the log.
  private(set) var table = ClientTable()
  var inspections = Inspections<RoutingID>()
  var counters = Counters()
  private var budget = AnswerBudget()
  /// Limits the lines about refusals.
  private var refusalLines = ReportLimit(10, per: .seconds(1))
  private var replySequence: UInt64 = 0

  /// - Parameters:
  ///   - machine: runs the threads.
  ///   - presence: the clients of an earlier start.
  ///   - keepsBytes: whether the bytes of large commits are kept, for a journal.
  init(epoch: UInt64, presence: ClientPresence, keepsBytes: Bool, on machine: any Machine) throws {
    (self.epoch, self.presence) = (epoch, presence)
    decoder = try RequestDecoder(on: machine, keepsBytes: keepsBytes)
    longAnswers = try LongAnswers(on: machine)
  }

  // MARK: Requests

  /// A message came. A large one is decoded on another thread, and carried out when that is done.
  mutating func receive(
    _ message: Message, from client: RoutingID, on machine: any Machine, at now: Duration
  ) -> Action? {
    counters.requests += 1
    counters.bytesFromClients += UInt64(message.count)
    guard decoder.isFor(message, from: client) else {
      var decoded = RequestDecoder.decode(message, from: client)
      if decoded.asksForRows { decoded.connection = machine.connection(of: message) }
      // The query costs a microsecond, so it is made only for what keeps or logs the result.
      if decoded.isCommit || decoded.isClockOrStop { decoded.peer = machine.sender(of: message)?.peer }
      note(decoded, message, on: machine, at: now)
      return .take(decoded)
    }
    let header = message.withUnsafeBytes { try? EnvelopeHeader(decoding: $0) }
    // The sender is alive, however long the decoding takes.
    if let header, header.epoch == epoch { presence.heard(header.incarnation, at: now) }
    guard !decoder.hand(over: message, from: client, by: machine.sender(of: message)?.peer) else { return nil }
    return .refuse(Self.decoding, to: client, request: header?.sequence ?? 0)
  }

  /// Queues a request that was decoded and is carried out piece by piece.
  ///
  /// - Returns: the refusal, if there is no room for it.
  mutating func postpone(_ decoded: RequestDecoder.Decoded) -> Refusal? {
    guard let decoded = decoder.queue(decoded) else { return Self.decoding }
    large.requests.append(decoded)
    return nil
  }

  private static let decoding = Refusal(
    .limit, "requests of \(RequestDecoder.bytesUnderWay >> 20) MiB are being decoded already",
    remedy: "Retry in a second, or send smaller messages")

  /// Notes who has sent a request; more than the time only if it is new, or introduces itself.
  private mutating func note(
    _ decoded: RequestDecoder.Decoded, _ message: Message, on machine: any Machine, at now: Duration
  ) {
    guard case .success((let envelope, _)) = decoded.result, envelope.epoch == 0 || envelope.epoch == epoch else {
      return
    }
    let id = envelope.incarnation
    var name: String?
    switch envelope.body {
    case .greeting(let greeting): name = greeting.name
    case .commit(let commit) where !commit.client.isEmpty && !table.knows(id): name = commit.client
    default: break
    }
    guard name != nil || !table.knows(id) else { return table.heard(id, at: now) }
    table.note(
      id, named: name, machine.sender(of: message), on: machine.connection(of: message), at: now,
      wallTime: machine.wallTime, isConnected: machine.isConnected)
  }

  /// The clients, in the order of their first requests.
  func rows(on machine: any Machine, at now: Duration) -> [ClientRow] {
    table.rows(presence, at: now, isConnected: machine.isConnected)
  }

  /// A request was decoded.
  ///
  /// - Returns: the request to carry out; `nil` for one that was meant for an earlier start. The receipts, handles and
  ///   times that its sender holds are no longer valid. The client repeats its handshake when it gets no answer; a
  ///   handshake carries no epoch.
  /// - Throws: the refusal of a message that could not be decoded.
  mutating func request(_ decoded: RequestDecoder.Decoded, at now: Duration) throws(Refusal) -> Request? {
    switch decoded.result {
    case .failure(let error):
      counters.malformedMessages += 1
      throw error.refusal
    case .success((let envelope, let commit)):
      guard envelope.epoch == 0 || envelope.epoch == epoch else {
        counters.foreignMessages += 1
        return nil
      }
      presence.heard(envelope.incarnation, at: now)
      return Request(
        envelope: envelope, commit: commit,
        requester: Requester(
          client: decoded.client, request: decoded.request, peer: decoded.peer, incarnation: envelope.incarnation),
        connection: decoded.connection)
    }
  }

  /// Who has sent a request, for the log: the peer of its connection, and the name that it gave itself.
  func name(of requester: Requester) -> Committer {
    let known = table.client(requester.incarnation)
    // Any client can state the incarnation of another one, and none the peer.
    return requester.peer.map { Committer($0, name: known?.name ?? "") } ?? known ?? Committer()
  }

  /// Who has sent a message; `nil` if it could not be decoded.
  func name(of decoded: RequestDecoder.Decoded) -> Committer? {
    guard case .success((let envelope, _)) = decoded.result else { return nil }
    return table.client(envelope.incarnation)
  }

  /// The line of the log about a refused request; `nil` if there have been too many.
  ///
  /// - Parameter client: who sent it; `nil` if it could not be read.
  mutating func line(about refusal: Refusal, of client: Committer?, at now: Duration) -> String? {
    refusalLines.line("a request of \(client?.description ?? "an unknown client") is refused: \(refusal)", at: now)
  }

  // MARK: Replies

  /// Makes a reply, or the refusal of an answer for which there is no room.
  ///
  /// - Parameter moment: the present times of all clocks.
  mutating func reply(
    _ body: Envelope.Body, to client: RoutingID, request: UInt64, moment: Moment, at now: Duration
  ) -> Message {
    if case .refusal = body { counters.refusals += 1 }
    let envelope = envelope(body, request: request, moment: moment, at: now)
    if let message = budget.share(of: client).message(of: envelope.encoded()) { return message }
    return reply(.refusal(.unread), to: client, request: request, moment: moment, at: now)
  }

  /// A request was refused that has no answer.
  mutating func refusedInSilence() { counters.refusals += 1 }

  /// The envelope of the next reply.
  private mutating func envelope(
    _ body: Envelope.Body, request: UInt64, moment: Moment, at now: Duration
  ) -> Envelope {
    replySequence += 1
    return Envelope(
      epoch: epoch, sequence: replySequence, replyTo: request, sent: UInt64(now.wholeNanoseconds), moment: moment, body)
  }

  /// A reply of so many bytes was passed to the socket. A client that is gone, or does not read, loses its answer; it
  /// retries with the same id.
  mutating func sent(bytes: Int, isSent: Bool) {
    if isSent { counters.bytesToClients += UInt64(bytes) } else { counters.unsentReplies += 1 }
  }

  // MARK: Long answers

  /// Queues a query whose answer is made piece by piece.
  ///
  /// - Throws: the refusal, when too many wait already.
  func ask(_ question: AnswerQueue<RoutingID>.Question) throws(Refusal) { try longAnswers.ask(question) }

  /// Adds a query for the present state.
  ///
  /// - Returns: what takes the state, and answers with it; `nil` for a resend of a query that still waits.
  /// - Throws: the refusal, when too many wait already.
  mutating func awaitState(
    _ question: AnswerQueue<RoutingID>.Question, moment: Moment, at now: Duration
  ) throws(Refusal) -> StateReceiver? {
    guard let number = try longAnswers.queue.await(question) else { return nil }
    let envelope = envelope(.alive, request: question.request, moment: moment, at: now)
    return longAnswers.encoder.receiver(of: number, like: envelope, within: budget.share(of: question.client))
  }

  /// Makes the next rows of long answers, if that is due.
  ///
  /// - Parameters:
  ///   - due: when the next frame is due, before which this ends.
  ///   - moment: the present times of all clocks.
  mutating func makeAnswers(
    from runtime: Runtime, until due: Duration?, on machine: any Machine, moment: (Duration) -> Moment
  ) -> [Action] {
    let begin = machine.now
    guard let deadline = longAnswers.queue.deadline, begin >= deadline else { return [] }
    let actions = longAnswers.queue.advance(runtime, at: moment(begin).time, isConnected: machine.isConnected) {
      AnswerQueue<RoutingID>.hasTime(since: begin, at: machine.now, until: due)
    }
    var refusals: [Action] = []
    for action in actions {
      switch action {
      case .encode(let piece, let number, let query): longAnswers.encoder.add(piece, of: number, to: query)
      case .forget(let number): longAnswers.encoder.forget(number)
      case .refuse(let question, let refusal):
        refusals.append(.refuse(refusal, to: question.client, request: question.request))
      case .finish(let number, let question, let frames):
        // Everything except the body, which is already encoded.
        let now = machine.now
        let envelope = envelope(.alive, request: question.request, moment: moment(now), at: now)
        longAnswers.encoder.finish(
          number, to: question.query, remarks: question.remarks, like: envelope, madeIn: frames,
          within: budget.share(of: question.client))
      }
    }
    longAnswers.queue.rest(after: begin, at: machine.now)
    return refusals
  }

  /// Takes the answers that were encoded, and refuses those that cannot be sent.
  mutating func takeAnswers() -> [Action] {
    longAnswers.encoder.take().compactMap { result in
      switch result {
      case .encoded(let rows):
        longAnswers.queue.encoded(rows)
        return nil
      case .made(let number, let encoded):
        return longAnswers.queue.finish(number).map { .send(encoded.message, to: $0.client) }
      case .tooLong(let number):
        longAnswers.encoder.forget(number)
        return longAnswers.queue.finish(number).map {
          .refuse(.tooLong($0.query), to: $0.client, request: $0.request)
        }
      case .noRoom(let number):
        return longAnswers.queue.finish(number).map { .refuse(.unread, to: $0.client, request: $0.request) }
      case .refused(let number, let refusal):
        return longAnswers.queue.finish(number).map { .refuse(refusal, to: $0.client, request: $0.request) }
      }
    }
  }

  /// Queues the answers of inspections that wait for no more workers.
  mutating func answerInspections(in runtime: Runtime, at now: Duration) -> [Action] {
    inspections.take(at: now).compactMap { question in
      do throws(Refusal) {
        try QueryLimits.check(.graph(question.target), in: runtime)
        try ask(
          .init(
            client: question.client, request: question.request, query: .graph(question.target),
            connection: question.connection, streams: question.streams, remarks: question.remarks))
        return nil
      } catch {
        return .refuse(error, to: question.client, request: question.request)
      }
    }
  }

  // MARK: Presence

  /// A transaction took effect that holds while its client is connected.
  mutating func hold(_ sequence: UInt64, by client: UInt64, in runtime: Runtime, at now: Duration) {
    presence.committed(sequence, by: client, at: now, unfinished: runtime.unfinished)
  }

  /// Removes the clients that are gone, and returns what they leave behind.
  ///
  /// - Parameter time: the simulated time at which their pointers are cancelled.
  mutating func takeGone(at now: Duration, pointersAt time: Double) -> ClientPresence.Remains {
    presence.takeGone(at: now, pointersAt: time)
  }

  /// Cancels all pointers that are down, because a hold begins.
  ///
  /// - Parameter time: the simulated time at which they are cancelled.
  mutating func cancelPointers(at time: Double) -> [PointerInput] { presence.cancelPointers(at: time) }

  /// The coordinator was suspended: silence in that time does not count against clients.
  mutating func wasStalled(at now: Duration) { presence.wasStalled(at: now) }

  /// A client sends pointer events, at times of the boot clock; they are taken into the next frame.
  ///
  /// - Throws: ``MotionModel/Refusal`` when a time is too far from now, too much input waits, or too many pointers are
  ///   down.
  mutating func receive(
    _ input: PointerInput, from client: UInt64, in runtime: Runtime, _ clock: FrameSchedule, at now: Duration
  ) throws(Refusal) {
    let downs = input.events.count { $0.phase == .down }
    guard downs == 0 || presence.pointerCount(of: client) + downs <= Limits.pointersDown else {
      throw Refusal(
        .limit, "a client has at most \(Limits.pointersDown) pointers down",
        remedy: "Send up or cancel for pointers that have ended")
    }
    var input = input
    for index in input.events.indices {
      try input.events[index].checkPlace()
      let moment = try Self.bootTime(input.events[index].time, of: "a pointer event", at: now)
      input.events[index].time = clock.time(ofEventAt: moment)
    }
    try runtime.submit(input)
    presence.touched(input, by: client, at: now)
  }

  /// A client sends input values, at times of the boot clock; the newest of each name is taken into the next frame.
  ///
  /// - Throws: ``MotionModel/Refusal`` when a value is out of range, a time is too far from now, or there are too many
  ///   names.
  mutating func receive(
    _ input: InputValues, from client: UInt64, in runtime: Runtime, _ clock: FrameSchedule, at now: Duration
  ) throws(Refusal) {
    var input = input
    for index in input.values.indices {
      let moment = try Self.bootTime(input.values[index].time, of: "the value \(input.values[index].name)", at: now)
      input.values[index].time = clock.time(ofEventAt: moment)
    }
    try runtime.submit(input)
    presence.sent(input, by: client, at: now)
  }

  /// The time of an event, on the boot clock; 0 is now.
  private static func bootTime(
    _ time: Double, of event: @autoclosure () -> String, at now: Duration
  ) throws(Refusal) -> Duration {
    guard time != 0 else { return now }
    let distance = time - now.inSeconds
    guard abs(distance) <= Limits.pointerEventSeconds else {
      throw Refusal(
        .value, "the time of \(event()) is \(JSONText.number(distance.rounded())) s from now",
        remedy:
          "Send the time in seconds of the boot clock, at most \(Int(Limits.pointerEventSeconds)) s from now, or 0 for now."
      )
    }
    return now + .seconds(distance)
  }
}

extension Refusal {
  /// There is no state between two frames yet.
  static let isSettling = Refusal(
    .limit, "a large transaction is being applied over several frames", remedy: "Retry in a second")

  /// Too many unread answers wait in the queues: there is no room for another long one.
  static let unread = Refusal(
    .limit,
    "answers that are not read take \(AnswerBudget.limitOfClient >> 20) MiB for this client, or "
      + "\(AnswerBudget.limit >> 20) MiB for all clients",
    remedy: "Read the answers, or end the clients that do not read them, then retry")
}

extension PointerEvent {
  fileprivate func checkPlace() throws(Refusal) {
    guard isWellFormed else {
      throw Refusal(
        .value, "the location of a pointer is (\(location.x), \(location.y))",
        remedy: "Send coordinates from -\(Limits.magnitude) to \(Limits.magnitude).")
    }
  }
}
