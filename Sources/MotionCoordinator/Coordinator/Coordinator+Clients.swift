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
    if poller.isReadable(watched.decoder) { large.requests += decoder.take() }
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
      guard let (topic, isWanted) = note(event, message, in: &subscriptions) else { return }
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

  /// Receives one request. A large one is decoded on another thread, and answered when that is done.
  private func receiveRequest(_ message: Message, from client: RoutingID, at now: Duration) {
    guard isStillAuthorized(message, as: .client) else { return }
    counters.requests += 1
    counters.bytesFromClients += UInt64(message.count)
    guard decoder.isFor(message, from: client) else {
      var decoded = RequestDecoder.decode(message, from: client)
      if decoded.asksForRows { decoded.connection = machine.connection(of: message) }
      // The query costs a microsecond, so it is made only for commits, which keep the result.
      if decoded.isCommit { decoded.peer = machine.sender(of: message)?.peer }
      return take(decoded, at: now)
    }
    let header = message.withUnsafeBytes { try? EnvelopeHeader(decoding: $0) }
    // The sender is alive, however long the decoding takes.
    if let header, header.epoch == epoch { presence.heard(header.incarnation, at: now) }
    guard decoder.hand(over: message, from: client, by: machine.sender(of: message)?.peer) else {
      return refuse(
        Refusal(
          .limit, "requests of \(RequestDecoder.bytesUnderWay >> 20) MiB are being read already",
          remedy: "Ask again in a second, or send less in one message"),
        to: client, request: header?.sequence ?? 0)
    }
  }

  /// Carries out a decoded request and answers it, or refuses one that could not be decoded.
  ///
  /// - Parameter check: the finished check of a commit, if it was checked already.
  func take(_ decoded: RequestDecoder.Decoded, at now: Duration, checked check: TransactionCheck? = nil) {
    switch decoded.result {
    case .failure(let error):
      counters.malformedMessages += 1
      refuse(error.refusal, to: decoded.client, request: decoded.request)
    case .success((let envelope, let commit)):
      // Meant for an earlier start: the receipts, handles and times that its sender holds are no longer valid. The
      // client repeats its handshake when it gets no answer; a handshake carries no epoch.
      guard envelope.epoch == 0 || envelope.epoch == epoch else { return counters.foreignMessages += 1 }
      presence.heard(envelope.incarnation, at: now)
      // A heartbeat asks for no time; otherwise an idle motiond would write to the journal each second.
      if envelope.body != .alive { commits.toldTime(in: runtime, clock, at: now) }
      do {
        let requester = Requester(client: decoded.client, request: decoded.request, peer: decoded.peer)
        guard let answer = try answer(envelope, commit, check, for: requester, on: decoded.connection, at: now) else {
          return
        }
        reply(answer, to: decoded.client, request: envelope.sequence)
      } catch {
        refuse(error, to: decoded.client, request: envelope.sequence)
      }
    }
  }

  /// Carries out the request of a client; returns `nil` when the answer follows later.
  private func answer(
    _ envelope: Envelope, _ decoded: DecodedCommit?, _ check: TransactionCheck?, for requester: Requester,
    on connection: Int32?, at now: Duration
  ) throws(Refusal) -> Envelope.Body? {
    switch envelope.body {
    case .greeting(let greeting): return .service(try serve(greeting, at: now))
    case .commit(let commit):
      let request = CommitRequest(
        commit: commit, decoded: decoded ?? DecodedCommit(digest: commit.digest, bytes: 0, said: nil),
        client: envelope.incarnation, requester: requester, wallTime: machine.wallTime)
      try accept(request, check, at: now)
      return nil
    case .query(.graph(let target)):
      return try inspect(target, for: requester.client, on: connection, request: requester.request, at: now)
        .map { .answer($0) }
    case .query(let query):
      return try answer(query, for: requester.client, on: connection, request: requester.request, at: now).map {
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
      try restart(plugin, at: now)
      return .done(clock.state(at: now))
    case .input(let input):
      try receive(input, from: envelope.incarnation, at: now)
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
      throw explain(error, of: request.commit.transaction)
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
    replySequence += 1
    let now = machine.now
    let envelope = Envelope(
      epoch: epoch, sequence: replySequence, replyTo: request, sent: UInt64(now.wholeNanoseconds),
      moment: moment(at: now), body)
    guard let message = answers.share(of: client).message(of: envelope.encoded()) else {
      return refuse(.unread, to: client, request: request)
    }
    send(message, to: client)
  }

  /// The present times of all clocks, for a reply. Nothing of it is kept.
  func moment(at now: Duration) -> Moment { Moment(time: clock.time(at: now), wallTime: machine.wallTime) }

  /// Sends a reply.
  func send(_ message: consuming Message, to client: RoutingID) {
    let count = UInt64(message.count)
    // A client that is gone, or does not read, loses its answer; it retries with the same id.
    guard (try? sockets.control.send(message, to: client)) == .sent else { return counters.unsentReplies += 1 }
    counters.bytesToClients += count
  }

  func refuse(_ refusal: Refusal, to client: RoutingID, request: UInt64) {
    counters.refusals += 1
    reply(.refusal(refusal), to: client, request: request)
  }
}

extension Refusal {
  /// Too many unread answers wait in the queues: there is no room for another long one.
  static let unread = Refusal(
    .limit,
    "answers of \(AnswerBudget.limitOfClient >> 20) MiB wait for this client, or of \(AnswerBudget.limit >> 20) MiB for "
      + "all clients, that are not read",
    remedy: "Read them, or end the clients that do not, then ask again")
}
