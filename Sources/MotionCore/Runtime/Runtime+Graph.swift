public import MotionModel

extension Runtime {
  /// The graph of one target or of all; the query changes nothing.
  ///
  /// The graph of one target contains properties of other targets that its plans read, and plans on other targets that
  /// read its own properties. Linear in the graph.
  ///
  /// - Parameters:
  ///   - target: the target, or `nil` for all.
  ///   - streams: the streams of plans that workers fulfil, as the workers report them. Streams of unknown plans are
  ///     ignored, and executors in this process are queried directly.
  /// - Throws: ``/MotionModel/Refusal`` when there is no such target.
  public func graph(
    of target: TargetName? = nil, streams: [IntentionIdentity: [StreamDescription]] = [:]
  ) throws(Refusal) -> RuntimeGraph {
    guard let inspection = try RuntimeInspection(.graph(target), of: self, streams: streams),
      case .graph(let graph) = inspection.finish()
    else { preconditionFailure("a graph is made of a runtime") }
    return graph
  }

  /// Whether a worker has this plan: its reports about other plans are ignored.
  public func hasPlan(_ identity: IntentionIdentity, in worker: WorkerAddress) -> Bool {
    plans.intentions[identity].flatMap { plans.executors[$0.executor] }?.worker == worker
  }

  /// The executors of a target, by their workers; those in this process are left out. For all targets, the workers that
  /// have any, without the executors: these may be many.
  ///
  /// - Throws: ``/MotionModel/Refusal`` when there is no such target.
  public func executors(on target: TargetName?) throws(Refusal) -> [WorkerAddress: [ExecutorHandle]] {
    guard let target = try known(target) else {
      return workers.records.filter { !$0.value.executors.isEmpty }.mapValues { _ in [] }
    }
    var handles: [WorkerAddress: [ExecutorHandle]] = [:]
    for record in plans.executorsInOrder(on: target) {
      if let worker = record.worker { handles[worker, default: []].append(record.handle) }
    }
    return handles
  }
}
