import MotionModel

/// What a command to a list of cues does: the cues that begin, and how far the list has come then.
struct CueTransition {
  /// A cue that begins.
  struct Run {
    let cue: Int
    /// Whether the scenes of the cues before it are recalled, too.
    let isTracked: Bool
  }

  private(set) var runs: [Run] = []
  /// The position; its times are relative to the time of the command, unless ``CuePosition/went`` is known.
  private(set) var position: CuePosition
  private let list: CueList
  /// The most characters of the reason for which a cue was left out.
  private static let reasonLength = 200

  /// Determines what a step does.
  ///
  /// - Throws: the refusal of a step that the list does not have.
  init(_ step: CueStep, of list: CueList, _ name: CueListName, at position: CuePosition) throws(Refusal) {
    if case .missing(let step, let reason) = step {
      self = try Self(step, of: list, name, at: position)
      runs = []
      self.position.leftOut = String(reason.prefix(Self.reasonLength))
      return
    }
    (self.list, self.position) = (list, position)
    if let origin = step.origin, origin != position.step { throw Self.isStale(name) }
    self.position.step += 1
    switch step {
    case .go:
      if position.waits, let current = position.current { runs.append(Run(cue: current, isTracked: false)) }
      guard position.next < list.cues.count || position.waits else {
        throw Refusal(
          .notFound, field: "go", "the last cue of \"\(name)\" has gone",
          remedy: "Go back, or to a cue: motionctl cue goto")
      }
      if position.next < list.cues.count {
        go(position.next, at: nil)
      } else {
        (self.position.went, self.position.waits, self.position.due) = (nil, false, nil)
      }
    case .back:
      guard let current = position.current, current > 0 else {
        throw Refusal(
          .notFound, field: "back", "there is no cue before the present one of \"\(name)\"",
          remedy: "Go to a cue: motionctl cue goto")
      }
      take(current - 1, at: nil)
    case .goto(let cue):
      guard let index = list.index(of: cue) else {
        throw Refusal(
          .notFound, field: "goto", "\"\(name)\" has no cue \"\(cue)\"",
          remedy: NearestName.remedy(for: cue.text, among: list.cues.map(\.name.text), plural: "cues"))
      }
      take(index, at: nil)
      follow(from: 0)
    case .stop: self.position.stop()
    case .due:
      guard let due = position.due else { throw Self.isStale(name) }
      if position.waits, let current = position.current {
        (self.position.waits, self.position.leftOut) = (false, nil)
        runs.append(Run(cue: current, isTracked: false))
        follow(from: due)
      } else if position.next < list.cues.count {
        go(position.next, at: due)
      } else {
        self.position.due = nil
      }
    case .fire(_, let cue):
      guard list.cues.indices.contains(cue), let place = list.cues[cue].at else { throw Self.isStale(name) }
      go(cue, at: nil)
      self.position.passed = place
    case .jump(_, let value):
      self.position.passed = value
      if let last = list.lastCue(passedAt: value) {
        take(last, at: nil)
      } else {
        (self.position.current, self.position.waits, self.position.due, self.position.leftOut) = (nil, false, nil, nil)
      }
    case .missing: break
    }
  }

  private static func isStale(_ name: CueListName) -> Refusal {
    Refusal(.notFound, field: "cue", "\"\(name)\" has moved on meanwhile", remedy: "Ask for its present state")
  }

  /// Lets a cue go, at a known time or at that of the command.
  private mutating func go(_ cue: Int, at time: Double?) {
    (position.current, position.went, position.due, position.leftOut) = (cue, time, nil, nil)
    position.waits = list.cues[cue].wait > 0
    if position.waits {
      position.due = (time ?? 0) + list.cues[cue].wait
    } else {
      runs.append(Run(cue: cue, isTracked: false))
      follow(from: time ?? 0)
    }
  }

  /// Takes the state of a cue at once.
  private mutating func take(_ cue: Int, at time: Double?) {
    (position.current, position.went, position.waits, position.due, position.leftOut) = (cue, time, false, nil, nil)
    runs.append(Run(cue: cue, isTracked: true))
  }

  /// Lets the next cue follow the present one, which begins now.
  private mutating func follow(from begin: Double) {
    let delay = position.current.flatMap { list.cues[$0].follow }
    position.due = position.next < list.cues.count ? delay.map { begin + $0 } : nil
  }
}

extension CuePosition {
  /// Lets the list not go on by itself. A cue that waits has not begun, and is the next one again.
  mutating func stop() {
    if waits, let current { (self.current, went, leftOut) = (current > 0 ? current - 1 : nil, nil, nil) }
    (waits, due) = (false, nil)
  }

  /// The position after a command at this time.
  func begun(at time: Double) -> CuePosition {
    guard went == nil, current != nil else { return self }
    var position = self
    (position.went, position.due) = (time, due.map { time + $0 })
    return position
  }
}
