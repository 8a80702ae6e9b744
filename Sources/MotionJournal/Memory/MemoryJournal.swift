import Synchronization

/// A journal in memory, with the same contract as ``SQLiteJournal``, for tests of its users.
package final class MemoryJournal: Journal {
  private enum State {
    /// From opening until `close`, or until a failure after which the contents of the disk are unknown.
    case open
    /// After such a failure.
    case broken
    /// After `close`.
    case closed
  }

  private let disk: MemoryDisk
  /// The number of this opening. When this journal is closed, another one may already have the disk open.
  private let opening: Int
  private var state = State.open

  /// Opens the journal on `disk`.
  ///
  /// - Throws: an error with the code ``JournalError/Code/locked`` while another journal is open there.
  package init(on disk: MemoryDisk) throws(JournalError) {
    let opening = disk.state.withLock { state -> Int? in
      guard !state.isOpen else { return nil }
      state.isOpen = true
      state.openings += 1
      return state.openings
    }
    guard let opening else {
      throw JournalError(.locked, at: "memory", "another journal is open on this disk", remedy: "Close it first")
    }
    self.disk = disk
    self.opening = opening
  }

  deinit { close() }

  package func contents() throws(JournalError) -> JournalContents {
    try check()
    return disk.contents
  }

  package func append(_ rows: [JournalRow]) throws(JournalError) {
    try check()
    try JournalRow.check(rows, after: disk.contents.lastSequence, at: "memory")
    guard !rows.isEmpty else { return }
    try write(orFirst: rows.count) { state, count in
      state.contents.rows += rows.prefix(count)
      state.contents.identities += rows.prefix(count).filter { !$0.identity.isEmpty }.map(JournalIdentity.init(of:))
      state.contents.forgetIdentities()
    }
  }

  @discardableResult
  package func checkpoint(_ update: CheckpointUpdate, check: CheckpointCheck) throws(JournalError) -> Int {
    try self.check()
    let contents = disk.contents
    try update.check(from: contents.checkpoint?.sequence ?? 0, to: contents.lastSequence, at: "memory")
    let before = update.isWhole ? [:] : disk.state.withLock { $0.parts }
    var parts = before
    for number in update.removed { parts[number] = nil }
    for part in update.parts { parts[part.number] = part.body }
    let body = parts.sorted { $0.key < $1.key }.flatMap(\.value)
    let changed = update.parts.filter { before[$0.number] != $0.body }.map(\.number)
    do {
      try check(StoredParts(changed: changed, read: { [parts] in parts[$0] }, readAll: { body }))
    } catch {
      throw error as? JournalError ?? JournalError(.unreadable, at: "memory", "\(error)", remedy: "Look at the test")
    }
    try write(orFirst: 1) { state, count in
      guard count > 0 else { return }
      state.parts = parts
      state.contents.checkpoint = JournalCheckpoint(sequence: update.sequence, body: body)
      state.contents.rows.removeAll { $0.sequence <= update.sequence }
    }
    return body.count
  }

  package func part(_ number: UInt64) throws(JournalError) -> [UInt8]? {
    try check()
    return disk.state.withLock { $0.parts[number] }
  }

  package func tidy() throws(JournalError) -> Bool {
    try check()
    return false
  }

  package func close() {
    guard state != .closed else { return }
    state = .closed
    disk.state.withLock { state in
      if state.openings == opening { state.isOpen = false }
    }
  }

  private func check() throws(JournalError) {
    switch state {
    case .open: return
    case .broken:
      throw JournalError(.broken, at: "memory", "a sync failed before", remedy: "Close the journal and open it again")
    case .closed:
      throw JournalError(.closed, at: "memory", "the journal is closed", remedy: "Open it again")
    }
  }

  /// Writes `count` items, or as many as the injected fault lets through.
  private func write(
    orFirst count: Int, _ change: (inout MemoryDisk.State, Int) -> Void
  ) throws(JournalError) {
    let fault = disk.state.withLock { state -> MemoryDisk.Fault? in
      state.writes += 1
      let fault = state.faults.removeValue(forKey: state.writes) ?? state.lastingFault
      switch fault {
      case nil: change(&state, count)
      case .broken(let durable): change(&state, min(durable, count))
      case .full, .readOnly: break
      }
      return fault
    }
    switch fault {
    case nil: return
    case .full: throw JournalError(.full, at: "memory", "the disk is full", remedy: "Make room")
    case .readOnly:
      throw JournalError(.readOnly, at: "memory", "the disk cannot be written", remedy: "Make it writable")
    case .broken:
      state = .broken
      throw JournalError(
        .broken, at: "memory", "the sync failed", remedy: "Close the journal and open it again to see what is on disk")
    }
  }
}
