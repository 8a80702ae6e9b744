public import MotionModel

extension Runtime {
  /// Accepts a transaction whole, or refuses it whole; it is applied with the next frame, or with the first at `at`.
  ///
  /// - Parameters:
  ///   - transaction: the operations to apply.
  ///   - at: a simulated time in seconds; a past time means now.
  /// - Returns: the receipt: its place in the order of transactions, and the frame that will apply it.
  /// - Throws: ``/MotionModel/Refusal`` with the index of the offending operation; nothing has changed then.
  ///
  /// Linear in the number of operations. A plan that becomes impossible between the commit and its frame (a limit, the
  /// lanes of a property that another transaction created first) is reported as failed.
  @discardableResult
  public func commit(_ transaction: Transaction, at: Double? = nil) throws(Refusal) -> Receipt {
    apply(try accept(transaction, at: at))
  }

  /// Accepts a transaction that was checked piece by piece.
  ///
  /// - Precondition: all of it was checked, by a check of this runtime.
  public func commit(_ check: TransactionCheck, at: Double? = nil) throws(Refusal) -> Receipt {
    apply(try accept(check, at: at))
  }

  /// Checks a transaction and gives it its place in the order; see ``accept(_:at:)-(TransactionCheck,_)``.
  package func accept(
    _ transaction: Transaction, at: Double? = nil, by provenance: Provenance? = nil
  ) throws(Refusal) -> AcceptedTransaction {
    let check = try TransactionCheck(transaction, in: self)
    try check.finish()
    return try accept(check, at: at, by: provenance)
  }

  /// Gives a checked transaction its place in the order, and changes nothing yet. ``apply(_:)`` lets it take effect,
  /// once the caller has made sure that it cannot be lost. An accepted transaction that is not applied leaves a gap in
  /// the sequences and has no other effect.
  ///
  /// - Parameters:
  ///   - provenance: who committed it, when, and why: kept with its plans, and without any influence on them.
  ///   - now: the present simulated time, at which its cues go; by default that of the last frame.
  /// - Precondition: all of it was checked, by a check of this runtime.
  package func accept(
    _ check: TransactionCheck, at: Double? = nil, by provenance: Provenance? = nil, now: Double? = nil
  ) throws(Refusal) -> AcceptedTransaction {
    precondition(check.isFinished && check.runtime === self, "a transaction was committed before all of it was checked")
    let later = try isLater(at, check.transaction, by: provenance)
    // What a recall has to do depends on what moves then.
    guard !later || check.scenes.isEmpty && check.resolution?.request.recalls.isEmpty ?? true else {
      throw Refusal(
        .value, field: "at", "scenes and cues are of the moment at which they are committed",
        remedy: "Commit it without a time, or make it a cue with a wait.")
    }
    if check.effects.contains(.sendsLamps), !later {
      do throws(Refusal) {
        try UniverseCheck.check(check.transaction, in: self)
      } catch {
        throw error.operation.flatMap { check.resolution?.placed(error, at: $0) } ?? error
      }
    }
    var transaction = check.transaction
    let changes = try cues.begin(check.scenes.cues, in: &transaction, at: now ?? frame.time)
    let cueRows = cues.rows(of: changes)
    plans.last.sequence += 1
    if !later { queue.expect(transaction, as: plans.last.sequence) }
    cues.expect(changes, as: plans.last.sequence)
    staging.accept(check.takeStaged(), as: plans.last.sequence)
    plans.provenances.accept(provenance, as: plans.last.sequence)
    return AcceptedTransaction(
      sequence: plans.last.sequence, transaction: transaction, at: later ? at : nil,
      plugins: readiness(of: check.workers), nextFrame: frame.number + 1, takesAway: check.effects.contains(.takesAway),
      statesPriority: check.effects.contains(.statesPriority), resolution: check.resolution,
      scenes: check.scenes.byName, cues: changes, cueRows: cueRows)
  }

  /// Lets a transaction that was accepted take effect, with the next frame or at its time.
  ///
  /// - Returns: the receipt, with the frame that applies it.
  @discardableResult
  package func apply(_ accepted: AcceptedTransaction) -> Receipt {
    var receipt = accepted.receipt
    queue.settle(accepted.sequence)
    for (name, scene) in accepted.scenes { scenes.set(name, scene) }
    cues.settle(accepted.sequence)
    for (name, change) in accepted.cues { cues.set(name, change) }
    if let at = accepted.at {
      queue.waiting.insert(
        .init(
          at: at, sequence: accepted.sequence, transaction: accepted.transaction,
          by: plans.provenances[accepted.sequence]))
    } else {
      // Computed before this commit is submitted, and after all earlier ones.
      receipt.counts = EffectForecast.counts(of: accepted.transaction, takesAway: accepted.takesAway, in: self)
      if accepted.statesPriority || plans.ranked > 0 || plans.rankedFrame > frame.number {
        receipt.displaced = DisplacementForecast.displaced(of: accepted, in: self).map(accepted.placed)
      }
      receipt.limited = LimitForecast.limited(of: accepted.transaction, in: self).map(accepted.placed)
      // What does not begin is not held back.
      for plan in receipt.displaced {
        receipt.limited.removeAll {
          $0.operation == plan.operation && $0.target == plan.target && $0.property == plan.property
        }
      }
      if accepted.statesPriority { plans.rankedFrame = frame.number + 1 }
      submit(.commit(sequence: accepted.sequence, accepted.transaction))
      receipt.frame = frame.number + 1
    }
    return receipt
  }

