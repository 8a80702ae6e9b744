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
  /// How many rows were replayed.
  private(set) var rows = 0

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
    for identity in contents.identities { try remember(identity) }
  }

  private mutating func restore(
    _ checkpoint: JournalCheckpoint, into runtime: Runtime, compares: Bool
  ) throws(StartError) {
    let world: RuntimeCheckpoint
    do {
      world = try JournalCoding.recoveredCheckpoint(in: checkpoint.body)
    } catch {
      throw .unreadable("the checkpoint of row \(checkpoint.sequence)", error)
    }
    clock = world.clock
    owners = world.owners
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
    let entry: JournalEntry
    do {
      entry = try JournalCoding.recoveredEntry(in: row.body)
    } catch {
      throw .unreadable("row \(row.sequence)", error)
    }
    clock.time = max(clock.time, entry.time)
    runtime.recover(entry)
    rows += 1
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
