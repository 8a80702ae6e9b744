import MotionModel

extension Retirement {
  /// Removes the plan of a name, and those that wait to replace it; without such a plan, nothing happens.
  func remove(named name: IntentionName, from target: TargetName) {
    dropFailed(on: target) { $0.name == name }
    guard let record = plans.targets[target] else { return }
    for identity in plans.identities(named: name, on: record) { removeIntention(identity) }
  }

  /// The plans whose name a plan takes that begins now: those that have begun, and those that were added before it. In order
  /// of addition.
  func namesakes(before record: IntentionRecord) -> [IntentionIdentity] {
    guard let name = record.name else { return [] }
    return plans.identities(named: name, on: record.target).filter { identity in
      guard let other = plans.intentions[identity], other !== record else { return false }
      return other.begins == nil || other.order < record.order
    }
  }

  /// Removes the plan of an identity, named or not; if it is not on this target, nothing happens.
  func remove(_ identity: IntentionIdentity, from target: TargetName) {
    dropFailed(on: target) { $0.identity == identity }
    if plans.intentions[identity]?.target.name == target { removeIntention(identity) }
  }

  /// Removes a plan and all plans that it emitted from their executors. A plan that was about to end with this frame
  /// anyway ends, unless limits still hold its property back.
  func removeIntention(_ identity: IntentionIdentity) {
    guard let record = plans.intentions[identity] else { return }
    if let end = ending[identity] {
      return self.end(record, end.outcome, reason: end.reason, tellingExecutor: lingering.contains(identity))
    }
    let isKnown = isKnownToExecutor(record)
    drop(record, stop == nil ? .removed : .stopped)
    removeChildren(of: record)
    if isKnown { tellExecutor(ofRemoved: record) }
    guard log.keeps.contains(.plans), let executor = plans.executors[record.executor] else { return }
    log.note(.plans, .removed(identity, named: record.name, executor.key))
  }

  /// Ends a plan that has reported its end, or whose property another plan took: it is retired and reported.
  ///
  /// The plans that it emitted are removed with it unless it is completed.
  func end(_ record: IntentionRecord, _ outcome: Outcome, reason: String = "", tellingExecutor: Bool) {
    guard plans.intentions[record.identity] != nil else { return }
    let isKnown = tellingExecutor && isKnownToExecutor(record)
    drop(record, .init(outcome))
    if outcome != .completed { removeChildren(of: record) }
    if isKnown { tellExecutor(ofRemoved: record) }
    guard let type = plans.executors[record.executor]?.type else { return }
    log.end(
      EndedIntention(
        identity: record.identity, target: record.target.name, type: record.intention.type, name: record.name,
        frame: position.moment.number, outcome: outcome, reason: reason),
      outcome, of: record.intention, kind: record.kind, type, provenance: record.provenance)
    endParent(of: record, outcome, reason: reason)
  }

  /// Ends a one-shot that writes nothing itself with the plans that it emitted: when the last of them ends, or with the
  /// first that is not completed.
  private func endParent(of child: IntentionRecord, _ outcome: Outcome, reason: String) {
    guard !child.identity.path.isEmpty, let parent = child.identity.parent.flatMap({ plans.intentions[$0] }),
      parent.kind == .oneShot, parent.slots.isEmpty,
      outcome != .completed || parent.children.isEmpty
    else { return }
    end(parent, outcome, reason: reason, tellingExecutor: true)
  }

  /// Displaces a one-shot that has lost a property to another writer; it may have been about to end with this frame
  /// anyway.
  ///
  /// - Parameter other: the claim that drives with a higher priority, if that is the cause.
  func displace(_ identity: IntentionIdentity, by other: WriterStack.Claim? = nil) {
    guard let record = plans.intentions[identity] else { return }
    let end = ending[identity]
    self.end(
      record, end?.outcome ?? .displaced, reason: end?.reason ?? other.map(reason) ?? "",
      tellingExecutor: end == nil || lingering.contains(identity))
  }

