import MotionCore
import MotionModel

/// Collects the runtime's messages to workers while it runs; the coordinator sends them afterwards, in order.
final class Outbox: WorkerPort {
  /// One message.
  enum Command {
    case need(WorkerAddress)
    case command(WorkerCommand, WorkerAddress)
    case snapshot(WorkerSnapshot, WorkerAddress)
  }

  private var items: [Command] = []

  func need(_ worker: WorkerAddress) { items.append(.need(worker)) }
  func send(_ command: WorkerCommand, to worker: WorkerAddress) { items.append(.command(command, worker)) }
  func provision(_ worker: WorkerAddress, with snapshot: WorkerSnapshot) { items.append(.snapshot(snapshot, worker)) }

  /// Takes out the messages collected since the last call.
  func take() -> [Command] {
    guard !items.isEmpty else { return [] }
    defer { items.removeAll(keepingCapacity: true) }
    return items
  }
}
