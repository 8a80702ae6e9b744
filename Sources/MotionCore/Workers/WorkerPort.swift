public import MotionModel

/// How a runtime reaches its workers: an effect, supplied by whoever has sockets.
///
/// A runtime counts on nothing it says arriving soon: what workers answer comes back as
/// ``/MotionModel/RuntimeEvent``s. A replay has a port that says nothing at all.
public protocol WorkerPort: AnyObject {
  /// A worker is needed: an executor was made that lives in it, or its plugin was restored and owes something.
  func need(_ worker: WorkerAddress)
  /// Tells a provisioned worker what to do; the first after a snapshot is number one more than the snapshot's.
  func send(_ command: WorkerCommand, to worker: WorkerAddress)
  /// Gives a worker everything it has to know.
  func provision(_ worker: WorkerAddress, with snapshot: WorkerSnapshot)
}
