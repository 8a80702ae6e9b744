public import MotionCore
import MotionLink
public import MotionModel

extension WorkerSession: ExecutorHost {
  /// Queues the value for the next update; the last write of a property counts. Refused writes are counted, and
  /// reported once for each executor and property.
  public func write(
    _ property: PropertyName, _ state: PropertyState, imposing: Imposed, remaining: Double?, carry: Double?,
    by executor: ExecutorHandle
  ) {
    guard let hosted = executors[executor] else { return }
    guard let written = hosted.written[property], hosted.plans.contains(where: { $0.start(of: property) != nil }) else {
      return refuse(property, of: hosted, "no intention of it writes this property")
    }
    guard state.isWellFormed, state.value.count == written.lanes else {
      return refuse(property, of: hosted, "\(state.value) is not \(written.lanes) finite lanes with their velocity")
    }
    guard !hosted.displaced.contains(property) else { return }
    hosted.states[property] = state
    writes.add(
      PropertyWrite(
        executor: executor, property: written.handle, state: state, imposes: imposing, remaining: remaining,
        carry: carry))
  }

  /// The state of a property: for one of its own the executor's last write, for any other the coordinator's last value.
  public func state(of reference: PropertyReference, for executor: ExecutorHandle) -> PropertyState? {
    guard let hosted = executors[executor] else { return nil }
    let own = hosted.key.target == reference.target ? hosted.states[reference.property] : nil
    // If another writer drives the property, the coordinator's value is newer.
    let isOwn = own != nil && !hosted.displaced.contains(reference.property)
    return isOwn ? own : read[reference] ?? own
  }

  /// Stores the token, and reports its start if it is new.
  ///
  /// The executor drives these properties from now on: the newest manipulation drives, so it need not wait for the
  /// coordinator.
  public func remoteExecutionWillStart(
    _ name: TokenName, moving properties: [PropertyName], from places: [Lanes], of executor: ExecutorHandle
  ) {
    guard let hosted = executors[executor] else { return }
    guard tokens[executor].count < Limits.tokensPerExecutor else {
      return report("executor \(executor.rawValue) holds \(Limits.tokensPerExecutor) tokens; \(name) is not started")
    }
    guard tokens.insert(name, of: executor) else { return }
    events.append(.started(executor, name, moving: properties, from: places))
    for property in properties { hosted.takeHold(of: property) }
  }

  /// Removes the token, and reports its end if it was held.
  public func remoteExecutionDidEnd(_ name: TokenName, of executor: ExecutorHandle) {
    if tokens.remove(name, of: executor) { events.append(.ended(executor, name)) }
  }

  /// Reports that a plan is finished.
  public func finish(_ identity: IntentionIdentity, _ outcome: Outcome, of executor: ExecutorHandle) {
    guard executors[executor]?.retire(identity) != nil else { return }
    events.append(.finished(executor, identity, outcome))
  }

  /// Reports that a plan cannot be fulfilled.
  public func fail(_ identity: IntentionIdentity, reason: String, of executor: ExecutorHandle) {
    guard executors[executor]?.retire(identity) != nil else { return }
    events.append(.failed(executor, identity, reason: reason))
  }

  /// Reports that a plan emits another one, once for each ordinal.
  public func emit(
    _ intention: Intention, named name: IntentionName?, parent: IntentionIdentity, ordinal: UInt32,
    of executor: ExecutorHandle
  ) {
    guard let hosted = executors[executor], hosted.plans.contains(where: { $0.identity == parent }),
      hosted.emitted[parent, default: []].insert(ordinal).inserted
    else { return }
    events.append(.emitted(executor, parent: parent, ordinal: ordinal, intention, named: name))
  }

  private func refuse(_ property: PropertyName, of hosted: HostedExecutor, _ reason: String) {
    guard writes.refuse(property, of: hosted.handle) else { return }
    report("a write of \(hosted.key) to \(property) is refused: \(reason)")
  }
}
