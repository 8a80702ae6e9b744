import MotionCore
import MotionModel

/// Collects what the runtime says to workers while it runs; the coordinator sends it afterwards, in order.
final class Outbox: WorkerPort {
  /// One thing to say.
  enum Letter {
    case need(WorkerAddress)
    case command(WorkerCommand, WorkerAddress)
    case snapshot(WorkerSnapshot, WorkerAddress)
  }

  private var letters: [Letter] = []

  func need(_ worker: WorkerAddress) { letters.append(.need(worker)) }
  func send(_ command: WorkerCommand, to worker: WorkerAddress) { letters.append(.command(command, worker)) }
  func provision(_ worker: WorkerAddress, with snapshot: WorkerSnapshot) { letters.append(.snapshot(snapshot, worker)) }

  /// Takes out what was said since the last call.
  func take() -> [Letter] {
    guard !letters.isEmpty else { return [] }
    defer { letters.removeAll(keepingCapacity: true) }
    return letters
  }
}
