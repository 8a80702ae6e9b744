import Logging
import MotionCore
import MotionLink
import MotionModel
import MotionWire
import ZeroMQ

/// Carries out the requests of clients.
extension Coordinator {
  /// Carries out the actions of the client sessions, in order.
  func perform(_ actions: [ClientSessions.Action], at now: Duration) {
    for action in actions { perform(action, at: now) }
  }

  private func perform(_ action: ClientSessions.Action, at now: Duration) {
    switch action {
    case .take(let decoded):
      guard isLarge(decoded) else { return take(decoded, at: now) }
      if let refusal = clients.postpone(decoded) {
        refuse(refusal, to: decoded.client, request: decoded.request)
      }
    case .refuse(let refusal, let client, let request): refuse(refusal, to: client, request: request)
    case .send(let message, let client): send(message, to: client)
    }
  }

  /// Receives one request.
  func receiveRequest(_ message: Message, from client: RoutingID, at now: Duration) {
    guard listeners.allows(machine.sender(of: message), as: .client) else {
      clients.counters.foreignMessages += 1
      return
    }
    if let action = clients.receive(message, from: client, on: machine, at: now) { perform(action, at: now) }
  }

  /// Carries out a decoded request and answers it, or refuses one that could not be decoded.
  ///
  /// - Parameter check: the finished check of a commit, if it was checked already.
  func take(_ decoded: RequestDecoder.Decoded, at now: Duration, checked check: TransactionCheck? = nil) {
    do {
      guard let request = try clients.request(decoded, at: now) else { return }
      // A heartbeat requests no time; otherwise an idle motiond would write to the journal each second.
      if request.envelope.body != .alive { commits.toldTime(in: runtime, clock, at: now) }
      guard let answer = try answer(request, check, at: now), decoded.isAnswered else { return }
      reply(answer, to: decoded.client, request: decoded.request)
    } catch {
      log(error, of: clients.name(of: decoded), at: now)
      guard decoded.isAnswered else { return clients.refusedInSilence() }
      refuse(error, to: decoded.client, request: decoded.request)
    }
  }

  /// Carries out the request of a client; returns `nil` when the answer follows later.
  private func answer(
    _ request: ClientSessions.Request, _ check: TransactionCheck?, at now: Duration
  ) throws(Refusal) -> Envelope.Body? {
    let (envelope, requester) = (request.envelope, request.requester)
    switch envelope.body {
    case .greeting(let greeting): return .service(try serve(greeting, at: now))
    case .commit(let commit):
      let commit = CommitRequest(
        commit: commit, decoded: request.commit ?? DecodedCommit(of: commit),
        client: envelope.incarnation, requester: requester, wallTime: machine.wallTime,
        grant: settings.priorities.grant(of: requester.peer, by: listeners.sockets.authorizedKeys))
      try accept(commit, check, at: now)
      return nil
    case .query(.graph(let target)):
      return try inspect(target, for: requester.client, on: request.connection, request: requester.request, at: now)
        .map { .answer($0) }
    case .query(let query):
      return try answer(query, for: requester.client, on: request.connection, request: requester.request, at: now).map {
        .answer($0)
      }
    case .clock(let command):
      try obey(command, of: requester, at: now)
      return nil
    case .stop(var stop):
      stop = try runtime.resolve(stop)
      // What a hold has slowed down to rest does not brake after its release.
      if clock.isHeldStill { stop.ramp = false }
      let client = clients.name(of: requester)
      stop.by = client
      applyNow(.stop(stop), at: now)
      logger.notice("\(stop.ofWhat) stopped by \(client)")
      perform(commits.keep(.stop(stop), for: requester, in: runtime, time: clock.time(at: now)), at: now)
      return nil
    case .alive: return .done(clock.state(at: now))
    case .restart(let plugin):
      perform(try workers.restart(plugin, isRecording: isRecording, at: now), at: now)
      return .done(clock.state(at: now))
    case .input(let input):
      // Pointers are cancelled when a hold begins, and have no effect before its release.
      guard clock.hold == nil else { return .done(clock.state(at: now)) }
      try clients.receive(input, from: envelope.incarnation, in: runtime, clock, at: now)
      return .done(clock.state(at: now))
    case .inputValues(let input):
      try clients.receive(input, from: envelope.incarnation, in: runtime, clock, at: now)
      return .done(clock.state(at: now))
    case .record(let path?):
      try record(to: path, for: requester, at: now)
      return .done(clock.state(at: now))
    case .record(nil):
      try stopRecording(for: requester)
      return nil
    case .historyRequest(let request):
      guard let actions = try history?.request(request, of: requester) else {
        throw Refusal(
          .notFound, "motiond keeps no history", remedy: "Start it with a history, such as --history 10min")
      }
      perform(actions, at: now)
      return nil
    case .cancel(let sequence):
      let time = clock.time(at: now)
      perform(try commits.cancel(sequence, for: requester, in: runtime, time: time), at: now)
      return nil
    default:
      throw Refusal(
        .malformed, "the message is not a request",
        remedy: "Send Greeting, Commit, Query, Clock, Stop, Alive, Restart, Input, Cancel, Record or HistoryRequest")
    }
  }

