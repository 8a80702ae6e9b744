public import MotionModel

extension Runtime {
  /// Hands over something that happened outside; it is applied at the beginning of the next frame, in order.
  public func submit(_ event: RuntimeEvent) {
    pending.append(event)
    refreshActivity()
  }

  /// Applies something at once, between frames, even while time stands: a stop, or the life of a worker.
  ///
  /// What it changes is to be published after the last frame's values; a recording holds it before the next frame.
  public func applyNow(_ event: RuntimeEvent) {
    properties.begin(frame.number)
    if case .stop = event { applyPending(in: Frame(number: frame.number, time: frame.time, dt: 0)) }
    // Between frames an interval has no length: what starts now starts where the last frame ended.
    apply(event, in: Frame(number: frame.number, time: frame.time, dt: 0))
    refreshActivity()
  }

  /// Applies what was handed over, in order.
  func applyPending(in frame: Frame) {
    let events = pending
    pending = []
    for event in events { apply(event, in: frame) }
  }

  func apply(_ event: RuntimeEvent, in frame: Frame) {
    keep(event)
    switch event {
    case .commit(let sequence, let transaction): apply(transaction, sequence: sequence, in: frame)
    case .update(let worker, let update): apply(update, from: worker, in: frame)
    case .provisioned(let worker): provision(worker, in: frame)
    case .lost(let worker): lose(worker, in: frame)
    case .quarantined(let plugin, let reason): quarantine(plugin, reason: reason, in: frame)
    case .restored(let plugin): quarantined[plugin] = nil
    case .stop(let names): stop(names, in: frame)
    case .withdraw(let sequences): withdraw(Set(sequences), in: frame)
    }
  }

  private func keep(_ event: RuntimeEvent) {
    guard isRecording else { return }
    if isBetweenFrames { appliedBetween.append(event) } else { applied.append(event) }
  }

  private func apply(_ transaction: Transaction, sequence: UInt64, in frame: Frame) {
    for (index, operation) in transaction.log.enumerated() {
      let identity = IntentionIdentity(sequence: sequence, operation: UInt32(index))
      switch operation {
      case .add(let intention, let name, let target):
        add(intention, named: name, to: target, as: identity, in: frame)
      case .remove(let name, let target): remove(named: name, from: target, in: frame)
      case .forget(let target): forget(target, in: frame)
      }
    }
    settle(in: frame)
    trace(.didCommit(sequence: sequence))
  }

  /// Everything holds: all intentions of the targets go, and their properties stand.
  ///
  /// What was accepted before is applied before, so that nothing starts after the stop but what was committed after it;
  /// a stop of everything also takes back the transactions that wait for their `at`.
  private func stop(_ names: [TargetName], in frame: Frame) {
    let stopped = names.isEmpty ? targetsInOrder : names.filter { targets[$0] != nil }
    if names.isEmpty { waiting.removeAll() }
    for target in stopped {
      for identity in identities(on: target) { removeIntention(identity, in: frame) }
    }
    settle(in: frame)
    for target in stopped {
      for slot in targets[target]?.slots ?? [] { stand(slot) }
    }
  }

  /// The intentions of a client that is gone are removed, with what they emitted, and its waiting transactions.
  private func withdraw(_ sequences: Set<UInt64>, in frame: Frame) {
    waiting.withdraw(sequences)
    let gone = intentions.keys.filter { sequences.contains($0.sequence) && $0.path.isEmpty }.sorted()
    for identity in gone { removeIntention(identity, in: frame) }
    settle(in: frame)
  }

  /// Lets a property stand where it is.
  func stand(_ slot: PropertyTable.Slot) {
    properties.set(slot, value: properties[slot].value, velocity: .zero)
    properties[slot].motion = nil
    moving.remove(slot)
  }

  /// The targets, in order of first mention.
  var targetsInOrder: [TargetName] {
    targets.sorted { $0.value.ordinal < $1.value.ordinal }.map(\.key)
  }

  /// The intentions on a target, in order of addition.
  func identities(on target: TargetName) -> [IntentionIdentity] {
    (targets[target]?.executors ?? []).flatMap { executors[$0]?.intentions ?? [] }
      .sorted { (intentions[$0]?.order ?? 0) < (intentions[$1]?.order ?? 0) }
  }
}
