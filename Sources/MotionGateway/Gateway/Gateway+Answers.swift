import LinuxSystem
import MotionModel
import MotionWire
import Synchronization
import ZeroMQ

extension Gateway {
  /// Receives answers and published messages from motiond.
  func receiveFromMotiond(at now: Duration) {
    let limit = Self.upstreamMessagesPerTurn
    loop.poller.drain(sockets.watched.motiondControl, upTo: limit, logger: logger, sockets.motiondControl.receiveOne) {
      receiveAnswer($0, at: now)
    }
    loop.poller.drain(
      sockets.watched.motiondValues, upTo: limit, logger: logger, sockets.motiondValues.receiveOne, passOn)
  }

  private func receiveAnswer(_ message: Message, at now: Duration) {
    guard let envelope = message.withUnsafeBytes({ try? Envelope(decoding: $0) }),
      let requester = waiting.answered(envelope.replyTo)
    else { return }
    switch requester {
    case .own:
      if case .answer(.status(let status)) = envelope.body { budget.learned(status.counts, at: now) }
      if case .answer(.types(let descriptions)) = envelope.body { types.update(descriptions, at: now) }
    case .caller(let caller, let routingID, let request, let rows):
      callers.waits(caller, -1)
      if case .answer(let answer) = envelope.body { callers.answered(caller, rows: answer.rows - rows, at: now) }
      reply(
        translated(envelope.body), to: routingID, request: request, epoch: envelope.epoch, moment: envelope.moment)
    }
  }

  /// The body of an answer as untrusted clients receive it.
  private func translated(_ body: Envelope.Body) -> Envelope.Body {
    switch body {
    case .service(var service):
      service.valuesEndpoint = directory.values.address
      return .service(service)
    case .answer(let answer): return .answer(settings.permissions.filtered(answer))
    case .refusal(let refusal): return .refusal(settings.permissions.filtered(refusal))
    case .receipt, .done, .history: return body
    default: return .refusal(Refusal(.malformed, "motiond has sent an answer that this gateway does not know"))
    }
  }

  /// Sends an answer to an untrusted client. A client that has disconnected, or does not read, loses it and requests it
  /// again.
  ///
  /// - Parameter moment: motiond's clocks at the time of its answer; `nil` for the gateway's own answers.
  func reply(
    _ body: Envelope.Body, to routingID: RoutingID, request: UInt64, epoch: UInt64 = 0, moment: Moment? = nil
  ) {
    var envelope = Envelope(
      epoch: epoch, sequence: 0, replyTo: request, sent: UInt64(BootClock.nanoseconds), moment: moment, body)
    guard let message = replies.message(of: &envelope, limit: settings.limits.memory / 4) else {
      guard case .refusal = body else {
        return reply(
          .refusal(
            Refusal(
              .limit, "answers of \(replies.waiting >> 20) MiB wait for clients that do not read them",
              remedy: "Retry in a second, or ask for less")), to: routingID, request: request, epoch: epoch)
      }
      return
    }
    _ = try? sockets.control.send(message, to: routingID)
  }

  /// Publishes a message from motiond to untrusted clients, if it is of a kind that motiond publishes there.
  private func passOn(_ message: Message) {
    let said = message.withUnsafeBytes { frame -> (String, Envelope)? in
      guard let (topic, start) = try? Topic.split(frame),
        let envelope = try? Envelope(decoding: UnsafeRawBufferPointer(rebasing: frame[start...]))
      else { return nil }
      return (topic, envelope)
    }
    guard let (topic, envelope) = said else { return }
    switch envelope.body {
    case .values, .names, .ended, .drivers: _ = try? sockets.values.send(Topic.frame(topic, envelope))
    default: return
    }
  }
}

extension Answer {
  /// The number of rows about targets.
  fileprivate var rows: Int {
    switch self {
    case .targets(let rows): rows.count
    case .properties(let rows): rows.count
    case .executors(let rows): rows.count
    case .intentions(let rows): rows.count
    case .tokens(let rows): rows.count
    case .graph(let graph): graph.nodes.count
    default: 0
    }
  }
}

/// Counts the bytes of the answers that libzmq queues for clients that have not read them.
final class WaitingBytes: Sendable {
  private let bytes = Atomic<Int>(0)

  /// The number of queued bytes.
  var count: Int { bytes.load(ordering: .relaxed) }

  /// The message of an answer, counted until libzmq releases it; `nil` when it would exceed the limit.
  func message(of answer: [UInt8], limit: Int) -> Message? {
    let count = answer.count
    guard self.count + count <= limit else { return nil }
    bytes.add(count, ordering: .relaxed)
    return Message(answer) { [self] in bytes.subtract(count, ordering: .relaxed) }
  }
}