  private func isLater(_ at: Double?, _ transaction: Transaction, by provenance: Provenance?) throws(Refusal) -> Bool {
    guard let at else { return false }
    guard at.isFinite, abs(at) <= Limits.durationSeconds else {
      throw Refusal(
        .value, field: "at", "\(at) s is not a valid time",
        remedy: "Give simulated seconds since the start, at most \(Limits.durationSeconds).")
    }
    guard at > frame.time else { return false }
    guard waitingCount < Limits.waitingTransactions else {
      throw Refusal(
        .limit, "\(waitingCount) transactions wait for their time already",
        remedy: "Commit those of later times later.")
    }
    let bytes = WaitingTransactions.Entry.bytes(of: transaction, by: provenance)
    guard queue.waiting.bytes + bytes <= Limits.waitingBytes else {
      throw Refusal(
        .limit,
        "\(queue.waiting.bytes) bytes of transactions wait for their time already, and with these \(bytes) there would be more than "
          + "\(Limits.waitingBytes)",
        remedy: "Commit those of later times later.")
    }
    let operations = queue.waiting.operations(dueWith: at)
    guard operations == 0 || operations + transaction.log.count <= Limits.operationsPerTransaction else {
      throw Refusal(
        .limit, field: "at",
        "\(operations) operations wait for the same tenth of a second as \(at) s already, and with these "
          + "\(transaction.log.count) there would be more than \(Limits.operationsPerTransaction)",
        remedy:
          "Commit them for times that are a tenth of a second apart: one frame applies everything that is due in it.")
    }
    return true
  }

  /// Checks every operation against the present state and the operations before it.
  ///
  /// - Throws: the refusal of the first operation that cannot be applied.
  public func check(_ transaction: Transaction) throws(Refusal) {
    try TransactionCheck(transaction, in: self).finish()
  }

  /// The request with the targets for which its selector stands. Linear in all targets.
  ///
  /// - Throws: the refusal of a selector that stands for no target.
  public func resolve(_ stop: StopRequest) throws(Refusal) -> StopRequest {
    guard let selector = stop.selector else { return stop }
    var transaction = Transaction()
    transaction.forget(each: selector)
    var resolved = stop
    resolved.selector = nil
    do {
      let resolution = try TargetResolution(transaction, in: self)
      try resolution.advance()
      resolved.targets = resolution.log.compactMap(\.target)
    } catch {
      var refusal = error
      (refusal.operation, refusal.field) = (nil, "targets")
      throw refusal
    }
    return resolved
  }

  /// The plugins of these workers, each once, and whether all of its workers are ready.
  private func readiness(of needed: Set<WorkerAddress>) -> [PluginReadiness] {
    var readiness: [PluginName: PluginReadiness.State] = [:]
    for worker in needed where readiness[worker.plugin] != .starting {
      readiness[worker.plugin] = workers.isProvisioned(worker) ? .ready : .starting
    }
    return readiness.sorted { $0.key < $1.key }.map(PluginReadiness.init)
  }
}

/// A transaction that is valid and has its place in the order, and has not taken effect yet.
package struct AcceptedTransaction {
  /// Its place in the order of transactions.
  package let sequence: UInt64
  /// The operations to apply.
  package let transaction: Transaction
  /// The simulated time for which it waits, if it does.
  package let at: Double?
  fileprivate let plugins: [PluginReadiness]
  fileprivate let nextFrame: UInt64
  /// Whether it removes or forgets anything.
  fileprivate let takesAway: Bool
  /// Whether a plan that it adds has a priority.
  fileprivate let statesPriority: Bool
  /// Where its operations come from, if it was committed with selectors.
  fileprivate let resolution: TargetResolution?
  /// The scenes that it sets.
  fileprivate let scenes: [SceneName: Scene]
  /// What it changes of lists of cues, and these lists as they are then.
  fileprivate let cues: [(name: CueListName, change: CueChange)]
  fileprivate let cueRows: [CueListRow]
  /// By how many simulated seconds the time for which it was committed has passed; `nil` if it has not.
  package var overdue: Double?

  /// The receipt if it takes effect before the next frame.
  package var receipt: Receipt {
    var receipt = Receipt(sequence: sequence, frame: at == nil ? nextFrame : nil, at: at, plugins: plugins)
    receipt.overdue = overdue
    receipt.addressed = resolution?.addressed ?? []
    receipt.cues = cueRows
    return receipt
  }

  /// An entry of the receipt with the operation as it was committed.
  fileprivate func placed(_ entry: Receipt.Displaced) -> Receipt.Displaced {
    guard let resolution else { return entry }
    var entry = entry
    (entry.operation, entry.target) = resolution.origin(of: entry.operation)
    return entry
  }

  /// An entry of the receipt with the operation as it was committed.
  fileprivate func placed(_ entry: Receipt.Limited) -> Receipt.Limited {
    guard let resolution else { return entry }
    var entry = entry
    (entry.operation, entry.target) = resolution.origin(of: entry.operation)
    return entry
  }
}

extension Refusal {
  /// The plugin of an intention failed too often.
  static func quarantined(_ plugin: PluginName, _ reason: String) -> Refusal {
    Refusal(
      .quarantined, "plugin \(plugin) is quarantined: \(reason)",
      remedy: "Fix the plugin, then restart it; with motiond: motionctl plugin restart \(plugin)")
  }

  /// There is no room for another target.
  static func targets(_ count: Int) -> Refusal {
    Refusal(.limit, "there are \(count) targets already", remedy: "Forget targets that are no longer needed.")
  }
}
