public import MotionModel

extension Runtime {
  /// What there is, on one target or on all, and how it hangs together; nothing changes by it.
  ///
  /// Of one target, properties of others that its plans read are in it, and plans on others that read its own. Linear in what
  /// it shows.
  ///
  /// - Parameters:
  ///   - target: the target, or `nil` for all.
  ///   - streams: those of plans that workers fulfil, as they say; of unknown plans they are ignored, and executors in
  ///     this process are asked themselves.
  /// - Throws: ``/MotionModel/Refusal`` when there is no such target.
  public func graph(
    of target: TargetName? = nil, streams: [IntentionIdentity: [StreamDescription]] = [:]
  ) throws(Refusal) -> RuntimeGraph {
    guard let inspection = try RuntimeInspection(.graph(target), of: self, streams: streams),
      case .graph(let graph) = inspection.finish()
    else { preconditionFailure("a graph is made of a runtime") }
    return graph
  }

  /// Whether a worker has this plan: what it says of others counts for nothing.
  public func hasPlan(_ identity: IntentionIdentity, in worker: WorkerAddress) -> Bool {
    intentions[identity].flatMap { executors[$0.executor] }?.worker == worker
  }

  /// The executors of a target, by the workers they live in; those in this process are left out. Of all targets, the workers
  /// in which any live, without the executors: these may be many.
  ///
  /// - Throws: ``/MotionModel/Refusal`` when there is no such target.
  public func executors(on target: TargetName?) throws(Refusal) -> [WorkerAddress: [ExecutorHandle]] {
    guard let target = try known(target) else {
      return workers.filter { !$0.value.executors.isEmpty }.mapValues { _ in [] }
    }
    var handles: [WorkerAddress: [ExecutorHandle]] = [:]
    for record in executorsInOrder(on: target) {
      if let worker = record.worker { handles[worker, default: []].append(record.handle) }
    }
    return handles
  }
}
