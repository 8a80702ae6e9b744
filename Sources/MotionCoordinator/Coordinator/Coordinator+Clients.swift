import LinuxSystem
import Logging
import MotionCore
import MotionLink
import MotionModel
import MotionWire
import ZeroMQ

extension Coordinator {
  /// Receives the requests and subscriptions of clients.
  func receiveFromClients(at now: Duration) {
    if poller.isReadable(watched.decoder) { clients.large.requests += clients.decoder.take() }
    doLargeRequests(at: now)
    drain(watched.control, yields: true, sockets.control.receiveRouted) { receiveRequest($0.1, from: $0.0, at: now) }
    receiveSubscriptions(at: now)
  }

  /// Receives the subscriptions and unsubscriptions since the last turn. Of several on one topic only the last is
  /// answered, once: an answer may be as large as the runtime, and a client that flips a subscription must not slow
  /// down all others.
  private func receiveSubscriptions(at now: Duration) {
    guard poller.isReadable(watched.values) else { return }
    var wanted: [[UInt8]: Bool] = [:]
    var order: [[UInt8]] = []
    drain(watched.values, yields: true, sockets.values.receiveSubscriptionMessage) { event, message in
      guard let (topic, isWanted) = note(event, message) else { return }
      if wanted.updateValue(isWanted, forKey: topic) == nil { order.append(topic) }
    }
    for topic in order {
      if wanted[topic] == true {
        publisher.subscribed(topic, to: runtime, at: now)
      } else {
        publisher.unsubscribed(topic, from: runtime)
      }
    }
    if runtime.keepsDriverChanges != publisher.tellsDrivers { runtime.keepsDriverChanges = publisher.tellsDrivers }
  }

  /// Records a subscription or its end. Returns the topic and whether it is now wanted, if that has changed.
  private func note(_ event: SubscriptionEvent, _ message: Message) -> (topic: [UInt8], isWanted: Bool)? {
    do throws(ExcessiveSubscriber) {
      return try subscriptions.note(event, message, on: machine)
    } catch {
      counters.excessiveSubscribers += 1
      machine.hangUp(on: message)
      return nil
    }
  }

  /// Receives one request.
  private func receiveRequest(_ message: Message, from client: RoutingID, at now: Duration) {
    guard isStillAuthorized(message, as: .client) else { return }
    if let action = clients.receive(message, from: client, on: machine, at: now) { perform(action, at: now) }
  }

  /// Carries out the actions of the client sessions, in order.
  func perform(_ actions: [ClientSessions.Action], at now: Duration) {
    for action in actions { perform(action, at: now) }
  }

  private func perform(_ action: ClientSessions.Action, at now: Duration) {
    switch action {
    case .take(let decoded): take(decoded, at: now)
    case .refuse(let refusal, let client, let request): refuse(refusal, to: client, request: request)
    case .send(let message, let client): send(message, to: client)
    }
  }

  /// Makes the next rows of the long answers until a frame is due, and sends those that are encoded.
  ///
  /// Runs after the frames of a turn, so that frames have priority.
  func makeAnswers(at now: Duration) {
    if poller.isReadable(watched.answers) { perform(clients.takeAnswers(), at: now) }
    perform(clients.makeAnswers(from: runtime, until: clock.deadline, on: machine, moment: moment), at: now)
  }

