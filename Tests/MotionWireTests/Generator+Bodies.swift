import MotionModel
import MotionWire

extension Generator {
  mutating func envelope() -> Envelope {
    envelope(of: int(0...Self.bodies - 1))
  }

  mutating func envelope(of kind: Int) -> Envelope {
    Envelope(
      epoch: number(), incarnation: word(), sequence: number(), replyTo: number(), sent: number(),
      // Only answers to a client have one.
      moment: (7...11).contains(kind) || kind == 34
        ? optional { Moment(time: $0.double(), wallTime: Int64(bitPattern: $0.word())) } : nil, body(kind))
  }

  /// The number of kinds of bodies.
  static let bodies = 35

  mutating func body(_ kind: Int) -> Envelope.Body {
    switch kind {
    case 0: .greeting(Greeting(handshakeVersions: versions(), protocolVersions: versions(), name: text()))
    case 1:
      .commit(commit(id: TransactionID(high: word(), low: word())))
    case 2: .query(query())
    case 3:
      .clock(pick([.pause, .resume, .speed(seconds() / 1024 + 1e-6), .step(number() | 1), .hold(hold()), .release]))
    case 4: .stop(stop())
    case 5: .alive
    case 6: .restart(name())
    case 7:
      .service(
        Service(protocolVersion: count(), valuesEndpoint: text(), ratePerSecond: double(), clock: clock()))
    case 8:
      .receipt(
        receipt())
    case 9:
      .refusal(
        Refusal(
          Refusal.Code(rawValue: pick(["malformed", "something-new"])), operation: optional { $0.count() },
          field: optional { $0.text() }, text(), remedy: text()))
    case 10: .answer(answer())
    case 11: .done(clock(), unkept: text())
    case 12: .values(values())
    case 13:
      .names(list { NamedProperty(handle: $0.handle(), reference: $0.reference(), lanes: $0.int(1...4)) })
    case 14: .ended(list { $0.ended() })
    case 15:
      .hello(
        Hello(
          handshakeVersions: versions(), protocolVersions: versions(), address: address(),
          processID: Int32(truncatingIfNeeded: word()), executors: list { $0.name() }))
    case 16:
      .welcome(
        Welcome(
          protocolVersion: count(), commandTopic: text(), tickTopic: text(), eventTopic: text(), wantsUpdates: flag()))
    case 17: .resync(commandsApplied: number())
    case 18: .snapshot(command: number(), lastEventApplied: number(), snapshot())
    case 19: .command(number: number(), command())
    case 20:
      .coordinatorHeartbeat(
        CoordinatorHeartbeat(
          lastCommand: number(), lastEventApplied: number(), interval: Double(int(0...60_000)) / 1000,
          lease: Double(int(0...57_600)) / 16, heardSent: word()))
    case 21: .tick(Tick(frame: frame(), lastCommand: number(), shape: number()))
    case 22: .update(update())
    case 23:
      .workerHeartbeat(
        WorkerHeartbeat(
          commandsApplied: number(), lastEvent: number(), tokens: word(), interval: Double(int(0...60_000)) / 1000,
          conflatedTicks: number()))
    case 24: .input(input())
    case 25: .drivers(list { $0.driverChange() })
    case 26: .inspect(list { ExecutorHandle(UInt32(truncatingIfNeeded: $0.word())) })
    case 27: .streamReport(streamReport())
    case 31: .inputValues(inputValues())
    case 30: .cancel(number() >> 2)
    case 32: .record(optional { "/\($0.text())" })
    case 33: .historyRequest(pick([.segments, .part(segment: number(), offset: number()), .erase]))
    case 34:
      .history(
        flag()
          ? .part(list { UInt8(truncatingIfNeeded: $0.word()) })
          : .segments(HistoryListing(list { $0.segment() }, problem: text())))
    case 28:
      .claim(
        Claim(
          handshakeVersions: versions(), address: address(), claimant: word() | 1, attempt: number() | 1,
          processID: Int32(truncatingIfNeeded: word()), host: text()))
    case 29:
      .assignment(
        Assignment(
          incarnation: number(), lease: Double(int(0...57_600)) / 16, commandsPort: UInt16(int(1...65_535)),
          ticksPort: UInt16(int(1...65_535)), eventsPort: UInt16(int(1...65_535)),
          onLost: pick(PluginManifest.OnLost.allCases)))
    default: .log(LogLine(pick(LogLine.Level.allCases), text()))
    }
  }

  mutating func segment() -> HistorySegment {
    HistorySegment(number: number(), bytes: number(), from: place(), to: place())
  }

