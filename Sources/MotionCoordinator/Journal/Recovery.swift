package import MotionCore
package import MotionJournal
package import MotionModel
import MotionWire

/// Brings a runtime back to the state in a journal.
package struct Recovery {
  /// The state of the clock.
  package private(set) var clock = ClockState()
  /// Ids of transactions that were acknowledged, the oldest first.
  private(set) var acknowledged: [(id: TransactionID, digest: TransactionDigest, receipt: Receipt)] = []
  /// Transactions that hold while their clients are connected.
  private(set) var owners: [RuntimeCheckpoint.Owner] = []
  /// The scenes: each took effect with its row.
  private var scenes = SceneTable()
  /// The lists of cues, likewise.
  private var cues = CueTable()
  /// The transaction that changed each list last, or the last one before the checkpoint that has it.
  private var cueSequences: [CueListName: UInt64] = [:]
  /// How many rows were replayed.
  private(set) var rows = 0
  /// What follows the state of a ring, in this order.
  private(set) var steps: [Step] = []
  /// Accepted transactions that follow the state of a ring, in the order in which they are applied.
  private var waiting: [RuntimeCheckpoint.Waiting] = []
  /// Whether the next frame follows the last one of the ring.
  private(set) var isInMotion = false
  /// The last sequence that was given out.
  package private(set) var lastSequence: UInt64 = 0

  /// Something that a journal has and a ring has not.
  enum Step: Sendable {
    /// Transactions wait for their time or for the next frame.
    case wait([RuntimeCheckpoint.Waiting])
    /// Apply this at once.
    case apply(RuntimeEvent)
  }

  /// Reads everything and applies it, in a runtime in which nothing has happened. A start, `motiond --check` and
  /// `motionctl journal verify` all use it.
  ///
  /// - Parameters:
  ///   - contents: what the journal holds.
  ///   - runtime: the runtime to bring back.
  ///   - compares: whether the runtime is also compared with the checkpoint, before rows are applied.
  ///   - progress: called before each row is applied, with the number of rows that have been.
  /// - Throws: ``StartError`` for contents that are whole and cannot be read.
  package init(
    _ contents: JournalContents, into runtime: Runtime, compares: Bool = false, progress: (Int) -> Void = { _ in }
  ) throws(StartError) {
    if let checkpoint = contents.checkpoint { try restore(checkpoint, into: runtime, compares: compares) }
    let voided = Self.voided(contents.rows)
    for row in contents.rows where voided[row.identity].map({ row.sequence > $0 }) ?? true {
      progress(rows)
      try recover(row, into: runtime)
    }
    // While time is paused or held, only stepped frames run: what waited for the next frame still does.
    if !clock.stands { runtime.applyRecovered() }
    runtime.endRecovery()
    clock.time = max(clock.time, runtime.frame.time)
    runtime.scenes.replace(by: scenes.stored)
    runtime.cues.replace(by: cues.stored)
    for identity in contents.identities { try remember(identity) }
  }

  /// Reads everything, for a runtime that a ring has brought to its last frame: what the ring lacks follows in ``steps``.
  ///
  /// The loop appends to the ring before anything has an effect, and a row is submitted before or with that: the ring has
  /// everything that was applied, and lacks the transactions of the journal that were not.
  package init(_ contents: JournalContents, after ring: RecoveredRing, in runtime: Runtime) throws(StartError) {
    lastSequence = max(ring.lastSequence, runtime.lastSequence)
    if let checkpoint = contents.checkpoint {
      let world = try read(checkpoint)
      lastSequence = max(lastSequence, world.lastSequence)
      for entry in world.waiting where ring.isWaiting(entry.sequence) {
        wait(for: entry, acceptedAt: world.frame.time, last: runtime.frame.time)
      }
    }
    let voided = Self.voided(contents.rows)
    for row in contents.rows where voided[row.identity].map({ row.sequence > $0 }) ?? true {
      let entry = try read(row)
      switch entry.event {
      case .commit(let sequence, let commit, _):
        lastSequence = max(lastSequence, sequence)
        guard ring.isWaiting(sequence) else { continue }
        wait(
          for: .init(
            at: commit.at ?? entry.frame.time, sequence: sequence, commit.transaction, by: entry.provenance),
          acceptedAt: entry.frame.time, last: runtime.frame.time)
      case .withdraw(let sequences):
        waiting.removeAll { sequences.contains($0.sequence) }
        steps.append(.apply(.withdraw(sequences)))
      case .stop(let stop): apply(stop, acceptedAt: entry.frame.time, last: runtime.frame.time)
      case .clock, .void: break
      }
    }
    if !waiting.isEmpty { steps.append(.wait(waiting)) }
    if let stopped = ring.stoppedAfter { cues.stopAll { cueSequences[$0, default: 0] <= stopped } }
    clock.time = max(clock.time, runtime.frame.time)
    isInMotion = runtime.wantsFrames
    // In motion, time and motion go together: the clock was ahead of the last frame by its lateness. Where time stands
    // it is shown as before.
    if isInMotion, !clock.isPaused || clock.hold != nil { clock.time = runtime.frame.time }
    runtime.scenes.replace(by: scenes.stored)
    runtime.cues.replace(by: cues.stored)
    for identity in contents.identities { try remember(identity) }
  }

  /// Lets a transaction wait. One whose time had come when it was accepted waits for the next frame, in the order of
  /// acceptance, and behind those whose time has come since.
  private mutating func wait(for entry: RuntimeCheckpoint.Waiting, acceptedAt accepted: Double, last: Double) {
    var entry = entry
    entry.at = entry.at <= accepted ? last : entry.at <= last ? min(entry.at, last.nextDown) : entry.at
    waiting.append(entry)
  }

  /// The sequences of the transactions in ``steps``.
  var waitingSequences: Set<UInt64> {
    Set(steps.flatMap { step -> [UInt64] in if case .wait(let entries) = step { entries.map(\.sequence) } else { [] } })
  }

  /// A stop is in the ring, unless transactions that were accepted before it were not applied yet: it applies to them.
  /// A stop of everything has also withdrawn those whose time had not come then.
  private mutating func apply(_ stop: StopRequest, acceptedAt accepted: Double, last: Double) {
    func isDue(_ entry: RuntimeCheckpoint.Waiting) -> Bool { entry.at == last || entry.at <= accepted }
    let due = waiting.filter(isDue)
    if !due.isEmpty { steps += [.wait(due), .apply(.stop(stop))] }
    waiting.removeAll { isDue($0) || stop.targets.isEmpty }
  }

  private mutating func read(_ checkpoint: JournalCheckpoint) throws(StartError) -> RuntimeCheckpoint {
    do {
      let world = try JournalCoding.recoveredCheckpoint(in: checkpoint.body)
      (clock, owners) = (world.clock, world.owners)
      scenes.replace(by: world.scenes)
      cues.replace(by: world.cues)
      cueSequences = Dictionary(uniqueKeysWithValues: world.cues.map { ($0.name, world.lastSequence) })
      return world
    } catch {
      throw .unreadable("the checkpoint of row \(checkpoint.sequence)", error)
    }
  }

  private mutating func restore(
    _ checkpoint: JournalCheckpoint, into runtime: Runtime, compares: Bool
  ) throws(StartError) {
    let world = try read(checkpoint)
    if compares { runtime.log.keeps.insert(.endings) }
    runtime.restore(world)
    if compares, let missing = Self.missing(of: world, in: runtime) {
      throw StartError(
        "recover from the journal",
        "the checkpoint of row \(checkpoint.sequence) contains \(missing), which a start would not restore",
        remedy: StartError.acceptLoss)
    }
  }

  /// The first item of a checkpoint that is not in the runtime recovered from it, and was not reported as ended.
  private static func missing(of world: RuntimeCheckpoint, in runtime: Runtime) -> String? {
    let found = runtime.checkpoint()
    let targets = Dictionary(found.targets.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    for target in world.targets {
      let properties = Dictionary(
        (targets[target.name]?.properties ?? []).map { ($0.name, $0.state.value.count) }, uniquingKeysWith: { $1 })
      guard targets[target.name] != nil else { return "the target \(target.name)" }
      for property in target.properties where properties[property.name] != property.state.value.count {
        return "the property \(property.name) of \(target.name)"
      }
    }
    // A damaged checkpoint may contain plans that displace each other.
    let records = runtime.log.take()
    // The log keeps only the newest of very many.
    guard !records.contains(where: \.isAfterGap) else { return nil }
    let ended = records.flatMap(\.ended)
    let plans = Set(found.plans.map(\.identity)).union(ended.map(\.identity))
    return world.plans.first { !plans.contains($0.identity) }.map { "the plan \($0.identity) on \($0.target)" }
  }

  /// The last row that voids an identity, for each voided identity.
  private static func voided(_ rows: [JournalRow]) -> [[UInt8]: UInt64] {
    var voided: [[UInt8]: UInt64] = [:]
    // Rows that void an identity hold no answer.
    for row in rows where !row.identity.isEmpty && row.answer.isEmpty { voided[row.identity] = row.sequence }
    return voided
  }

  private mutating func recover(_ row: JournalRow, into runtime: Runtime) throws(StartError) {
    runtime.recover(try read(row))
  }

  private mutating func read(_ row: JournalRow) throws(StartError) -> JournalEntry {
    let entry: JournalEntry
    do {
      entry = try JournalCoding.recoveredEntry(in: row.body)
    } catch {
      throw .unreadable("row \(row.sequence)", error)
    }
    clock.time = max(clock.time, entry.time)
    rows += 1
    if case .commit(let sequence, let commit, _) = entry.event {
      for case .cues(let name, _) in commit.transaction.log { cueSequences[name] = sequence }
      for case .scene(let name, let scene) in commit.transaction.log { scenes.set(name, scene) }
      cues.apply(commit.transaction)
    }
    if case .stop(let stop) = entry.event, stop.targets.isEmpty { cues.stopAll() }
    switch entry.event {
    case .commit(let sequence, let commit, let client) where commit.whileConnected:
      owners.append(.init(client, [sequence]))
    case .withdraw(let sequences):
      let gone = Set(sequences)
      owners = owners.map { .init($0.client, $0.sequences.filter { !gone.contains($0) }) }
    case .clock(.pause): clock.isPaused = true
    case .clock(.resume): clock.isPaused = false
    case .clock(.speed(let speed)): clock.speed = speed
    case .clock(.hold(let hold)):
      if clock.hold == nil { clock.hold = hold } else { clock.hold?.refuses = hold.refuses }
    case .clock(.release): clock.hold = nil
    case .commit, .clock, .stop, .void: break
    }
    return entry
  }

  private mutating func remember(_ identity: JournalIdentity) throws(StartError) {
    guard let id = TransactionID(bytes: identity.identity), let digest = TransactionDigest(bytes: identity.digest)
    else {
      // The identity was voided.
      acknowledged.removeAll { $0.id.bytes == identity.identity }
      return
    }
    do {
      acknowledged.append((id, digest, try JournalCoding.receipt(in: identity.answer)))
    } catch {
      throw .unreadable("the receipt of row \(identity.sequence)", error)
    }
  }
}

extension StartError {
  /// The contents are as they were written, but cannot be decoded.
  fileprivate static func unreadable(_ what: String, _ error: WireError) -> StartError {
    StartError(
      "recover from the journal", "\(what) cannot be read: \(error)",
      remedy: acceptLoss)
  }

  /// The remedy for a journal that is as it was written, but cannot be decoded.
  fileprivate static let acceptLoss =
    "Start motiond once with --accept-loss, which keeps a copy and continues with everything that can be read, or run the version of"
    + " motiond that wrote it"
}
