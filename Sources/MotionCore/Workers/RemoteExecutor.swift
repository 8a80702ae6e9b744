import MotionModel

/// An executor in a worker: it forwards the calls of the runtime, which treats it like any other executor.
///
/// The worker's answers come back as updates, which the runtime applies on this executor's behalf. A plan's name goes
/// along with it; plans are removed by identity.
final class RemoteExecutor: YieldingExecutor {
  private let key: ExecutorKey
  private let handle: ExecutorHandle
  private let worker: WorkerAddress
  private unowned let runtime: Runtime

  init(key: ExecutorKey, handle: ExecutorHandle, worker: WorkerAddress, runtime: Runtime) {
    self.key = key
    self.handle = handle
    self.worker = worker
    self.runtime = runtime
  }

  func add(_ planned: PlannedIntention) {
    runtime.sendReads(of: planned.identity, to: worker)
    runtime.send(.add(handle, key, planned), to: worker)
    runtime.awaitAcknowledgement(of: handle)
  }

  func remove(_ identity: IntentionIdentity) {
    runtime.send(.remove(handle, identity), to: worker)
  }

  func displaced(_ property: PropertyName) {
    runtime.send(.displaced(handle, property), to: worker)
  }

  func resumed(_ property: PropertyName, from state: PropertyState, at time: Double) {
    runtime.send(.resumed(handle, property, state, time: time), to: worker)
    runtime.awaitAcknowledgement(of: handle)
  }
}
