import MotionModel
import SwiftProtobuf

extension ProtoEnvelope: WireRepresentation {
  init(_ envelope: Envelope) {
    `protocol` = UInt32(envelope.body.versions.upperBound)
    epoch = envelope.epoch
    incarnation = envelope.incarnation
    sequence = envelope.sequence
    replyTo = envelope.replyTo
    sent = envelope.sent
    if let moment = envelope.moment { self.moment = ProtoMoment(moment) }
    body = OneOf_Body(envelope.body)
  }

  func model() throws(WireError) -> Envelope {
    guard let body else {
      throw WireError(
        .unknownBody, "the envelope holds no message, or one that is not known here",
        remedy: "Set one of the bodies in motion.proto")
    }
    let model = try body.model()
    try ProtocolVersion.check(UInt64(`protocol`), isSpoken: model.versions)
    return Envelope(
      epoch: epoch, incarnation: incarnation, sequence: sequence, replyTo: replyTo, sent: sent,
      moment: try Decode.optional(hasMoment, moment, "moment"), model)
  }
}

extension ProtoMoment: WireRepresentation {
  init(_ moment: Moment) {
    time = moment.time
    wallTime = moment.wallTime
  }

  func model() throws(WireError) -> Moment {
    Moment(time: try Decode.finite(time, "time"), wallTime: wallTime)
  }
}

extension Envelope.Body {
  /// The versions that a message with this body may have: those of the handshake, or those of all other messages.
  var versions: ClosedRange<Int> {
    switch self {
    case .greeting, .claim, .hello, .service, .assignment, .welcome, .refusal: ProtocolVersion.handshake
    default: ProtocolVersion.messages
    }
  }
}

extension ProtoEnvelope.OneOf_Body: WireRepresentation {
  init(_ body: Envelope.Body) {
    switch body {
    case .greeting(let greeting): self = .greeting(ProtoGreeting(greeting))
    case .commit(let commit): self = .commit(ProtoCommit(commit))
    case .query(let query): self = .query(ProtoQuery(query))
    case .clock(let command): self = .clock(ProtoClock(command))
    case .stop(let stop): self = .stop(ProtoStop(stop))
    case .alive: self = .alive(ProtoAlive())
    case .restart(let plugin): self = .restart(.with { $0.plugin = plugin.text })
    case .input(let input): self = .input(ProtoInput(input))
    case .inputValues(let input): self = .input(ProtoInput(input))
    case .cancel(let sequence): self = .cancel(.with { $0.sequence = sequence })
    case .record(let path): self = .record(.with { $0.command = path.map { .start($0) } ?? .stop(.init()) })
    case .historyRequest(let request): self = .historyRequest(ProtoHistoryRequest(request))
    case .history(let reply): self = .history(ProtoHistory(reply))
    case .service(let service): self = .service(ProtoService(service))
    case .receipt(let receipt): self = .receipt(ProtoReceipt(receipt))
    case .refusal(let refusal): self = .refusal(ProtoRefusal(refusal))
    case .answer(let answer): self = .answer(ProtoAnswer(answer))
    case .done(let clock, let unkept):
      self = .done(
        .with {
          $0.clock = ProtoClockState(clock)
          $0.unkept = unkept
        })
    case .values(let values): self = .values(ProtoValues(values))
    case .names(let names): self = .names(.with { $0.names = names.map(ProtoNames.Name.init) })
    case .ended(let ended): self = .ended(.with { $0.intentions = ended.map(ProtoEnded.Intention.init) })
    case .drivers(let changes): self = .drivers(.with { $0.changes = changes.map(ProtoDrivers.Change.init) })
    case .claim(let claim): self = .claim(ProtoClaim(claim))
    case .assignment(let assignment): self = .assignment(ProtoAssignment(assignment))
    case .hello(let hello): self = .hello(ProtoHello(hello))
    case .welcome(let welcome): self = .welcome(ProtoWelcome(welcome))
    case .resync(let commandsApplied): self = .resync(.with { $0.commandsApplied = commandsApplied })
    case .snapshot(let command, let lastEvent, let snapshot):
      self = .snapshot(ProtoSnapshot(snapshot, command: command, lastEventApplied: lastEvent))
    case .inspect(let executors): self = .inspect(.with { $0.executors = executors.map(\.rawValue) })
    case .streamReport(let report): self = .streamReport(ProtoStreamReport(report))
    case .command(let number, let command): self = .command(ProtoCommand(command, number: number))
    case .coordinatorHeartbeat(let heartbeat): self = .coordinatorHeartbeat(ProtoCoordinatorHeartbeat(heartbeat))
    case .tick(let tick): self = .tick(ProtoTick(tick))
    case .update(let update): self = .update(ProtoUpdate(update))
    case .workerHeartbeat(let heartbeat): self = .workerHeartbeat(ProtoWorkerHeartbeat(heartbeat))
    case .log(let line): self = .log(ProtoLog(line))
    }
  }

