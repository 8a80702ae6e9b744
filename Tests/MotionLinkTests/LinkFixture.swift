import MotionModel
import MotionWire

@testable import MotionLink

/// Shared by the tests of both ends: one worker, its messages, its moments.
enum Fixture {
  static let address = WorkerAddress("tween", 0)
  static let epoch: UInt64 = 7
  static let incarnation: UInt64 = 3
  static let topics = LinkTopics(address, incarnation: incarnation)
  static let start = Duration.seconds(1000)
  static let hello = Hello(address: address, processID: 4711, executors: ["Tween"])
  static let key = ExecutorKey("circle", "Tween")
  static let welcome = Welcome(
    protocolVersion: 1, commandTopic: topics.commands, tickTopic: topics.ticks, eventTopic: topics.events,
    wantsUpdates: true)

  static func frame(_ number: UInt64) -> Frame { Frame(number: number, time: Double(number) / 100, dt: 0.01) }
  static func executor(_ number: UInt64) -> ExecutorHandle { ExecutorHandle(UInt32(number)) }
  static func snapshot(frame number: UInt64 = 0) -> WorkerSnapshot {
    WorkerSnapshot(frame: frame(number), executors: [])
  }
  /// A command that its number distinguishes from others.
  static func command(_ number: UInt64) -> WorkerCommand { .removeExecutor(executor(number)) }
  static func event(_ number: UInt64) -> WorkerEvent { .activity(executor(number), true) }
  static func numbered(_ numbers: [UInt64]) -> [WorkerUpdate.NumberedEvent] {
    numbers.map { WorkerUpdate.NumberedEvent($0, event($0)) }
  }
  static func write(_ number: UInt64, to property: PropertyHandle = PropertyHandle(1)) -> PropertyWrite {
    PropertyWrite(executor: executor(1), property: property, state: PropertyState(Lanes(Double(number))))
  }

  static func fromWorker(_ body: Envelope.Body, sequence: UInt64 = 1, replyTo: UInt64 = 0) -> Envelope {
    Envelope(epoch: epoch, incarnation: incarnation, sequence: sequence, replyTo: replyTo, body)
  }
  static func fromCoordinator(_ body: Envelope.Body, sequence: UInt64 = 0, replyTo: UInt64 = 0) -> Envelope {
    Envelope(epoch: epoch, incarnation: 0, sequence: sequence, replyTo: replyTo, body)
  }
}

extension CoordinatorAction {
  /// The body that is sent or published, if the action does that.
  var body: Envelope.Body? {
    switch self {
    case .send(let envelope), .publish(let envelope): envelope.body
    default: nil
    }
  }
  var update: WorkerUpdate? { if case .apply(let update) = self { update } else { nil } }
}

extension WorkerAction {
  var body: Envelope.Body? {
    switch self {
    case .send(let envelope), .publish(let envelope): envelope.body
    default: nil
    }
  }
}

extension CoordinatorLink {
  /// A coordinator's end in each possible state.
  static func example(_ timing: LinkTiming = .local) -> CoordinatorLink {
    CoordinatorLink(
      epoch: Fixture.epoch, address: Fixture.address, incarnation: Fixture.incarnation, executors: ["Tween"],
      timing: timing, at: Fixture.start)
  }

  static func welcomed() -> CoordinatorLink {
    var link = example()
    _ = link.received(Fixture.fromWorker(.hello(Fixture.hello)), at: Fixture.start)
    return link
  }

  static func provisioning() -> CoordinatorLink {
    var link = welcomed()
    _ = link.subscribed(to: Fixture.topics.commands, at: Fixture.start)
    _ = link.subscribed(to: Fixture.topics.ticks, at: Fixture.start)
    _ = link.received(Fixture.fromWorker(.resync(commandsApplied: 0), sequence: 2), at: Fixture.start)
    _ = link.provide(Fixture.snapshot(), at: Fixture.start)
    return link
  }

  static func ready() -> CoordinatorLink {
    var link = provisioning()
    _ = link.received(Fixture.fromWorker(.update(WorkerUpdate(frame: 0, commandsApplied: 0))), at: Fixture.start)
    return link
  }

  /// Ready, over a network.
  static func ready(isLeased: Bool) -> CoordinatorLink {
    var link = CoordinatorLink(
      epoch: Fixture.epoch, address: Fixture.address, incarnation: Fixture.incarnation, executors: ["Tween"],
      isLeased: isLeased, timing: .network, at: Fixture.start)
    _ = link.received(Fixture.fromWorker(.hello(Fixture.hello)), at: Fixture.start)
    _ = link.subscribed(to: Fixture.topics.commands, at: Fixture.start)
    return link
  }