  private func serve(_ greeting: Greeting, at now: Duration) throws(Refusal) -> Service {
    guard greeting.handshakeVersions.overlaps(ProtocolVersion.handshake),
      greeting.protocolVersions.overlaps(ProtocolVersion.messages)
    else {
      throw Refusal(
        .version,
        "the client uses message versions \(greeting.protocolVersions), motiond uses \(ProtocolVersion.messages)",
        remedy: "Use a client of the same protocol as this motiond")
    }
    return Service(
      protocolVersion: min(greeting.protocolVersions.upperBound, ProtocolVersion.messages.upperBound),
      valuesEndpoint: listeners.directory.values.address, ratePerSecond: settings.ratePerSecond,
      clock: clock.state(at: now))
  }

  func accept(_ request: CommitRequest, _ check: TransactionCheck?, at now: Duration) throws(Refusal) {
    do {
      perform(
        try commits.receive(request, check, in: runtime, time: clock.time(at: now), held: clock.hold, at: now), at: now)
    } catch {
      throw workers.explain(error, of: request.commit.transaction)
    }
  }

  /// Commits the limits of the rig that are not in effect.
  func commitRig(at now: Duration) {
    guard let path = settings.rig, !isStopping else { return }
    do {
      guard let commit = try RigFile(path).commit(in: runtime) else { return }
      try accept(
        CommitRequest(
          commit: commit, decoded: DecodedCommit(of: commit), client: 0, requester: nil, wallTime: machine.wallTime),
        nil, at: now)
      let count = commit.transaction.log.count
      logger.notice("the rig \(path) sets the limits of \(count == 1 ? "a property" : "\(count) properties")")
    } catch {
      logger.error("the rig \(path) sets no limits: \(error)")
    }
  }

  /// Carries out a command about the clock; a step is answered when its frames have been run.
  private func obey(_ command: ClockCommand, of requester: Requester, at now: Duration) throws(Refusal) {
    var command = command
    switch command {
    case .hold(let request):
      finishStepping()
      let hold = ClockHold(
        refuses: request.refuses, since: machine.wallTime, by: Committer(requester.peer, name: request.by.name))
      command = .hold(hold)
      if clock.hold == nil {
        for input in clients.cancelPointers(at: clock.time(ofEventAt: now)) where runtime.takesInput(input.target) {
          try? runtime.submit(input)
        }
        logger.notice("all motion is held by \(hold.by); motionctl release ends that")
        if runtime.isActive { runPresentFrame(at: now) }
      }
      frames.hold(hold, over: runtime.rampSeconds, at: now)
    case .release:
      if clock.hold != nil { logger.notice("the hold is released by \(clients.name(of: requester))") }
      frames.release(over: runtime.rampSeconds, at: now)
    case .pause:
      // What begins between two frames while time stands begins at the last frame, as with a worker that is provisioned.
      if runtime.isActive { runPresentFrame(at: now) }
      if !clock.isPaused { logger.notice("time is paused by \(clients.name(of: requester))") }
      frames.pause(at: now)
    case .resume:
      finishStepping()
      if clock.isPaused { logger.notice("time is resumed by \(clients.name(of: requester))") }
      frames.resume(at: now)
    case .speed(let speed):
      try frames.setSpeed(speed, at: now)
      logger.debug("the speed is set to \(speed) by \(clients.name(of: requester))")
    case .step(let count):
      guard count > 0 || !clock.isPaused else {
        return reply(.done(clock.state(at: now)), to: requester)
      }
      return try frames.beginStepping(count, for: requester, at: now)
    }
    perform(commits.keep(.clock(command), for: requester, in: runtime, time: clock.time(at: now)), at: now)
  }