  /// Carries out a decoded request and answers it, or refuses one that could not be decoded.
  ///
  /// - Parameter check: the finished check of a commit, if it was checked already.
  func take(_ decoded: RequestDecoder.Decoded, at now: Duration, checked check: TransactionCheck? = nil) {
    do {
      guard let request = try clients.request(decoded, at: now) else { return }
      // A heartbeat asks for no time; otherwise an idle motiond would write to the journal each second.
      if request.envelope.body != .alive { commits.toldTime(in: runtime, clock, at: now) }
      guard let answer = try answer(request, check, at: now) else { return }
      reply(answer, to: decoded.client, request: decoded.request)
    } catch {
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
        commit: commit, decoded: request.commit ?? DecodedCommit(digest: commit.digest, bytes: 0, said: nil),
        client: envelope.incarnation, requester: requester, wallTime: machine.wallTime)
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
    case .stop(let stop):
      applyNow(.stop(stop), at: now)
      perform(commits.keep(.stop(stop), for: requester, in: runtime, time: clock.time(at: now)), at: now)
      return nil
    case .alive: return .done(clock.state(at: now))
    case .restart(let plugin):
      perform(try workers.restart(plugin, isRecording: isRecording, at: now), at: now)
      return .done(clock.state(at: now))
    case .input(let input):
      try clients.receive(input, from: envelope.incarnation, in: runtime, clock, at: now)
      return .done(clock.state(at: now))
    case .cancel(let sequence):
      let time = clock.time(at: now)
      perform(try commits.cancel(sequence, for: requester, in: runtime, time: time), at: now)
      return nil
    default:
      throw Refusal(
        .malformed, "that is no request",
        remedy: "Send Greeting, Commit, Query, Clock, Stop, Alive, Restart, Input or Cancel")
    }
  }

  private func serve(_ greeting: Greeting, at now: Duration) throws(Refusal) -> Service {
    guard greeting.handshakeVersions.overlaps(ProtocolVersion.handshake),
      greeting.protocolVersions.overlaps(ProtocolVersion.messages)
    else {
      throw Refusal(
        .version,
        "the client speaks messages \(greeting.protocolVersions), motiond speaks \(ProtocolVersion.messages)",
        remedy: "Use a client of the same protocol as this motiond")
    }
    return Service(
      protocolVersion: min(greeting.protocolVersions.upperBound, ProtocolVersion.messages.upperBound),
      valuesEndpoint: directory.values.address, ratePerSecond: settings.ratePerSecond, clock: clock.state(at: now))
  }

  private func accept(_ request: CommitRequest, _ check: TransactionCheck?, at now: Duration) throws(Refusal) {
    do {
      perform(try commits.receive(request, check, in: runtime, time: clock.time(at: now), at: now), at: now)
    } catch {
      throw workers.explain(error, of: request.commit.transaction)
    }
  }

  /// Carries out a command about the clock; a step is answered when its frames have been run.
  private func obey(_ command: ClockCommand, of requester: Requester, at now: Duration) throws(Refusal) {
    switch command {
    case .pause:
      // A worker that is provisioned while time stands begins at the last frame.
      if runtime.isActive { runPresentFrame(at: now) }
      frames.pause(at: now)
    case .resume:
      finishStepping()
      frames.resume(at: now)
    case .speed(let speed):
      try frames.setSpeed(speed, at: now)
    case .step(let count):
      guard count > 0 || !clock.isPaused else {
        return reply(.done(clock.state(at: now)), to: requester.client, request: requester.request)
      }
      return try frames.beginStepping(count, for: requester, at: now)
    }
    perform(commits.keep(.clock(command), for: requester, in: runtime, time: clock.time(at: now)), at: now)
  }

  // MARK: Replies

  func reply(_ body: Envelope.Body, to client: RoutingID, request: UInt64) {
    let now = machine.now
    send(clients.reply(body, to: client, request: request, moment: moment(at: now), at: now), to: client)
  }

  /// The present times of all clocks, for a reply. Nothing of it is kept.
  private func moment(at now: Duration) -> Moment { Moment(time: clock.time(at: now), wallTime: machine.wallTime) }

  /// Sends a reply.
  private func send(_ message: consuming Message, to client: RoutingID) {
    let bytes = message.count
    let isSent = (try? sockets.control.send(message, to: client)) == .sent
    clients.sent(bytes: bytes, isSent: isSent)
  }

  func refuse(_ refusal: Refusal, to client: RoutingID, request: UInt64) {
    reply(.refusal(refusal), to: client, request: request)
  }
}
