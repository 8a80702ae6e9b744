import MotionModel
import MotionPhysics

extension Runtime {
  /// Removes the plan of a name; without such a plan, nothing happens.
  func remove(named name: IntentionName, from target: TargetName) {
    if !quarantinedPlans.isEmpty { quarantinedPlans.removeAll { $0.target == target && $0.name == name } }
    guard let identity = targets[target]?.names[name], let record = intentions[identity],
      let executor = executors[record.executor]
    else { return }
    if removeIntention(identity) { trace(.didRemoveNamed(identity, name, executor.key)) }
  }

  /// Removes the plan of an identity, named or not; if it is not on this target, nothing happens.
  func remove(_ identity: IntentionIdentity, from target: TargetName) {
    if !quarantinedPlans.isEmpty { quarantinedPlans.removeAll { $0.target == target && $0.identity == identity } }
    guard let record = intentions[identity], record.target.name == target, let executor = executors[record.executor]
    else { return }
    if removeIntention(identity), let name = record.name { trace(.didRemoveNamed(identity, name, executor.key)) }
  }

  /// Removes a plan and all plans that it emitted from their executors.
  ///
  /// - Returns: whether it existed, and was not about to end with this frame anyway.
  @discardableResult
  func removeIntention(_ identity: IntentionIdentity) -> Bool {
    guard let record = intentions[identity] else { return false }
    if let end = ending[identity] {
      self.end(record, end.outcome, reason: end.reason, tellingExecutor: false)
      return false
    }
    drop(record)
    removeChildren(of: record)
    tellExecutor(ofRemoved: record)
    return true
  }

  /// Ends a plan that has reported its end, or whose property another plan took: it is retired and reported.
  ///
  /// The plans that it emitted are removed with it unless it is completed.
  func end(_ record: IntentionRecord, _ outcome: Outcome, reason: String = "", tellingExecutor: Bool) {
    guard intentions[record.identity] != nil else { return }
    drop(record)
    if outcome != .completed { removeChildren(of: record) }
    if tellingExecutor { tellExecutor(ofRemoved: record) }
    guard let key = executors[record.executor]?.key else { return }
    report(
      EndedIntention(
        identity: record.identity, target: record.target.name, type: record.intention.type, name: record.name,
        frame: moment.number, outcome: outcome, reason: reason),
      of: record.intention, kind: record.kind, key, by: record.provenance)
    endParent(of: record, outcome, reason: reason)
  }

  /// Ends a one-shot that writes nothing itself with the plans that it emitted: when the last of them ends, or with the
  /// first that is not completed.
  private func endParent(of child: IntentionRecord, _ outcome: Outcome, reason: String) {
    guard !child.identity.path.isEmpty, let parent = child.identity.parent.flatMap({ intentions[$0] }),
      parent.kind == .oneShot, parent.slots.isEmpty,
      outcome != .completed || parent.children.isEmpty
    else { return }
    end(parent, outcome, reason: reason, tellingExecutor: true)
  }

  /// Displaces a one-shot that has lost a property to another writer; it may have been about to end with this frame
  /// anyway.
  func displace(_ identity: IntentionIdentity) {
    guard let record = intentions[identity] else { return }
    let end = ending[identity]
    self.end(record, end?.outcome ?? .displaced, reason: end?.reason ?? "", tellingExecutor: end == nil)
  }

  /// Notifies executors of the properties that have come to rest, oldest first, and at most ``arrivalsPerFrame`` in one
  /// frame.
  func takeArrivals() {
    guard !bank.arrivals.isEmpty || !arrivals.isEmpty else { return }
    arrivals += bank.arrivals
    let due = arrivals.prefix(Runtime.arrivalsPerFrame)
    arrivals.removeFirst(due.count)
    for arrival in due where bank.contains(arrival.handle) && !bank.isMoving(arrival.handle) {
      let slot = Int(arrival.tag)
      guard let actor = properties[slot].actor else { continue }
      executors[actor]?.physics?.arrived(at: slot, arrival.handle)
    }
  }

  private func removeChildren(of record: IntentionRecord) {
    for ordinal in record.children.sorted() { removeIntention(record.identity.child(ordinal)) }
  }

  private func tellExecutor(ofRemoved record: IntentionRecord) {
    guard record.state == .added, let executor = executors[record.executor] else { return }
    if let physics = executor.physics {
      physics.remove(record)
    } else if let name = record.name, let named = executor.named {
      named.remove(named: name)
    } else {
      executor.executor.remove(record.identity)
    }
    // Another plan of it may have waited for a property that this one moved.
    if !executor.intentions.isEmpty { expectAnswer(of: executor) }
  }

  /// Removes a plan from all tables: its name, its claims, its place in its executor.
  private func drop(_ record: IntentionRecord) {
    intentions[record.identity] = nil
    touchGone(record)
    if let index = lingering.firstIndex(of: record.identity) {
      lingering.remove(at: index)
      ending[record.identity] = nil
    }
    if record.mayRead { noteReads(of: record, false) }
    record.target.intentions -= 1
    if let name = record.name, record.target.names[name] == record.identity { record.target.names[name] = nil }
    if !record.identity.path.isEmpty, let parent = record.identity.parent {
      intentions[parent]?.children.remove(record.identity.path.last ?? 0)
    }
    for slot in record.slots {
      properties[slot].stack.remove(record.identity)
      // A displacement lasts as long as the executor has plans that write the property.
      if !properties[slot].silent.isEmpty, !properties[slot].stack.speaks(record.executor) {
        properties[slot].silent.removeAll { $0 == record.executor }
      }
      unsettle(slot)
    }
    guard let executor = executors[record.executor] else { return }
    if let index = executor.intentions.firstIndex(of: record.identity) { executor.intentions.remove(at: index) }
    noteIfEmpty(executor)
  }

  /// Keeps the ending of a plan for ``takeEnded()``, and traces it; failed plans are kept for queries, too.
  func report(
    _ plan: EndedIntention, of intention: Intention, kind: IntentionKind, _ key: ExecutorKey,
    by provenance: @autoclosure () -> Provenance?
  ) {
    // Half at a time, so that the amortised cost of dropping is small.
    if ended.count >= Runtime.endedKept { ended.removeFirst(Runtime.endedKept / 2) }
    ended.append(plan)
    guard plan.outcome == .failed else { return trace(.didFinish(plan.identity, plan.outcome, key)) }
    failures.append(
      IntentionRow(
        identity: plan.identity, target: plan.target, name: plan.name, intention: intention, kind: kind,
        executor: key.type, state: .failed, reason: plan.reason, provenance: provenance()))
    if failures.count >= 2 * Runtime.failuresKept { failures.removeFirst(Runtime.failuresKept) }
    trace(.didFail(plan.identity, reason: plan.reason, key))
  }
}