  static func draining() -> CoordinatorLink {
    var link = ready()
    _ = link.drain(at: Fixture.start)
    return link
  }

  static func fenced() -> CoordinatorLink {
    var link = example()
    _ = link.deadline(at: Fixture.start + .seconds(10))
    return link
  }
}

extension WorkerLink {
  static func greeting() -> WorkerLink {
    var link = WorkerLink(
      epoch: Fixture.epoch, incarnation: Fixture.incarnation, hello: Fixture.hello, at: Fixture.start)
    _ = link.start(at: Fixture.start)
    return link
  }

  static func subscribing() -> WorkerLink {
    var link = greeting()
    _ = link.received(Fixture.fromCoordinator(.welcome(Fixture.welcome)), at: Fixture.start)
    return link
  }

  static func awaitingSnapshot() -> WorkerLink {
    var link = subscribing()
    _ = link.subscribed(to: Fixture.topics.events, at: Fixture.start)
    return link
  }

  /// Serving after a snapshot with the commands up to 5, as of frame 10.
  static func serving() -> WorkerLink {
    var link = awaitingSnapshot()
    _ = link.received(
      Fixture.fromCoordinator(.snapshot(command: 5, Fixture.snapshot(frame: 10)), replyTo: 2), at: Fixture.start)
    _ = link.deadline(at: Fixture.start)
    return link
  }

  /// Serving on an assignment that it claimed.
  static func leased(until end: Duration) -> WorkerLink {
    var link = WorkerLink(
      epoch: Fixture.epoch, incarnation: Fixture.incarnation, hello: Fixture.hello,
      lease: Lease(from: Fixture.start, length: end - Fixture.start), timing: .network, at: Fixture.start)
    _ = link.start(at: Fixture.start)
    _ = link.received(Fixture.fromCoordinator(.welcome(Fixture.welcome)), at: Fixture.start)
    _ = link.subscribed(to: Fixture.topics.events, at: Fixture.start)
    _ = link.received(
      Fixture.fromCoordinator(.snapshot(command: 5, Fixture.snapshot(frame: 10)), replyTo: 2), at: Fixture.start)
    return link
  }

  static func draining() -> WorkerLink {
    var link = serving()
    link.record(Fixture.event(1))
    _ = link.received(Fixture.fromCoordinator(.command(number: 6, .shutdown(isFinal: false))), at: Fixture.start)
    return link
  }

  static func ended() -> WorkerLink {
    var link = greeting()
    _ = link.received(Fixture.fromCoordinator(.refusal(Refusal(.version, "no"))), at: Fixture.start)
    return link
  }
}

extension CoordinatorLink {
  @discardableResult
  mutating func hear(_ body: Envelope.Body, sequence: UInt64 = 9, at now: Duration = Fixture.start)
    -> [CoordinatorAction]
  {
    received(Fixture.fromWorker(body, sequence: sequence), at: now)
  }

  /// Lets time pass from deadline to deadline, without receiving anything.
  @discardableResult
  mutating func pass(_ time: Duration, from now: Duration = Fixture.start) -> [CoordinatorAction] {
    var actions: [CoordinatorAction] = []
    while let due = nextDeadline, due <= now + time { actions += deadline(at: max(now, due)) }
    return actions
  }
}

extension WorkerLink {
  @discardableResult
  mutating func hear(_ body: Envelope.Body, replyTo: UInt64 = 0, at now: Duration = Fixture.start) -> [WorkerAction] {
    received(Fixture.fromCoordinator(body, replyTo: replyTo), at: now)
  }

  /// Lets time pass from deadline to deadline, without receiving anything.
  @discardableResult
  mutating func pass(_ time: Duration, from now: Duration = Fixture.start) -> [WorkerAction] {
    var actions: [WorkerAction] = []
    while let due = nextDeadline, due <= now + time { actions += deadline(at: max(now, due)) }
    return actions
  }
}

extension WorkerLink.State {
  /// Its name, without its data.
  var word: String {
    switch self {
    case .greeting: "greeting"
    case .subscribing: "subscribing"
    case .awaitingSnapshot: "awaiting"
    case .serving: "serving"
    case .draining: "draining"
    case .ended: "ended"
    }
  }
}