  func model() throws(WireError) -> Envelope.Body {
    switch self {
    case .greeting(let greeting): .greeting(try Decode.part(greeting, "greeting"))
    case .commit(let commit): .commit(try Decode.part(commit, "commit"))
    case .query(let query): .query(try Decode.part(query, "query"))
    case .clock(let clock): .clock(try Decode.part(clock, "clock"))
    case .stop(let stop): .stop(try stop.model())
    case .alive: .alive
    case .restart(let restart): .restart(try Decode.name(restart.plugin, "restart.plugin"))
    case .input(let input):
      input.values.isEmpty ? .input(try Decode.part(input, "input")) : .inputValues(try input.decodedValues())
    case .cancel(let cancel): .cancel(try Decode.ordinal(cancel.sequence, "cancel.sequence"))
    case .record(let record): .record(try record.path())
    case .historyRequest(let request): .historyRequest(try Decode.part(request, "history_request"))
    case .history(let reply): .history(try Decode.part(reply, "history"))
    case .service(let service): .service(try Decode.part(service, "service"))
    case .receipt(let receipt): .receipt(try Decode.part(receipt, "receipt"))
    case .refusal(let refusal): .refusal(try Decode.part(refusal, "refusal"))
    case .answer(let answer): .answer(try Decode.part(answer, "answer"))
    case .done(let done): .done(try Decode.required(done.hasClock, done.clock, "done.clock"), unkept: done.unkept)
    case .values(let values): .values(try Decode.part(values, "values"))
    case .names(let names): .names(try Decode.list(names.names, "names.names"))
    case .ended(let ended): .ended(try Decode.list(ended.intentions, "ended.intentions"))
    case .drivers(let drivers): .drivers(try Decode.list(drivers.changes, "drivers.changes"))
    case .claim(let claim): .claim(try Decode.part(claim, "claim"))
    case .assignment(let assignment): .assignment(try Decode.part(assignment, "assignment"))
    case .hello(let hello): .hello(try Decode.part(hello, "hello"))
    case .welcome(let welcome): .welcome(try Decode.part(welcome, "welcome"))
    case .resync(let resync): .resync(commandsApplied: resync.commandsApplied)
    case .snapshot(let snapshot): try Self.snapshot(snapshot)
    case .inspect(let inspect): .inspect(inspect.executors.map(ExecutorHandle.init))
    case .streamReport(let report): .streamReport(try Decode.part(report, "stream_report"))
    case .command(let command): try Self.command(command)
    case .coordinatorHeartbeat(let heartbeat):
      .coordinatorHeartbeat(try Decode.part(heartbeat, "coordinator_heartbeat"))
    case .tick(let tick): .tick(try Decode.part(tick, "tick"))
    case .update(let update): .update(try Decode.part(update, "update"))
    case .workerHeartbeat(let heartbeat): .workerHeartbeat(try Decode.part(heartbeat, "worker_heartbeat"))
    case .log(let line): .log(try Decode.part(line, "log"))
    }
  }

  private static func snapshot(_ snapshot: ProtoSnapshot) throws(WireError) -> Envelope.Body {
    do {
      return .snapshot(
        command: snapshot.command, lastEventApplied: snapshot.lastEventApplied, try snapshot.model())
    } catch {
      throw error.within("snapshot")
    }
  }

  private static func command(_ command: ProtoCommand) throws(WireError) -> Envelope.Body {
    do {
      return .command(number: command.number, try command.model())
    } catch {
      throw error.within("command")
    }
  }
}
