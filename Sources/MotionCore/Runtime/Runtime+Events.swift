public import MotionModel

extension Runtime {
  /// Accepts an event from outside; it is applied at the beginning of the next frame, in order.
  public func submit(_ event: RuntimeEvent) {
    queue.append(event)
    refreshActivity()
  }

  /// Applies an event at once, between frames, even while time stands: a stop, or the start or loss of a worker.
  ///
  /// Its changes are to be published after the last frame's values; a recording holds the event before the next frame.
  /// The update of a worker waits for the next frame in any case, because it belongs to a frame. The changes of a
  /// commit or a withdrawal are published, and tidied up, with the next frame or event.
  public func applyNow(_ event: RuntimeEvent) {
    apply(event, isStored: false)
  }

  /// Applies an event at once.
  ///
  /// - Parameter isStored: whether another process accepted it: plans that are not valid here are reported as failed.
  func apply(_ event: RuntimeEvent, isStored: Bool) {
    if case .update = event { return submit(event) }
    position.phase = .changing(isStored: isStored)
    defer { position.phase = .idle }
    // A stop applies these itself; a replay, which applies them one by one, must have the same result.
    if event.isOfClient {
      apply(event)
      return refreshActivity()
    }
    movement.properties.begin(frame.number)
    if case .stop = event { applyPending() }
    apply(event)
    tellReaders()
    movement.properties.end()
    refreshActivity()
    removeIdleExecutors()
  }

  /// Applies the waiting events of clients, in order.
  private func applyPending() {
    for event in queue.takeEventsOfClients() { apply(event) }
  }

  func apply(_ event: RuntimeEvent) {
    recorder.note(event, isInFrame: position.isInFrame)
    switch event {
    case .commit(let sequence, let transaction): apply(transaction, sequence: sequence)
    case .update(let worker, let update): apply(update, from: worker)
    case .provisioned(let worker): provision(worker)
    case .lost(let worker): lose(worker)
    case .quarantined(let plugin, let reason): quarantine(plugin, reason: reason)
    case .restored(let plugin): restore(plugin)
    case .withheld(let worker, let identities): withhold(identities, from: worker)
    case .planQuarantined(let identity, let reason): quarantine(identity, reason: reason)
    case .stop(let request): stop(request)
    case .withdraw(let sequences): withdraw(Set(sequences))
    case .input(let input): apply(input)
    }
  }

  private func apply(_ transaction: Transaction, sequence: UInt64) {
    // A recording contains sequences of another runtime: a later commit here must not get one of them.
    plans.last.sequence = max(plans.last.sequence, sequence)
    plans.provenances.begin(sequence)
    let staged = staging.take(sequence)
    let prepared = staged?.prepared ?? prepare(transaction)
    let fates = fates(of: transaction, by: prepared?.supersession)
    if let staged {
      apply(staged, of: transaction, sequence: sequence, fates)
    } else {
      for operation in transaction.log.indices {
        apply(operation, of: transaction, sequence: sequence, fates, prepared?.readings[operation])
      }
    }
    if let fates, fates.contains(.displaced) {
      staging.superseded.add(transaction, sequence: sequence, frame: position.moment.number, fates)
    }
    plans.provenances.end()
    settle()
    reports.trace(.didCommit(sequence: sequence))
  }

  /// Applies an operation of a transaction, unless a later one supersedes it. A superseded operation only takes its
  /// place in the order of additions.
  ///
  /// - Parameter reading: the plan that it adds, where it was read before.
  func apply(
    _ operation: Int, of transaction: Transaction, sequence: UInt64, _ fates: [Supersession.Fate]?,
    _ reading: PlanReading?
  ) {
    if let fates, fates[operation] != .applied {
      plans.last.order += 1
      return
    }
    switch transaction.log[operation] {
    case .add(let intention, let name, let target):
      add(
        intention, named: name, to: target, as: IntentionIdentity(sequence: sequence, operation: UInt32(operation)),
        reading)
    case .remove(let name, let target): remove(named: name, from: target)
    case .removePlan(let identity, let target): remove(identity, from: target)
    case .forget(let target): forget(target)
    }
  }

  /// Stops everything: all intentions of the targets are removed, and their properties stand. Outputs stay unless the
  /// request includes them: they move nothing, and later commits must reach their receivers.
  ///
  /// Events that were accepted before are applied before, so that only commits after the stop start anything. A stop of
  /// everything also withdraws the transactions that wait for their `at`. Failed plans are kept no longer.
  private func stop(_ request: StopRequest) {
    let names = request.targets
    let stopped = names.isEmpty ? plans.targetsInOrder : names.filter { plans.targets[$0] != nil }
    if names.isEmpty {
      leaveStaged(queue.waiting.sequences)
      queue.waiting.removeAll()
    }
    for target in stopped {
      for identity in plans.identities(on: target) where request.outputs || plans.intentions[identity]?.kind != .output
      {
        removeIntention(identity)
      }
    }
    settle()
    reports.forgetFailures { names.isEmpty || names.contains($0.target) }
    retirement.dropQuarantined { names.isEmpty || names.contains($0.target) }
    for target in stopped {
      for slot in plans.targets[target]?.slots ?? [] { movement.stand(slot) }
    }
  }

  /// Removes the intentions of a client that is gone, with the plans that they emitted, and its waiting transactions.
  private func withdraw(_ sequences: Set<UInt64>) {
    leaveStaged(queue.waiting.sequences.intersection(sequences))
    queue.waiting.withdraw(sequences)
    retirement.dropQuarantined { sequences.contains($0.identity.sequence) }
    for identity in plans.intentions.keys.filter({ sequences.contains($0.sequence) }).sorted() {
      removeIntention(identity)
    }
    settle()
  }
}