  private mutating func place() -> HistorySegment.Place {
    .init(frame(), MachineClocks(wallTime: Int64(bitPattern: word()), bootTime: Int64(bitPattern: word())))
  }

  mutating func input() -> PointerInput {
    PointerInput(
      name(), from: name(),
      list {
        PointerEvent(
          id: $0.word(), $0.pick(PointerEvent.Phase.allCases), at: [$0.double(), $0.double()], time: $0.double())
      })
  }

  mutating func inputValues() -> InputValues {
    InputValues(
      from: name(),
      (0..<int(1...4)).map { _ in
        InputValue(name(), optional { $0.state().value }, time: double(), isHeld: flag())
      })
  }

  mutating func query() -> Query {
    pick([
      .targets, .properties(optional { $0.name() }), .executors(optional { $0.name() }),
      .intentions(optional { $0.name() }), .tokens(optional { $0.name() }), .plugins, .types(optional { $0.name() }),
      .status, .graph(optional { $0.name() }), .waiting, .inputs, .clients, .snapshot, .groups,
      .scenes(optional { $0.name() }), .cues(optional { $0.name() }),
      .why(reference()),
    ])
  }

  mutating func values() -> Values {
    let counts = list(40) { UInt8($0.int(1...4)) }
    let lanes = counts.reduce(0) { $0 + Int($1) }
    return Values(
      frame: number(), time: double(), dt: seconds(), handles: counts.map { _ in handle() }, counts: counts,
      lanes: (0..<lanes).map { _ in double() }, velocities: flag() ? (0..<lanes).map { _ in double() } : [],
      late: list { $0.handle() }, isComplete: flag(), forgotten: list { $0.handle() }, part: short(), hasMore: flag())
  }

  mutating func update() -> WorkerUpdate {
    var update = WorkerUpdate(
      frame: number(), writes: list(20) { $0.write() }, events: list { .init($0.number(), $0.event()) },
      commandsApplied: number())
    if !update.writes.isEmpty, flag() { update.shape = .announced(number() | 1) }
    return update
  }

  private mutating func write() -> PropertyWrite {
    PropertyWrite(
      executor: executor(), property: handle(), state: state(), imposes: pick([[], .value, .velocity]),
      remaining: optional { $0.seconds() }, carry: optional { $0.seconds() })
  }

  private mutating func event() -> WorkerEvent {
    switch int(0...5) {
    case 0: .activity(executor(), flag())
    case 1: started()
    case 2: .ended(executor(), name())
    case 3: .finished(executor(), identity(), pick(Outcome.allCases))
    case 4: .failed(executor(), identity(), reason: text())
    default:
      .emitted(executor(), parent: identity(), ordinal: short(), intention(), named: optional { $0.name() })
    }
  }

  private mutating func started() -> WorkerEvent {
    let moving: [PropertyName] = list { $0.name() }
    return .started(executor(), name(), moving: moving, from: flag() ? moving.map { _ in lanes(int(1...4)) } : [])
  }

  private mutating func command() -> WorkerCommand {
    switch int(0...7) {
    case 0: .add(executor(), key(), planned())
    case 1: .remove(executor(), identity())
    case 2: .removeExecutor(executor())
    case 3: .displaced(executor(), name())
    case 4: .resumed(executor(), name(), state(), time: double())
    case 5: .properties(list { $0.readProperty() })
    case 6: .input(executor(), input(), over: list { $0.readProperty() })
    default: .shutdown(isFinal: flag())
    }
  }

  mutating func readProperty() -> ReadProperty { ReadProperty(reference(), optional { $0.state() }) }

  private mutating func snapshot() -> WorkerSnapshot {
    WorkerSnapshot(
      frame: frame(),
      executors: list {
        WorkerSnapshot.Executor(
          handle: $0.executor(), key: $0.key(), intentions: $0.list { $0.planned() },
          displaced: $0.list { $0.name() }, driven: $0.list { $0.start() })
      }, properties: list { $0.readProperty() })
  }

  private mutating func driverChange() -> DriverChange {
    DriverChange(
      reference(), frame: number(), time: double(),
      driver: optional {
        DriverChange.Driver(
          executor: $0.name(), identity: $0.identity(), type: $0.name(), name: $0.optional { $0.name() })
      })
  }

  private mutating func ended() -> EndedIntention {
    EndedIntention(
      identity: identity(), target: name(), type: name(), name: optional { $0.name() }, frame: number(),
      outcome: pick(Outcome.allCases), reason: text())
  }
}