  // MARK: Queries

  /// Answers a query: at once if that takes no longer than a small commit, otherwise piece by piece.
  ///
  /// - Returns: the answer; `nil` when it follows later.
  /// - Throws: ``MotionModel/Refusal`` when the subject of the query does not exist, or the answer would be too long.
  func answer(
    _ query: Query, for client: RoutingID, on connection: Int32?, request: UInt64, at now: Duration
  ) throws(Refusal) -> Answer? {
    try QueryLimits.check(query, in: runtime)
    _ = try runtime.known(query.target)
    if case .snapshot = query {
      try answerWithState(.init(client: client, request: request, query: query, connection: connection), at: now)
      return nil
    }
    if runtime.places(for: query) > QueryLimits.rowsAtOnce {
      try clients.ask(.init(client: client, request: request, query: query, connection: connection))
      return nil
    }
    return try answer(query, at: now)
  }

  /// Answers a query that is about one target, or about few things.
  private func answer(_ query: Query, at now: Duration) throws(Refusal) -> Answer {
    let answer: Answer?
    do {
      answer = try runtime.answer(query, at: clock.time(at: now))
    } catch {
      if case .types(let type) = query { throw workers.explain(error, of: type) }
      throw error
    }
    if let answer {
      guard AnswerSize(answer).isAcceptable else { throw .tooLong(query) }
      return answer
    }
    if case .plugins = query { return .plugins(workers.pluginRows) }
    if case .clients = query { return .clients(clients.rows(on: machine, at: now)) }
    return .status(status(at: now))
  }

  /// Answers with the graph of targets, executors and streams, as soon as the workers concerned have reported their
  /// streams.
  ///
  /// - Returns: the answer; `nil` when it follows later.
  /// - Throws: ``MotionModel/Refusal`` when there is no such target, or the answer would be too long.
  func inspect(
    _ target: TargetName?, for client: RoutingID, on connection: Int32?, request: UInt64, at now: Duration
  ) throws(Refusal) -> Answer? {
    try QueryLimits.check(.graph(target), in: runtime)
    let executors = try runtime.executors(on: target)
    guard workers.serves(executors) else {
      return try answer(.graph(target), for: client, on: connection, request: request, at: now)
    }
    guard !clients.inspections.isAsked(by: client, request: request) else { return nil }
    guard !clients.inspections.isFull else {
      throw Refusal(
        .limit, "\(Inspections<RoutingID>.limit) graphs are being collected already", remedy: "Retry in a second")
    }
    let numbers = workers.inspect(executors, isAll: target == nil, at: now)
    clients.inspections.begin(target, for: client, on: connection, request: request, asking: numbers, at: now)
    return nil
  }

  // MARK: Replies

  func reply(_ body: Envelope.Body, to requester: Requester) {
    reply(body, to: requester.client, request: requester.request)
  }

  func reply(_ body: Envelope.Body, to client: RoutingID, request: UInt64) {
    let now = machine.now
    send(clients.reply(body, to: client, request: request, moment: moment(at: now), at: now), to: client)
  }

  /// Logs a refusal, unless there have been too many.
  func log(_ refusal: Refusal, of client: Committer?, at now: Duration) {
    if let line = clients.line(about: refusal, of: client, at: now) { logger.info("\(line)") }
  }

  func refuse(_ refusal: Refusal, to client: RoutingID, request: UInt64) {
    reply(.refusal(refusal), to: client, request: request)
  }

  /// The present times of all clocks, for a reply. Nothing of it is kept.
  func moment(at now: Duration) -> Moment { Moment(time: clock.time(at: now), wallTime: machine.wallTime) }

  /// Sends a reply.
  private func send(_ message: consuming Message, to client: RoutingID) {
    let bytes = message.count
    let isSent = (try? sockets.control.send(message, to: client)) == .sent
    clients.sent(bytes: bytes, isSent: isSent)
  }
}
