import MotionCore
import MotionModel

/// Collects what the runtime says to workers while it runs; the coordinator sends it afterwards, in order.
final class Outbox: WorkerPort {
  /// One thing to say.
  enum Command {
    case need(WorkerAddress)
    case command(WorkerCommand, WorkerAddress)
    case snapshot(WorkerSnapshot, WorkerAddress)
  }

  private var items: [Command] = []

  func need(_ worker: WorkerAddress) { items.append(.need(worker)) }
  func send(_ command: WorkerCommand, to worker: WorkerAddress) { items.append(.command(command, worker)) }
  func provision(_ worker: WorkerAddress, with snapshot: WorkerSnapshot) { items.append(.snapshot(snapshot, worker)) }

  /// Takes out what was said since the last call.
  func take() -> [Command] {
    guard !items.isEmpty else { return [] }
    defer { items.removeAll(keepingCapacity: true) }
    return items
  }
}
