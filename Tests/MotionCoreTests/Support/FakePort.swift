import MotionCore
import MotionModel

/// Keeps a runtime's messages to workers.
final class FakePort: WorkerPort {
  private(set) var needs: [WorkerAddress] = []
  private(set) var snapshots: [WorkerSnapshot] = []
  /// The commands to each worker since its last snapshot, in order.
  private(set) var commands: [WorkerAddress: [WorkerCommand]] = [:]
  private var sent: [WorkerAddress: Int] = [:]

  func need(_ worker: WorkerAddress) { needs.append(worker) }

  func send(_ command: WorkerCommand, to worker: WorkerAddress) {
    commands[worker, default: []].append(command)
    sent[worker, default: 0] += 1
  }

  func provision(_ worker: WorkerAddress, with snapshot: WorkerSnapshot) {
    snapshots.append(snapshot)
    commands[worker] = []
  }

  /// The number of commands sent to a worker in its present incarnation.
  func commandsSent(to worker: WorkerAddress) -> UInt64 { UInt64(sent[worker] ?? 0) }

  func forget(_ worker: WorkerAddress) {
    sent[worker] = 0
    commands[worker] = []
  }

  /// Takes out the commands to a worker since the last call, in short.
  func take(_ worker: WorkerAddress) -> [String] {
    defer { commands[worker] = [] }
    return (commands[worker] ?? []).map { command in
      switch command {
      case .add(let executor, let key, let plan): "add \(executor.rawValue) \(key) \(plan.identity)"
      case .remove(let executor, let identity): "remove \(executor.rawValue) \(identity)"
      case .removeExecutor(let executor): "removeExecutor \(executor.rawValue)"
      case .displaced(let executor, let property): "displaced \(executor.rawValue) \(property)"
      case .resumed(let executor, let property, let state, _):
        "resumed \(executor.rawValue) \(property) \(state.value) \(state.velocity)"
      case .properties(let reads):
        "properties "
          + reads.map { "\($0.reference) \($0.state.map { "\($0.value)" } ?? "gone")" }.joined(separator: ", ")
      case .input(let executor, let input, let over):
        "input \(executor.rawValue) " + input.events.map { "\($0.phase)" }.joined(separator: ", ") + " over "
          + over.map { "\($0.reference) \($0.state.map { "\($0.value)" } ?? "gone")" }.joined(separator: ", ")
      case .shutdown: "shutdown"
      }
    }
  }
}

/// Sends messages as a worker would.
final class FakeWorker {
  let address: WorkerAddress
  private unowned let scene: Scene
  private var lastEvent: UInt64 = 0
  /// The writes and events of the next update.
  private var writes: [PropertyWrite] = []
  private var events: [WorkerEvent] = []

  init(_ address: WorkerAddress, _ scene: Scene) {
    self.address = address
    self.scene = scene
  }

  func provision() { scene.runtime.applyNow(.provisioned(address)) }

  func lose() {
    (writes, events, lastEvent) = ([], [], 0)
    scene.port.forget(address)
    scene.runtime.applyNow(.lost(address))
  }

  /// Queues a write of an executor: handles count up in order of creation.
  func write(
    _ executor: UInt32, _ value: Double, velocity: Double = 0, to property: PropertyName = "x",
    on target: TargetName = "ball", imposing: Imposed = [], remaining: Double? = nil,
    carry: Double? = nil
  ) throws {
    let row = try scene.row(property, on: target)
    let handle = row?.handle ?? PropertyHandle(.max)
    writes.append(
      PropertyWrite(
        executor: ExecutorHandle(executor), property: handle,
        state: PropertyState(Lanes(value), velocity: Lanes(velocity)), imposes: imposing, remaining: remaining,
        carry: carry))
  }

  /// Queues a write of the position of a hand.
  func write(
    _ executor: UInt32, at value: Lanes, velocity: Lanes, on target: TargetName = "ball",
    imposing: Imposed = [.value, .velocity]
  ) throws {
    writes.append(
      PropertyWrite(
        executor: ExecutorHandle(executor), property: try scene.row("position", on: target)?.handle ?? .init(.max),
        state: PropertyState(value, velocity: velocity), imposes: imposing))
  }

  func write(raw write: PropertyWrite) { writes.append(write) }

  func say(_ event: WorkerEvent) { events.append(event) }

  /// Sends the queued writes and events as the update of the next frame, or of another, acknowledging all commands.
  func send(frame: UInt64? = nil, acknowledging commands: UInt64? = nil) {
    let numbered = events.enumerated().map { index, event in
      WorkerUpdate.NumberedEvent(lastEvent + UInt64(index) + 1, event)
    }
    lastEvent += UInt64(events.count)
    scene.runtime.submit(
      .update(
        address,
        WorkerUpdate(
          frame: frame ?? scene.runtime.frame.number + 1, writes: writes, events: numbered,
          commandsApplied: commands ?? scene.port.commandsSent(to: address))))
    (writes, events) = ([], [])
  }
}
