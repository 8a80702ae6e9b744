import MotionModel

@testable import MotionCore

/// The lists of cues and how far they have come, and how the rows of a journal change them: a separate model.
struct CueHoldings {
  private var lists: [CueListName: CueList] = [:]
  private var positions: [CueListName: CuePosition] = [:]
  /// What no sequence of rows may do.
  private var problems: [String] = []

  init() {}

  init(_ checkpoint: RuntimeCheckpoint) {
    for stored in checkpoint.cues { (lists[stored.name], positions[stored.name]) = (stored.list, stored.position) }
  }

  mutating func apply(_ change: CueChange, to name: CueListName) {
    let step = positions[name]?.step
    switch change {
    case .list(let list):
      lists[name] = list.cues.isEmpty ? nil : list
      positions[name] = list.cues.isEmpty ? nil : CuePosition(step: (step ?? 0) + 1)
    case .position(let position):
      // Each command moves the list on from where the one before has left it: none is lost, none counts twice.
      if position.step != (step ?? .max) &+ 1 {
        problems.append("\(name) moves from step \(step.map { "\($0)" } ?? "none") to \(position.step)")
      }
      positions[name] = position
    }
  }

  mutating func stopAll() {
    for (name, var position) in positions where position.due != nil {
      if position.waits, let current = position.current {
        position.current = current > 0 ? current - 1 : nil
        (position.went, position.leftOut) = (nil, nil)
      }
      (position.step, position.due, position.waits) = (position.step + 1, nil, false)
      positions[name] = position
    }
  }

  /// The differences of another state from this one.
  func differences(of other: CueHoldings) -> [String] {
    var found = problems
    if lists != other.lists { found.append("the cue lists are to be \(lists), and are \(other.lists)") }
    if positions != other.positions {
      found.append("the cue lists are to be at \(positions), and are at \(other.positions)")
    }
    return found
  }
}
