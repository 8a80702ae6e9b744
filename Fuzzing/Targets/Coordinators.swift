import MotionCore
import MotionExecutorKit
import MotionExecutors
import MotionLink
import MotionModel
import MotionWire

/// What a coordinator says to a worker that asks for its first snapshot, and what the executors there make of it.
enum Coordinators {
  static func run(_ bytes: [UInt8]) throws {
    var world = CoordinatorWorld()
    try world.greet()
    for piece in Pieces(bytes) {
      guard var envelope = try? Envelope(decoding: piece) else { continue }
      // Nobody finds out by chance which start of it is meant, and which question.
      (envelope.epoch, envelope.incarnation, envelope.replyTo) = (1, 0, 1 << 40)
      try world.hear(envelope)
    }
  }
}

/// A worker without a process, sockets and clock.
private struct CoordinatorWorld {
  private static let address = WorkerAddress("both", 0)

  private let session: WorkerSession
  private var link: WorkerLink
  private var now = Duration.zero

  init() {
    let types: [any ExecutorDeclaring.Type] = [
      TweenExecutor.self, SquashAndStretchExecutor.self, GestureExecutor.self,
    ]
    session = WorkerSession(types.map { $0.declaration })
    let hello = Hello(address: Self.address, processID: 1, executors: session.types)
    link = WorkerLink(epoch: 1, incarnation: 1, hello: hello, at: .zero)
  }

  mutating func greet() throws {
    try perform(link.start(at: now))
    let topics = LinkTopics(Self.address, incarnation: 1)
    let welcome = Welcome(
      protocolVersion: 1, commandTopic: topics.commands, tickTopic: topics.ticks, eventTopic: topics.events,
      wantsUpdates: true)
    try hear(Envelope(epoch: 1, sequence: 1, .welcome(welcome)))
    try perform(link.subscribed(to: topics.events, at: now))
    try require(link.isAwaitingSnapshot, "a worker that was welcomed requests no snapshot")
  }

  /// Takes a word of the coordinator, 20 ms after the last one.
  mutating func hear(_ envelope: Envelope) throws {
    now += .milliseconds(20)
    try perform(link.received(envelope, at: now))
    try perform(link.deadline(at: now))
    try write(link.update(frame: session.frame.number, writes: session.takeWrites(), at: now))
  }

  private mutating func perform(_ actions: [WorkerAction]) throws {
    for action in actions {
      switch action {
      case .send(let envelope), .publish(let envelope): try write(envelope)
      case .provision(let snapshot): session.provision(snapshot)
      case .apply(let command): session.apply(command)
      case .run(let frame): session.run(frame)
      case .inspect(let executors, let question):
        try write(link.report(session.streams(of: executors), to: question, at: now))
      case .leaseLost: session.clear()
      case .subscribe, .exit: break
      }
      for event in session.takeEvents() { link.record(event) }
      link.tokens = session.tokens
      link.setActive(session.isActive, at: now)
    }
  }

  /// What is said has to be readable: values that are none are refused where they are written.
  private func write(_ envelope: Envelope) throws {
    do {
      let again = try Envelope(decoding: envelope.encoded())
      try require(again == envelope, "a coordinator reads \(again) instead of \(envelope)")
    } catch let error as WireError {
      throw FuzzFinding("a coordinator cannot read \(envelope): \(error)")
    }
  }
}
