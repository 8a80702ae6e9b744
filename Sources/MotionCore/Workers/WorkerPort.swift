public import MotionModel

/// The connection of a runtime to its workers: an effect, supplied by the program that has the sockets.
///
/// A runtime does not depend on its messages arriving soon: the updates of workers come back as
/// ``/MotionModel/RuntimeEvent``s. A replay has a port that sends nothing at all.
public protocol WorkerPort: AnyObject {
  /// A worker is needed: an executor was created in it, or its plugin was restored and is owed plans.
  func need(_ worker: WorkerAddress)
  /// Sends a command to a provisioned worker; the first after a snapshot has the snapshot's number plus one.
  func send(_ command: WorkerCommand, to worker: WorkerAddress)
  /// Sends a worker its complete state.
  func provision(_ worker: WorkerAddress, with snapshot: WorkerSnapshot)
}
