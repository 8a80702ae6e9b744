import LinuxSystem
import Logging
import MotionModel
import MotionWire
import ZeroMQ

extension Gateway {
  /// Receives requests from untrusted clients.
  func receiveRequests(at now: Duration) {
    loop.poller.drain(
      sockets.watched.control, upTo: Self.messagesPerTurn, logger: logger, sockets.control.receiveRouted
    ) { routingID, message in hear(message, from: routingID, at: now) }
  }

  private func hear(_ message: Message, from routingID: RoutingID, at now: Duration) {
    guard let caller = caller(of: message, at: now) else { return }
    let header = message.withUnsafeBytes { try? EnvelopeHeader(decoding: $0) }
    do {
      try obey(callers.asked(caller, bytes: message.count, at: now), caller)
      let envelope = try message.withUnsafeBytes { bytes throws(WireError) in
        try Envelope(decoding: bytes, limit: settings.limits.requestBytes)
      }
      try obey(callers.claims(caller, incarnation: envelope.incarnation, at: now), caller)
      try settings.permissions.check(envelope.body)
      try pass(on: envelope, of: caller, routingID, at: now)
    } catch is HungUp {
    } catch {
      refuse(error, to: caller, routingID, request: header?.sequence ?? 0, at: now)
    }
  }

  /// The connection was closed: there is no answer to send.
  private struct HungUp: Error {}

  private func obey(_ verdict: CallerTable.Verdict, _ caller: Caller) throws {
    switch verdict {
    case .go: return
    case .refuse(let refusal): throw ToldRefusal(refusal: refusal)
    case .hangUp(let reason):
      hangUp(on: caller, reason)
      throw HungUp()
    }
  }

  /// A refusal that was already counted.
  private struct ToldRefusal: Error {
    let refusal: Refusal
  }

  /// Forwards a request to motiond, under a number of the gateway's own if it has an answer.
  private func pass(on envelope: Envelope, of caller: Caller, _ routingID: RoutingID, at now: Duration) throws {
    guard envelope.sequence != 0 || envelope.body.mayGoUnanswered else {
      throw Refusal(
        .malformed, field: "sequence", "the request has no number: its sequence is 0",
        remedy: "Number your requests from 1, so that each answer can be matched with its request")
    }
    if case .commit(let commit) = envelope.body {
      let operations = commit.transaction.mostOperations(existing: budget.mostTargets)
      try obey(callers.commits(caller, operations: operations, at: now), caller)
      askForTypes(of: commit.transaction, at: now)
      // As with the counts below: the client resends the commit within a second.
      guard try settings.permissions.check(commit.transaction, knowing: types, at: now) else { return }
    } else {
      // Queried with the first greeting, so that the types are known at the first commit.
      askForTypes(of: Transaction(), at: now)
    }
    if budget.concerns(envelope.body) {
      askForStatus(at: now)
      // Nothing can be decided without the counts. The client resends the request within a second, when motiond has
      // answered.
      guard try budget.check(envelope.body) else { return }
    }
    let rows = if case .query(let query) = envelope.body { budget.rows(for: query) } else { 0 }
    if rows > 0 { try obey(callers.asks(caller, rows: rows, at: now), caller) }
    guard envelope.sequence != 0 else {
      // One that finds no room is lost, like any that comes while motiond is away.
      _ = try? sockets.motiondControl.send(forwarded(envelope, of: caller, as: 0, at: now).encoded())
      return
    }
    guard waiting.count < settings.limits.allRequestsWaiting else {
      throw Refusal(
        .limit, "\(waiting.count) requests wait for motiond's answers", remedy: "Retry in a second")
    }
    let number = waiting.begin(
      .caller(caller, routingID, request: envelope.sequence, rows: rows), until: now + GatewayLimits.answerTimeout)
    callers.waits(caller, 1)
    say(forwarded(envelope, of: caller, as: number, at: now), number: number)
  }

  /// A request as the gateway sends it to motiond.
  private func forwarded(_ envelope: Envelope, of caller: Caller, as number: UInt64, at now: Duration) -> Envelope {
    Envelope(
      epoch: envelope.epoch, incarnation: veil(envelope.incarnation), sequence: number,
      sent: UInt64(now.wholeNanoseconds), caller.signed(envelope.body))
  }

  /// Another incarnation for that of an untrusted client. Otherwise a client could send the incarnation of one of
  /// motiond's own clients, and would control its pointers and its `whileConnected` intentions. The mapping is one to
  /// one, and the same for all sockets of a client and after a restart of the gateway.
  private func veil(_ incarnation: UInt64) -> UInt64 {
    // One value in 2⁶⁴ becomes 0, which no client may have: motiond refuses it.
    incarnation ^ directory.secret
  }

  /// Queries motiond's counts, if they are unknown or old.
  func askForStatus(at now: Duration) {
    guard budget.asks(at: now) else { return }
    let number = waiting.begin(.own, until: now + GatewayLimits.answerTimeout)
    say(
      Envelope(
        incarnation: incarnation, sequence: number, sent: UInt64(now.wholeNanoseconds), .query(.status)),
      number: number)
  }

  /// Queries motiond's types, if the transaction adds one that is not known.
  private func askForTypes(of transaction: Transaction, at now: Duration) {
    let added = transaction.log.lazy.compactMap { operation in
      if case .add(let intention, _, _) = operation { intention.type } else { nil }
    }
    guard types.asks(about: added, at: now) else { return }
    let number = waiting.begin(.own, until: now + GatewayLimits.answerTimeout)
    say(
      Envelope(
        incarnation: incarnation, sequence: number, sent: UInt64(now.wholeNanoseconds), .query(.types(nil))),
      number: number)
  }

  private func say(_ envelope: Envelope, number: UInt64) {
    // Without motiond no request waits: the client resends it.
    if (try? sockets.motiondControl.send(envelope.encoded())) == .sent { return }
    if case .caller(let caller, _, _, _)? = waiting.answered(number) { callers.waits(caller, -1) }
  }

  private func refuse(
    _ error: any Error, to caller: Caller, _ routingID: RoutingID, request: UInt64, at now: Duration
  ) {
    var refusal: Refusal
    switch error {
    case let told as ToldRefusal: return reply(.refusal(told.refusal), to: routingID, request: request)
    case let error as Refusal: refusal = error
    case let error as WireError: refusal = error.refusal
    default: refusal = Refusal(.malformed, "\(error)")
    }
    switch callers.refused(caller, refusal, at: now) {
    case .refuse, .go: reply(.refusal(refusal), to: routingID, request: request)
    case .hangUp(let reason): hangUp(on: caller, reason)
    }
  }
}
