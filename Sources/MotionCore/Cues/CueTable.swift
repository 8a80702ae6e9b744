package import MotionModel

/// The lists of cues by name, and how far each has come.
///
/// As with scenes, no frame depends on them: what a cue does is resolved into plans when its transaction is accepted.
package struct CueTable: Sendable {
  private var lists: [CueListName: RuntimeCheckpoint.StoredCueList] = [:]
  /// The lists as they will be once all accepted transactions are applied, where these change them.
  private var accepted: [(sequence: UInt64, name: CueListName, change: CueChange)] = []
  private var lastNumber: UInt64 = 0

  /// No lists.
  package init() {}

  package var isEmpty: Bool { lists.isEmpty }

  /// The names of the lists, in natural order.
  package var names: [CueListName] { lists.keys.sorted { $0.isListedBefore($1) } }

  /// The lists as checkpoints contain them, in the order in which they changed last.
  package var stored: [RuntimeCheckpoint.StoredCueList] { lists.values.sorted { $0.number < $1.number } }

  /// A list and how far it has come; `nil` if there is none of that name.
  package subscript(name: CueListName) -> (list: CueList, position: CuePosition)? {
    lists[name].map { ($0.list, $0.position) }
  }

  /// A list once all accepted transactions are applied.
  func expected(_ name: CueListName) -> (list: CueList, position: CuePosition)? {
    accepted.lazy.filter { $0.name == name }.reduce(self[name]) { Self.applying($1.change, to: $0) }
  }

  private static func applying(
    _ change: CueChange, to entry: (list: CueList, position: CuePosition)?
  ) -> (list: CueList, position: CuePosition)? {
    switch change {
    // The steps go on, so that no command to the former list is one to the new.
    case .list(let list): list.isEmpty ? nil : (list, CuePosition(step: (entry?.position.step ?? 0) + 1))
    case .position(let position):
      entry.map { ($0.list, position.current ?? 0 < $0.list.cues.count ? position : $0.position) }
    }
  }

  /// A transaction is accepted: commands after it find the lists as it leaves them.
  mutating func expect(_ changes: [(name: CueListName, change: CueChange)], as sequence: UInt64) {
    accepted += changes.map { (sequence, $0.name, $0.change) }
  }

  /// A transaction that was accepted is applied, or is dropped.
  mutating func settle(_ sequence: UInt64) {
    guard !accepted.isEmpty else { return }
    accepted.removeAll { $0.sequence == sequence }
  }

  /// Changes lists as a transaction does.
  package mutating func apply(_ transaction: Transaction) {
    for case .cues(let name, let change) in transaction.log { set(name, change) }
  }

  /// Changes a list.
  mutating func set(_ name: CueListName, _ change: CueChange) {
    lastNumber += 1
    lists[name] = Self.applying(change, to: self[name]).map { .init(name, $0.list, $0.position, number: lastNumber) }
  }

  /// No list, or none of some, goes on by itself.
  package mutating func stopAll(where isMeant: (CueListName) -> Bool = { _ in true }) {
    for (name, entry) in lists where entry.position.due != nil && isMeant(name) {
      var position = entry.position
      position.step += 1
      position.stop()
      set(name, .position(position))
    }
  }

  /// Replaces all lists by those of a checkpoint.
  package mutating func replace(by stored: [RuntimeCheckpoint.StoredCueList]) {
    lists = [:]
    // A position behind the list is of no list that this code has stored.
    for entry in stored where entry.position.current ?? -1 < entry.list.cues.count { lists[entry.name] = entry }
    lastNumber = stored.map(\.number).max() ?? 0
  }

  /// The earliest time at which a list goes on by itself.
  package var nextDueTime: Double? { lists.values.lazy.compactMap(\.position.due).min() }

  /// The changes of a transaction that is accepted now, with the times of its cues.
  ///
  /// - Throws: the refusal of a command to a list that another one has moved on meanwhile.
  func begin(
    _ changes: [(operation: Int, name: CueListName, change: CueChange)], in transaction: inout Transaction,
    at time: Double
  ) throws(Refusal) -> [(name: CueListName, change: CueChange)] {
    var begun: [(name: CueListName, change: CueChange)] = []
    for (operation, name, change) in changes {
      guard case .position(let position) = change else {
        begun.append((name, change))
        continue
      }
      guard let step = expected(name)?.position.step, step + 1 == position.step else {
        throw Refusal(.notFound, field: "cue", "\"\(name)\" has moved on meanwhile", remedy: "Commit it again.")
      }
      let change = CueChange.position(position.begun(at: time))
      transaction.replace(operation, by: .cues(name, change))
      begun.append((name, change))
    }
    return begun
  }

  /// The lists that changes move on, as they are then.
  func rows(of changes: [(name: CueListName, change: CueChange)]) -> [CueListRow] {
    changes.compactMap { name, change in
      guard let (list, position) = Self.applying(change, to: expected(name)) else { return nil }
      return CueListRow(name, list, position, hasContent: false)
    }
  }

  /// Refuses a list that is too long, or one list or operation too many.
  ///
  /// - Parameter changes: the changes before it in its transaction.
  func check(
    _ list: CueList, as name: CueListName, after changes: [(name: CueListName, change: CueChange)]
  ) throws(Refusal) {
    guard !list.isEmpty else { return }
    guard list.cues.count <= Limits.cuesPerList, list.operations <= Limits.operationsPerCueList else {
      throw Refusal(
        .limit, field: "cues",
        "a list has at most \(Limits.cuesPerList) cues with \(Limits.operationsPerCueList) operations together",
        remedy: "Make several lists, or scenes that cues recall.")
    }
    var names: Set<CueName> = []
    var place = -Double.infinity
    for cue in list.cues {
      guard names.insert(cue.name).inserted else {
        throw Refusal(.value, field: "cues", "two cues have the name \"\(cue.name)\"", remedy: "Give each its own.")
      }
      for time in [cue.wait, cue.follow ?? 0] where !(0...Limits.durationSeconds).contains(time) {
        throw Refusal(
          .value, field: "cues", "cue \"\(cue.name)\": \(time) s is no delay",
          remedy: "Give 0 to \(Limits.durationSeconds) seconds.")
      }
      guard let at = cue.at else { continue }
      guard at.isFinite, at > place else {
        throw Refusal(
          .value, field: "cues", "cue \"\(cue.name)\": its place \(at) is not behind that of the cue before, \(place)",
          remedy: "Give ascending places, or let a cue follow the one before.")
      }
      place = at
    }
    var all = lists.mapValues(\.list)
    for (name, change) in accepted.map({ ($0.name, $0.change) }) + changes {
      if case .list(let list) = change { all[name] = list.isEmpty ? nil : list }
    }
    all[name] = list
    guard all.count <= Limits.cueLists, all.values.reduce(0, { $0 + $1.operations }) <= Limits.cueOperations
    else {
      throw Refusal(
        .limit, field: "cues",
        "there are at most \(Limits.cueLists) lists of cues, with \(Limits.cueOperations) operations together",
        remedy: "Delete lists that are no longer needed: motionctl cue delete NAME")
    }
  }

  func missing(_ name: CueListName) -> Refusal {
    Refusal(
      .notFound, field: "cue", "there is no cue list \"\(name)\"",
      remedy: names.isEmpty
        ? "Load one: motionctl cue load"
        : NearestName.remedy(for: name.text, among: names.map(\.text), plural: "cue lists"))
  }
}
