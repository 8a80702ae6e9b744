import MotionCore
import MotionLink
import MotionModel
import MotionWire

/// What a worker says, on the link and of its executors, once it is provisioned; and what a runtime makes of it, in which
/// the worker has a tween, a hand and an intention that waits for it.
enum Workers {
  static let address = WorkerAddress("both", 0)

  static func run(_ bytes: [UInt8]) throws {
    let world = try WorkerWorld()
    for piece in Pieces(bytes) {
      guard var envelope = try? Envelope(decoding: piece) else { continue }
      // Nobody finds out by chance when it was started.
      (envelope.epoch, envelope.incarnation) = (1, 1)
      try world.hear(envelope)
    }
    for _ in 0..<3 { try world.frame() }
    try World.checkpoint(world.runtime)
  }
}

/// A coordinator with one worker, without sockets and processes.
private final class WorkerWorld: WorkerPort {
  let runtime: Runtime
  private var link: CoordinatorLink
  private var now = Duration.zero
  private var snapshot: WorkerSnapshot?

  init() throws {
    var registry = ExecutorRegistry()
    let types = [TweenIntention.description, DraggableIntention.description]
    try registry.register(PluginManifest(name: "both", executable: "both", intentions: types))
    runtime = Runtime(registry: registry)
    let executors = types.map(\.executor)
    link = CoordinatorLink(epoch: 1, address: Workers.address, incarnation: 1, executors: executors, at: .zero)
    runtime.workerPort = self
    var transaction = Transaction()
    transaction.add(.anchoredSpring("position", [100, 50]), to: "ball")
    transaction.add(.tween("opacity", to: 1), to: "ball")
    transaction.add(.draggable(), named: "drag", to: "ball")
    transaction.add(.tween("position", to: [1, 1]), to: "ball")
    _ = try runtime.commit(transaction)
    try greet(Hello(address: Workers.address, processID: 1, executors: executors))
  }

  private func greet(_ hello: Hello) throws {
    try hear(Envelope(epoch: 1, incarnation: 1, sequence: 1, .hello(hello)))
    try perform(link.subscribed(to: link.topics.commands, at: now))
    try perform(link.subscribed(to: link.topics.ticks, at: now))
    try hear(Envelope(epoch: 1, incarnation: 1, sequence: 2, .resync(commandsApplied: 0)))
  }

  /// Takes a word of the worker, 20 ms after the last one, and runs a frame.
  func hear(_ envelope: Envelope) throws {
    now += .milliseconds(20)
    try perform(link.received(envelope, at: now))
    try frame()
  }

  func frame() throws {
    try perform(link.deadline(at: now))
    try perform(link.setActive(runtime.isActive(Workers.address), at: now))
    try World.run(runtime, frames: 1)
    try write(link.tick(runtime.frame, at: now))
  }

  private func perform(_ actions: [CoordinatorAction]) throws {
    for action in actions {
      switch action {
      case .send(let envelope), .publish(let envelope): try write(envelope)
      case .provideSnapshot:
        runtime.applyNow(.provisioned(Workers.address))
        if let snapshot { try write(link.provide(snapshot, at: now)) }
      case .apply(let update): runtime.submit(.update(Workers.address, update))
      case .fence(let reason):
        try require(!reason.description.isEmpty, "a worker is ended without a reason")
        runtime.applyNow(.lost(Workers.address))
      case .provisioned, .reported, .log, .report: break
      }
    }
  }

  /// What is said has to be readable.
  private func write(_ envelope: Envelope?) throws {
    guard let envelope else { return }
    try require((try? Envelope(decoding: envelope.encoded())) == envelope, "a worker cannot read \(envelope)")
  }

  func need(_ worker: WorkerAddress) {}
  func send(_ command: WorkerCommand, to worker: WorkerAddress) { _ = link.send(command, at: now) }
  func provision(_ worker: WorkerAddress, with snapshot: WorkerSnapshot) { self.snapshot = snapshot }
}