  private func reason(of other: WriterStack.Claim) -> String {
    let record = plans.intentions[other.identity]
    let name = record?.name.map { " \"\($0)\"" } ?? ""
    return
      "intention \(other.identity) (\(record?.intention.type.text ?? "")\(name)) has the priority \(other.priority)"
  }

  /// Whether the executor of a plan still has it: not if it has reported its end, but for forces, which stay until their
  /// property has arrived.
  private func isKnownToExecutor(_ record: IntentionRecord) -> Bool {
    !lingering.contains(record.identity) || plans.executors[record.executor]?.physics != nil
  }

  private func removeChildren(of record: IntentionRecord) {
    for ordinal in record.children.sorted() { removeIntention(record.identity.child(ordinal)) }
  }

  private func tellExecutor(ofRemoved record: IntentionRecord) {
    guard record.state == .added, let executor = plans.executors[record.executor] else { return }
    if let physics = executor.physics {
      physics.remove(record.identity)
    } else if let worker = executor.worker {
      workers.send(.remove(executor.handle, record.identity), to: worker)
    } else if let name = record.name, let named = executor.named {
      named.remove(named: name)
    } else {
      executor.executor?.remove(record.identity)
    }
    // Another plan of it may have waited for a property that this one moved.
    if !executor.intentions.isEmpty { activity.expectAnswer(of: executor) }
  }

  /// Removes a plan from all tables: its name, its claims, its place in its executor.
  private func drop(_ record: IntentionRecord, _ end: Explanation.FormerPlan.End) {
    plans.intentions[record.identity] = nil
    plans.checkpoints.touchGone(record)
    forget(record.identity)
    if record.intention.priority != 0 { plans.ranked -= 1 }
    if record.mayRead { activity.noteReads(of: record, false) }
    if plans.executors[record.executor]?.abilities.contains(.follows) == true {
      plans.inputs.note(record, isFollowing: false)
    }
    record.target.intentions -= 1
    if record.begins != nil { plans.delayed.remove(order: record.order) }
    if let name = record.name, record.target.names[name] == record.identity {
      record.target.names[name] = nil
      if record.target.hasNamesakes {
        record.target.names[name] = plans.identities(on: record.target.name).last { plans.intentions[$0]?.name == name }
      }
    }
    if !record.identity.path.isEmpty, let parent = record.identity.parent {
      plans.intentions[parent]?.children.remove(record.identity.path.last ?? 0)
    }
    for slot in record.slots {
      if movement.properties[slot].leading == record.identity { noteFormer(record, end, of: slot) }
      movement.properties[slot].stack.remove(record.identity)
      // A displacement lasts as long as the executor has plans that write the property.
      if !movement.properties[slot].silent.isEmpty, !movement.properties[slot].stack.speaks(record.executor) {
        movement.properties[slot].silent.removeAll { $0 == record.executor }
      }
      movement.unsettle(slot)
    }
    guard let executor = plans.executors[record.executor] else { return }
    if let index = executor.intentions.firstIndex(of: record.identity) { executor.intentions.remove(at: index) }
    activity.noteIfEmpty(executor)
  }

  /// Notes for explanations that a plan drove a property until now.
  func noteFormer(_ record: IntentionRecord, _ end: Explanation.FormerPlan.End, of slot: PropertyTable.Slot) {
    guard movement.properties.formerPlans.hasRoom(in: position.moment.number) else { return }
    movement.properties.formerPlans.note(
      FormerPlans.Entry(
        identity: record.identity, type: record.intention.type, name: record.name, provenance: record.provenance,
        end: end, time: position.moment.start, stopper: stop?.by), of: slot)
  }
}

extension Explanation.FormerPlan.End {
  fileprivate init(_ outcome: Outcome) {
    self =
      switch outcome {
      case .completed: .completed
      case .displaced: .displaced
      case .failed: .failed
      }
  }
}
